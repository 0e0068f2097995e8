/* ramknee:server/link */
/* result: encrypted text, auth? text, listener? text */
/* How this session reaches the server: encrypted or not, and whether the address is that of an availability group's listener, which leads
   to another instance after a failover.  Who may not see the definition of a group is not shown its listener; some services have none of
   these views.  parent_connection_id is set for further connections of one session only. */
SET NOCOUNT ON;
DECLARE @address nvarchar(48), @listener nvarchar(63);
SELECT @address = c.local_net_address
FROM sys.dm_exec_connections AS c
WHERE c.session_id = @@SPID AND c.parent_connection_id IS NULL;
IF OBJECT_ID(N'sys.availability_group_listener_ip_addresses') IS NOT NULL
    EXEC sys.sp_executesql
        N'SELECT @l = MAX(l.dns_name) FROM sys.availability_group_listeners AS l
        INNER JOIN sys.availability_group_listener_ip_addresses AS a ON a.listener_id = l.listener_id WHERE a.ip_address = @a;',
        N'@a nvarchar(48), @l nvarchar(63) OUTPUT', @a = @address, @l = @listener OUTPUT;
SELECT c.encrypt_option AS encrypted, c.auth_scheme AS auth, @listener AS listener
FROM sys.dm_exec_connections AS c
WHERE c.session_id = @@SPID AND c.parent_connection_id IS NULL;
