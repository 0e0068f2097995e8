-- twin of load/emptiness sha256:c3d07ff54c0db8918edef61e9f74aeeda9c4f3eb634feac8f1f5f79c4ab32a90
SELECT
  1 AS sees_all,
  (SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE())
  + (SELECT COUNT(*) FROM information_schema.routines WHERE routine_schema = DATABASE())
  + (SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = DATABASE() AND schema_comment <> '') AS things;
