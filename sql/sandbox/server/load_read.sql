-- twin of server/load_read sha256:0bfb31723f294c40b2c2a34f1b18caaca295212105740b3277e4b925d182b7c4
-- the table is made when it is not there, empty: no row either way
CREATE TABLE IF NOT EXISTS ramknee_load LIKE sys.ramknee_load;
SELECT
    mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item,
    DATE_FORMAT(loaded_at, '%Y-%m-%dT%H:%i:%s') AS loaded_at
FROM ramknee_load
WHERE id = 1
