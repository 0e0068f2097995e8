-- twin of load/proof_write sha256:3264a56b75ad04cfc63f6af0a456df640d6462f0a79ecf4ad27ecec023ee10da
-- the comment of the database stands for its extended property
EXECUTE IMMEDIATE CONCAT('ALTER DATABASE `', REPLACE(DATABASE(), '`', '``'), '` COMMENT ', '''', REPLACE(CONCAT('ramknee_load ', DATABASE()), '''', ''''''), '''');
