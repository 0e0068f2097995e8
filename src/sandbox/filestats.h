/* filestats: reads, writes and stalls of the engine's files, added up by database.
 *
 * The performance schema counts each file (wait/io/file/innodb/innodb_data_file); a database is a folder of them.  Files come and
 * go (DROP TABLE, a rebuilt table): what a file had when it was last seen stays in its database's sums, so that they only grow.
 * The engine's own files (system tablespace, undo, temporary) are what tempdb holds on SQL Server, row versions and work tables,
 * and are shown as tempdb's.  Not thread safe: facts.c has a lock around it. */
#ifndef RK_SANDBOX_FILESTATS_H
#define RK_SANDBOX_FILESTATS_H

#include "sandbox/server.h"

struct filestats;

struct file_counts {
  int64_t reads, read_bytes, read_ps, writes, write_bytes, write_ps; /* picoseconds */
};

struct filestats *filestats_new(void);
void filestats_free(struct filestats *);

int filestats_read(struct filestats *, struct server *, struct engine_conn *, struct cause *);

/* The sums of a database (by its id, 0: of all of them), or of the log: zeroes when this engine does not time its log. */
struct file_counts filestats_of(const struct filestats *, int database_id);
struct file_counts filestats_log(const struct filestats *);

/* Bytes on the disk of a database's files, of the log. */
int64_t filestats_size(const struct server *, const struct database *);
int64_t filestats_log_size(const struct server *);

/* The database that a file of the engine belongs to, by the last two parts of its path ("x/t.ibd"; names are encoded there): 1
 * and its name, or 0 for one of the engine's own.  For tests. */
int filestats_folder(const char *path, const char *data, char *name, size_t size);

#endif
