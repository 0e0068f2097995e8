# the program as a person meets it
TESTS += %D%/usage.sh
EXTRA_DIST += %D%/usage.sh
