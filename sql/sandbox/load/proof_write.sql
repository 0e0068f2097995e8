-- twin of load/proof_write sha256:088635beac30dfd6174eb58d95239aaac860d05dc7f47c333696e5ccf43346f2
-- the comment of the database stands for its extended property
EXECUTE IMMEDIATE CONCAT('ALTER DATABASE `', REPLACE(DATABASE(), '`', '``'), '` COMMENT ', QUOTE(CONCAT('ramknee_load ', DATABASE())));
