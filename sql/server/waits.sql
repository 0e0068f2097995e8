/* ramknee:server/waits */
/* result: wait_type text, tasks int, wait_ms int, signal_ms int */
/* Cumulative since the server started; the caller takes differences over a step. */
SELECT w.wait_type, w.waiting_tasks_count AS tasks, w.wait_time_ms AS wait_ms, w.signal_wait_time_ms AS signal_ms
FROM sys.dm_os_wait_stats AS w
WHERE
    w.wait_type LIKE N'PAGEIOLATCH%' OR w.wait_type LIKE N'PAGELATCH%' OR w.wait_type LIKE N'LCK_M%'
    OR w.wait_type IN (
        N'WRITELOG', N'RESOURCE_SEMAPHORE', N'THREADPOOL', N'SOS_SCHEDULER_YIELD', N'CMEMTHREAD', N'HADR_SYNC_COMMIT',
        N'IO_QUEUE_LIMIT', N'LOGBUFFER', N'MEMORY_ALLOCATION_EXT', N'ASYNC_NETWORK_IO'
    );
