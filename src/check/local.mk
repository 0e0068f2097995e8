# sources of check
