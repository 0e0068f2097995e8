# twins of sql/server
