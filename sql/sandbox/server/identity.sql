-- twin of server/identity sha256:6957d7be99048e313f7f828be2cbfb3f4c54cceed425e15a5b8ecdb2fcc31be8
SELECT
    MAX(CASE p.name WHEN 'ServerName' THEN p.value END) AS server_name,
    MAX(CASE p.name WHEN 'ComputerNamePhysicalNetBIOS' THEN p.value END) AS node,
    MAX(CASE p.name WHEN 'EngineEdition' THEN p.value END) AS engine_edition,
    MAX(CASE p.name WHEN 'Edition' THEN p.value END) AS edition,
    MAX(CASE p.name WHEN 'ProductVersion' THEN p.value END) AS version,
    MAX(CASE p.name WHEN 'IsClustered' THEN p.value END) AS is_clustered,
    MAX(CASE p.name WHEN 'IsHadrEnabled' THEN p.value END) AS is_hadr,
    MAX(CASE p.name WHEN 'IsXTPSupported' THEN p.value END) AS xtp,
    @rk_db AS database_name, @rk_spid AS session_id, 'Linux' AS host_platform,
    MAX(CASE p.name WHEN 'RamkneeScale' THEN p.value END) AS scale
FROM sys.rk_property AS p
