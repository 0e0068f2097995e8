/* ramknee:load/properties */
/* Every property that the database would inherit from model, the version or the edition is set, so that they do not decide the
   result.  What a version does not know is left out; managed services keep recovery, files and Query Store to
   themselves. */
SET NOCOUNT ON;
DECLARE
    @version int = CONVERT(int, PARSENAME(CONVERT(nvarchar(128), SERVERPROPERTY(N'ProductVersion')), 4)),
    @managed int = CASE WHEN CONVERT(int, SERVERPROPERTY(N'EngineEdition')) IN (5, 8) THEN 1 ELSE 0 END;
IF @managed = 0
    EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET RECOVERY SIMPLE;
        ALTER DATABASE CURRENT SET PAGE_VERIFY CHECKSUM;
        ALTER DATABASE CURRENT SET AUTO_CLOSE OFF;
        ALTER DATABASE CURRENT SET TARGET_RECOVERY_TIME = 60 SECONDS;';
EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET COMPATIBILITY_LEVEL = 110;
    ALTER DATABASE CURRENT SET READ_COMMITTED_SNAPSHOT OFF;
    ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION OFF;
    ALTER DATABASE CURRENT SET PARAMETERIZATION SIMPLE;
    ALTER DATABASE CURRENT SET AUTO_SHRINK OFF;';
IF @version >= 12
    EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET DELAYED_DURABILITY = DISABLED;';
IF @version >= 13 AND @managed = 0
    EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET QUERY_STORE = OFF;';
/* Optimized locking stands on accelerated recovery, and goes first. */
IF @version >= 17 AND @managed = 0
    EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET OPTIMIZED_LOCKING = OFF;';
IF @version >= 15 AND @managed = 0
    EXEC sys.sp_executesql N'ALTER DATABASE CURRENT SET ACCELERATED_DATABASE_RECOVERY = OFF;';
