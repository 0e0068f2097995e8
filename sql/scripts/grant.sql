/* ramknee:scripts/grant */
/* For a DBA, to read, to edit and to run as a sysadmin; ramknee never sends it.  It gives a login no more than ramknee needs.
   Every statement that ramknee sends can be printed: 'ramknee sql' lists them.

   VIEW SERVER STATE, from 2022 on only its part VIEW SERVER PERFORMANCE STATE: to read counters, waits, reads and stalls of files,
   memory, CPU, volumes, other people's sessions and requests.  Without it nothing can be measured.
   VIEW DEFINITION on availability groups: so that the listener of one is recognised, and not stepped by mistake.
   CREATE ANY DATABASE, for 'ramknee load' alone: the login owns what it makes, and can be refused the right again afterwards.
   ALTER SETTINGS, for 'ramknee sweep' and 'ramknee restore' alone: to change 'max server memory' and, where it stands in the way, 'min
   server memory'.  SQL Server has no smaller right for that.  THE SAME RIGHT lets the login change every other option of sp_configure:
   switch xp_cmdshell, Ole Automation Procedures, CLR, cross-database ownership chaining or contained logins on for those who can use
   them, the default trace off, the number of connections or of processors down; and ALTER SERVER CONFIGURATION SET PROCESS AFFINITY.
   Give it for the time of the sweep and take it back (below), or set @step = 0 and run 'ramknee sql signed' instead: a procedure that
   changes these two options alone, within a range that you set.
   SQLAgentUserRole in msdb, for 'ramknee sweep --dead-man' alone (@dead_man = 1): to make and to delete a job of SQL Server Agent of its own.
   A T-SQL step runs with the rights of the job's owner, so the job can change the options when this login can: no role of msdb, and not
   SQLAgentOperatorRole either, lets it run RECONFIGURE.  The role also lets the login make other jobs, which then run with its rights, and
   keep them running when it is not logged in.  'ramknee sql dead-man' prints the job.
   Nothing else: no role of the server, no right in other databases.  Whom the login may not see is not shown to it. */
USE master;
DECLARE
    @login sysname = N'ramknee', /* a login that exists already */
    @load bit = 1, /* 1: may make a database of its own */
    @step bit = 1, /* 1: may change the options of the server; 0: see above */
    @dead_man bit = 0, /* 1: may make a job of SQL Server Agent */
    @version int = CONVERT(int, PARSENAME(CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')), 4)),
    @to nvarchar(300), @sql nvarchar(max);
IF SUSER_ID(@login) IS NULL THROW 50020, N'ramknee: there is no such login; name it in the line that sets @login', 1;
SET @to = N' TO ' + QUOTENAME(@login) + N';' + NCHAR(10);
SET @sql = CASE WHEN @version >= 16 THEN N'GRANT VIEW SERVER PERFORMANCE STATE' ELSE N'GRANT VIEW SERVER STATE' END + @to;
SELECT @sql = @sql + N'GRANT VIEW DEFINITION ON AVAILABILITY GROUP::' + QUOTENAME(g.name) + @to FROM sys.availability_groups AS g;
IF @load = 1 SET @sql = @sql + N'GRANT CREATE ANY DATABASE' + @to;
IF @step = 1 SET @sql = @sql + N'GRANT ALTER SETTINGS' + @to;
PRINT @sql;
EXEC sys.sp_executesql @sql;
IF @dead_man = 1
BEGIN
    SET @sql = N'ALTER ROLE SQLAgentUserRole ADD MEMBER ' + QUOTENAME(@login) + N';';
    IF NOT EXISTS (SELECT 1 FROM msdb.sys.database_principals WHERE sid = SUSER_SID(@login))
        SET @sql = N'CREATE USER ' + QUOTENAME(@login) + N' FOR LOGIN ' + QUOTENAME(@login) + N'; ' + @sql;
    PRINT @sql;
    EXEC msdb.sys.sp_executesql @sql;
END;

/* A database that another login has loaded: its owner, or a sysadmin, lets this one in.  It holds nothing but test data.
USE ramknee_orders;
CREATE USER ramknee FOR LOGIN ramknee;
ALTER ROLE db_owner ADD MEMBER ramknee;
*/

/* Taking it back:
USE master;
REVOKE ALTER SETTINGS TO ramknee;
EXEC msdb.sys.sp_executesql N'ALTER ROLE SQLAgentUserRole DROP MEMBER ramknee; DROP USER ramknee;'; -- the user, if it was made for this
REVOKE VIEW DEFINITION ON AVAILABILITY GROUP::name TO ramknee; -- for each group
REVOKE CREATE ANY DATABASE TO ramknee;
REVOKE VIEW SERVER STATE TO ramknee; -- from 2022 on: REVOKE VIEW SERVER PERFORMANCE STATE TO ramknee;
*/
