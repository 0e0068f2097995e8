/* ramknee:load/proof_write */
/* An extended property of the database that holds the database's name: beside the record it proves to `ramknee drop` that load
   made the database, and that it is not a copy under another name. */
SET NOCOUNT ON;
DECLARE @db sql_variant = DB_NAME();
EXEC sys.sp_addextendedproperty @name = N'ramknee_load', @value = @db;
