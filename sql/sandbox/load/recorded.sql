-- twin of load/recorded sha256:cf1b130cca2283d5e8ac5134ba754c007ab8b6f23312afcf8af77c6f62b74a57
CREATE TABLE IF NOT EXISTS ramknee_property (
  name VARCHAR(128) NOT NULL PRIMARY KEY,
  value VARCHAR(256) NOT NULL
) ENGINE = InnoDB CHARACTER SET utf8mb4;
DELETE FROM ramknee_property;
INSERT INTO ramknee_property (name, value)
VALUES
  ('engine', CONCAT('InnoDB of MariaDB ', VERSION())),
  ('page_size', @@innodb_page_size),
  ('log_flush_at_commit', @@innodb_flush_log_at_trx_commit),
  ('isolation', @@global.tx_isolation),
  ('statistics', 'of all tables, after the load; not renewed');
SELECT p.name, p.value FROM ramknee_property AS p ORDER BY p.name;
