-- twin of server/load_read sha256:0bfb31723f294c40b2c2a34f1b18caaca295212105740b3277e4b925d182b7c4
-- the table is made when it is not there, empty: no row either way
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
SELECT
    mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item,
    DATE_FORMAT(loaded_at, '%Y-%m-%dT%H:%i:%s') AS loaded_at
FROM ramknee_load
WHERE id = 1
