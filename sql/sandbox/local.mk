# the twins
