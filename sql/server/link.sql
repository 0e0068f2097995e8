/* ramknee:server/link */
/* result: encrypted? text, auth? text, listener? text */
/* How this session reaches the server: encrypted or not, and whether the address is that of an availability group's listener, which leads
   to another instance after a failover.  Its own address and scheme everybody may ask for; sys.dm_exec_connections, which alone tells of
   the encryption, takes VIEW SERVER STATE, from 2022 on perhaps VIEW SERVER SECURITY STATE: NULL without.  parent_connection_id is set for
   further connections of one session only.  Who may not see the definition of a group is not shown its listener; some services have
   none of these views. */
SET NOCOUNT ON;
DECLARE
    @address nvarchar(48) = CONVERT(nvarchar(48), CONNECTIONPROPERTY('local_net_address')),
    @encrypted nvarchar(40), @listener nvarchar(63);
BEGIN TRY
    EXEC sys.sp_executesql
        N'SELECT @e = encrypt_option FROM sys.dm_exec_connections WHERE session_id = @@SPID AND parent_connection_id IS NULL;',
        N'@e nvarchar(40) OUTPUT', @e = @encrypted OUTPUT;
END TRY
BEGIN CATCH
    SET @encrypted = NULL;
END CATCH;
IF OBJECT_ID(N'sys.availability_group_listener_ip_addresses') IS NOT NULL
    EXEC sys.sp_executesql
        N'SELECT @l = MAX(l.dns_name) FROM sys.availability_group_listeners AS l
        INNER JOIN sys.availability_group_listener_ip_addresses AS a ON a.listener_id = l.listener_id WHERE a.ip_address = @a;',
        N'@a nvarchar(48), @l nvarchar(63) OUTPUT', @a = @address, @l = @listener OUTPUT;
SELECT @encrypted AS encrypted, CONVERT(nvarchar(40), CONNECTIONPROPERTY('auth_scheme')) AS auth, @listener AS listener;
