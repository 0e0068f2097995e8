-- twin of server/load_write sha256:b92fe7d2cc8d2e15b592b3c8383abeb0cc1694526ff09b506c148cf755538de8
CREATE TABLE IF NOT EXISTS ramknee_load LIKE sys.ramknee_load;
REPLACE INTO ramknee_load (id, mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item, loaded_at)
VALUES (1, @mix, @schema_version, @scale, @density, @seed, @complete, @data_bytes, @c_last, @c_cust, @c_item, UTC_TIMESTAMP(3))
