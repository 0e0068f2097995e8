-- twin of orders/statistics sha256:b402104e02e44c5925f7d59930c3e84b4bab83b6a9f078e971ef5ceb3c78800f
ANALYZE TABLE item, warehouse, district, customer, history, stock, orders, order_line, new_order;
