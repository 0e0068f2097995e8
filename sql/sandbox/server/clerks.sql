-- twin of server/clerks sha256:dda9ce07133fefadc4c2a9aa9255eec5dca6ee00b060ba7a160fc844050b9a09
-- the engine has neither
SELECT 0 AS xtp_kb, 0 AS columnstore_kb
