-- The system views of SQL Server as tables of the sandbox's engine, in memory: facts.c fills them when a statement names them.
CREATE DATABASE IF NOT EXISTS master;
CREATE DATABASE IF NOT EXISTS tempdb;
CREATE DATABASE IF NOT EXISTS model;
CREATE DATABASE IF NOT EXISTS msdb;
DROP DATABASE IF EXISTS sys;
CREATE DATABASE sys;
-- The jobs of the sandbox's Agent outlive it, as a server's do.
CREATE TABLE IF NOT EXISTS msdb.sysjobs (
    name varchar(128) NOT NULL PRIMARY KEY,
    database_name varchar(128) NOT NULL,
    command text NOT NULL
) ENGINE = InnoDB;
SET default_storage_engine = MEMORY;
CREATE TABLE sys.configurations (
    configuration_id int PRIMARY KEY,
    name varchar(35) NOT NULL,
    value int NOT NULL,
    minimum int NOT NULL,
    maximum int NOT NULL,
    value_in_use int NOT NULL,
    description varchar(255) NOT NULL,
    is_dynamic tinyint(1) NOT NULL,
    is_advanced tinyint(1) NOT NULL
);
CREATE TABLE sys.dm_os_performance_counters (
    counter_id int PRIMARY KEY INVISIBLE DEFAULT 0,
    object_name varchar(128),
    counter_name varchar(128),
    instance_name varchar(128),
    cntr_value bigint NOT NULL,
    cntr_type int NOT NULL
);
CREATE TABLE sys.dm_io_virtual_file_stats (
    database_id smallint NOT NULL,
    file_id smallint NOT NULL,
    sample_ms bigint NOT NULL,
    num_of_reads bigint NOT NULL,
    num_of_bytes_read bigint NOT NULL,
    io_stall_read_ms bigint NOT NULL,
    num_of_writes bigint NOT NULL,
    num_of_bytes_written bigint NOT NULL,
    io_stall_write_ms bigint, -- NULL for the log: the engine does not time it
    io_stall bigint NOT NULL,
    size_on_disk_bytes bigint NOT NULL,
    PRIMARY KEY (database_id, file_id)
);
CREATE TABLE sys.dm_os_sys_info (
    one int PRIMARY KEY INVISIBLE DEFAULT 1,
    cpu_count int NOT NULL,
    hyperthread_ratio int NOT NULL,
    physical_memory_kb bigint NOT NULL,
    committed_kb bigint NOT NULL,
    committed_target_kb bigint NOT NULL,
    ms_ticks bigint NOT NULL,
    sqlserver_start_time_ms_ticks bigint NOT NULL,
    sqlserver_start_time datetime(3) NOT NULL,
    process_kernel_time_ms bigint NOT NULL,
    process_user_time_ms bigint NOT NULL,
    scheduler_count int NOT NULL,
    sql_memory_model int NOT NULL,
    sql_memory_model_desc varchar(60) NOT NULL
);
CREATE TABLE sys.dm_os_process_memory (
    one int PRIMARY KEY INVISIBLE DEFAULT 1,
    physical_memory_in_use_kb bigint NOT NULL,
    large_page_allocations_kb bigint NOT NULL,
    locked_page_allocations_kb bigint NOT NULL,
    virtual_address_space_committed_kb bigint NOT NULL,
    process_physical_memory_low tinyint(1) NOT NULL
);
CREATE TABLE sys.dm_os_sys_memory (
    one int PRIMARY KEY INVISIBLE DEFAULT 1,
    total_physical_memory_kb bigint NOT NULL,
    available_physical_memory_kb bigint NOT NULL
);
CREATE TABLE sys.dm_os_schedulers (
    scheduler_id int PRIMARY KEY,
    cpu_id int NOT NULL,
    status varchar(60) NOT NULL,
    is_online tinyint(1) NOT NULL
);
CREATE TABLE sys.dm_os_wait_stats (
    wait_type varchar(60) PRIMARY KEY,
    waiting_tasks_count bigint NOT NULL,
    wait_time_ms bigint NOT NULL,
    max_wait_time_ms bigint,
    signal_wait_time_ms bigint NOT NULL
);
CREATE TABLE sys.databases (
    name varchar(128) NOT NULL,
    database_id int PRIMARY KEY,
    compatibility_level int NOT NULL,
    is_read_only tinyint(1) NOT NULL,
    state_desc varchar(60) NOT NULL,
    recovery_model_desc varchar(60) NOT NULL,
    is_read_committed_snapshot_on tinyint(1) NOT NULL,
    page_verify_option_desc varchar(60) NOT NULL
);
CREATE TABLE sys.master_files (
    database_id int NOT NULL,
    file_id int NOT NULL,
    type int NOT NULL,
    type_desc varchar(60) NOT NULL,
    name varchar(140) NOT NULL,
    physical_name varchar(500) NOT NULL,
    state_desc varchar(60) NOT NULL,
    size bigint NOT NULL, -- in pages of 8 KiB; 1,024 times a terabyte does not fit an int
    PRIMARY KEY (database_id, file_id)
);
CREATE TABLE sys.dm_exec_sessions (
    session_id int PRIMARY KEY,
    login_time datetime(3) NOT NULL,
    host_name varchar(128),
    program_name varchar(128),
    login_name varchar(128) NOT NULL,
    status varchar(30) NOT NULL,
    is_user_process tinyint(1) NOT NULL,
    database_id int NOT NULL,
    open_transaction_count int NOT NULL
);
CREATE TABLE sys.dm_exec_requests (
    session_id int PRIMARY KEY,
    status varchar(30) NOT NULL,
    command varchar(32) NOT NULL,
    database_id int NOT NULL,
    total_elapsed_time int NOT NULL
);
-- The front door sets @rk_db_id for each statement.
CREATE FUNCTION sys.rk_db_id() RETURNS int NO SQL RETURN @rk_db_id;
CREATE VIEW sys.database_files AS
SELECT file_id, type, type_desc, name, physical_name, state_desc, size FROM sys.master_files WHERE database_id = sys.rk_db_id();
-- SERVERPROPERTY, for the twins.
CREATE TABLE sys.rk_property (
    name varchar(60) PRIMARY KEY,
    value varchar(200)
);
-- The volume under the data folder; on SQL Server a function of a database and a file.
CREATE TABLE sys.dm_os_volume_stats (
    volume_mount_point varchar(256) PRIMARY KEY,
    file_system_type varchar(60) NOT NULL,
    total_bytes bigint NOT NULL,
    available_bytes bigint NOT NULL
);
-- What the twins make tables of a measured database like.
CREATE TABLE sys.ramknee_dead_man (
    id int NOT NULL PRIMARY KEY,
    job varchar(128) NOT NULL,
    run varchar(200) NOT NULL,
    server_name varchar(128) NOT NULL,
    state varchar(12) NOT NULL,
    after_s int NOT NULL,
    max_mb int NOT NULL,
    min_mb int NOT NULL,
    advanced int NOT NULL,
    last_max_mb int NOT NULL,
    last_min_mb int NOT NULL,
    next_max_mb int NOT NULL,
    next_min_mb int NOT NULL,
    found_max_mb int,
    armed_at datetime(3) NOT NULL,
    beat_at datetime(3) NOT NULL,
    ran_at datetime(3),
    ended_at datetime(3)
) ENGINE = InnoDB;
CREATE TABLE sys.ramknee_journal (
    id int NOT NULL PRIMARY KEY,
    body varchar(3000) NOT NULL,
    written_at datetime(3) NOT NULL
) ENGINE = InnoDB;
CREATE TABLE sys.ramknee_load (
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
) ENGINE = InnoDB;
