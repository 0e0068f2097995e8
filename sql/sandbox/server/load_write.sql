-- twin of server/load_write sha256:b92fe7d2cc8d2e15b592b3c8383abeb0cc1694526ff09b506c148cf755538de8
CREATE TABLE IF NOT EXISTS ramknee_load (
    id int NOT NULL PRIMARY KEY,
    mix varchar(24) NOT NULL,
    schema_version int NOT NULL,
    scale bigint NOT NULL,
    density double NOT NULL,
    seed bigint NOT NULL,
    complete int NOT NULL,
    data_bytes bigint NOT NULL,
    c_last int NOT NULL,
    c_cust int NOT NULL,
    c_item int NOT NULL,
    loaded_at datetime(3) NOT NULL
);
REPLACE INTO ramknee_load (id, mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item, loaded_at)
VALUES (1, @mix, @schema_version, @scale, @density, @seed, @complete, @data_bytes, @c_last, @c_cust, @c_item, UTC_TIMESTAMP(3))
