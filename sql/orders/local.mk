# the orders mix
