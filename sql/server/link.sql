/* ramknee:server/link */
/* result: encrypted text, auth? text, listener? text */
/* How this session reaches the server: encrypted or not, and whether the address is that of an availability group's listener, which leads
   to another instance after a failover.  parent_connection_id is set for further connections of one session only. */
SELECT
    c.encrypt_option AS encrypted, c.auth_scheme AS auth,
    (
        SELECT MAX(l.dns_name) FROM sys.availability_group_listeners AS l
        INNER JOIN sys.availability_group_listener_ip_addresses AS a ON a.listener_id = l.listener_id
        WHERE a.ip_address = c.local_net_address
    ) AS listener
FROM sys.dm_exec_connections AS c
WHERE c.session_id = @@SPID AND c.parent_connection_id IS NULL;
