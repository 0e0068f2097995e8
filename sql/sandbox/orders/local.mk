# twins of sql/orders
