# the program as a person meets it
TESTS += %D%/usage.sh %D%/again.sh
EXTRA_DIST += %D%/usage.sh %D%/again.sh
