/* ramknee:server/load_write */
/* params: @mix nvarchar(24), @schema_version int, @scale bigint, @density float, @seed bigint, @complete int, @data_bytes bigint, @c_last int, @c_cust int, @c_item int */
SET NOCOUNT ON;
IF OBJECT_ID(N'dbo.ramknee_load') IS NULL
    CREATE TABLE dbo.ramknee_load (
        id int NOT NULL CONSTRAINT pk_ramknee_load PRIMARY KEY,
        mix nvarchar(24) NOT NULL,
        schema_version int NOT NULL,
        scale bigint NOT NULL,
        density float NOT NULL,
        seed bigint NOT NULL,
        complete int NOT NULL,
        data_bytes bigint NOT NULL,
        c_last int NOT NULL,
        c_cust int NOT NULL,
        c_item int NOT NULL,
        loaded_at datetime NOT NULL
    );
/* Never without a row between: a database without its record would be nobody's. */
UPDATE dbo.ramknee_load
SET
    mix = @mix, schema_version = @schema_version, scale = @scale, density = @density, seed = @seed, complete = @complete,
    data_bytes = @data_bytes, c_last = @c_last, c_cust = @c_cust, c_item = @c_item, loaded_at = GETUTCDATE()
WHERE id = 1;
IF @@ROWCOUNT = 0
    INSERT INTO dbo.ramknee_load (id, mix, schema_version, scale, density, seed, complete, data_bytes, c_last, c_cust, c_item, loaded_at)
    VALUES (1, @mix, @schema_version, @scale, @density, @seed, @complete, @data_bytes, @c_last, @c_cust, @c_item, GETUTCDATE());
