# sources of host
