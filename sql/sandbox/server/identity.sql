-- twin of server/identity sha256:3be2fbfd968c9de26dff90eec0499ad9225b1f596bdd9c3645b0e89c152f54e3
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
