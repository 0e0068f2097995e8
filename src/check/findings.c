/* Judging the facts: one small function a finding, pure, in the order of the table at the end. */
#include "config.h"

#include "base/units.h"
#include "check/check.h"
#include "check/edition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT_MIB 2147483647

typedef void judge_fn(const struct check_facts *, const struct check_plan *, struct finding *);

static void put(struct finding *o, enum severity severity, const char *remedy, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
static void put(struct finding *o, enum severity severity, const char *remedy, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(o->text, sizeof o->text, fmt, ap);
  va_end(ap);
  snprintf(o->remedy, sizeof o->remedy, "%s", remedy ? remedy : "");
  o->severity = severity;
}

/* A fact that could not be read: it matters for what needs it. */
static int absent(const struct check_part *part, enum severity severity, const char *what, struct finding *o) {
  if (part->have)
    return 0;
  put(o, severity, NULL, "%s cannot be told: %s", what, part->why[0] ? part->why : "it was not asked for");
  return 1;
}

/* What stands in the way of a sweep is only worth a word when nothing is going to be set. */
static enum severity for_sweep(const struct check_plan *p) {
  return p->purpose == CHECK_SWEEP ? CHECK_REFUSAL : CHECK_WARNING;
}

/* The same for what concerns the setting by SQL alone, which a command of the user's own gets round. */
static enum severity for_setting(const struct check_plan *p) {
  return p->set_by_command ? CHECK_WARNING : for_sweep(p);
}

static long major_version(const struct check_facts *f) {
  return strtol(f->version, NULL, 10);
}

static char *mib_text(int64_t mib, char *buf, size_t size) {
  return size_text(mib * MIB, buf, size);
}

static int64_t step_max(const struct check_plan *p) {
  int64_t m = 0;
  for (size_t i = 0; i < p->nstep; i++)
    m = p->step_mib[i] > m ? p->step_mib[i] : m;
  return m;
}

static int64_t step_min(const struct check_plan *p) {
  int64_t m = p->nstep ? p->step_mib[0] : 0;
  for (size_t i = 1; i < p->nstep; i++)
    m = p->step_mib[i] < m ? p->step_mib[i] : m;
  return m;
}

/* ---- who answers ---- */

static void judge_server(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->identity, CHECK_REFUSAL, "which server answers", o))
    return;
  if (f->scale != CHECK_UNKNOWN)
    put(o, CHECK_OK, NULL, "%s is a rehearsal server (InnoDB, 1:%lld), not SQL Server", f->server_name, (long long)f->scale);
  else
    put(o, CHECK_OK, NULL, "%s answers as %s: SQL Server %s, %s, on %s", p->target->name, f->server_name, f->version, f->edition, f->platform);
}

static void judge_version(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (!f->identity.have)
    return;
  long v = major_version(f);
  if (v < 11)
    put(o, CHECK_REFUSAL, "SQL Server 2012 to 2025 are supported", "version %s is too old", f->version);
  else if (v > 17)
    put(o, CHECK_WARNING, "look whether there is a newer ramknee", "version %s is newer than what this program knows", f->version);
  else
    put(o, CHECK_OK, NULL, "version %s is supported", f->version);
}

static void judge_service(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  static const struct { int64_t id; const char *name; } managed[] = {
    {5, "Azure SQL Database"}, {6, "Azure Synapse"}, {8, "a managed instance"}, {9, "Azure SQL Edge"}, {11, "a serverless pool"},
  };
  for (size_t i = 0; i < sizeof managed / sizeof *managed; i++)
    if (f->engine_edition == managed[i].id)
      put(o, for_setting(p), p->set_by_command ? "see that the command of --set-with really changes it" : "'ramknee measure' takes one point at the memory as it is",
          "this is %s, whose memory cannot be stepped by SQL", managed[i].name);
}

static void judge_listener(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!f->link.have)
    absent(&f->link, CHECK_WARNING, "whether the address is an availability group's listener", o);
  else if (f->listener[0])
    put(o, for_sweep(p), "name the instance itself with -S: after a failover the listener leads to another one",
        "%s is the listener %s of an availability group", p->target->name, f->listener);
}

static void judge_cluster(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (f->clustered == 1)
    put(o, CHECK_OK, NULL, "it is a failover cluster instance, now on %s; its setting goes with it to another node", f->node);
}

static void judge_link(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  const struct target *t = p->target;
  if (t->is_sandbox)
    put(o, CHECK_OK, NULL, "the sandbox is on this machine and needs no encryption");
  else if (!f->link.have && t->encrypt != ENCRYPT_REQUIRE)
    absent(&f->link, CHECK_WARNING, "whether the connection is encrypted", o);
  else if (!f->encrypted[0] && t->encrypt != ENCRYPT_REQUIRE)
    put(o, CHECK_WARNING, "say --encrypt=require (the default)", "whether the connection is encrypted cannot be seen with this login's rights");
  else if (f->encrypted[0] && strcmp(f->encrypted, "TRUE") != 0)
    put(o, CHECK_WARNING, "say --encrypt=require (the default)", "the connection is not encrypted: the password and all data go in the clear");
  else if (!t->ca_file)
    put(o, CHECK_WARNING, "give the issuer of its certificate with --ca-file", "the connection is encrypted, but the server's certificate was not verified");
  else
    put(o, CHECK_OK, NULL, "the connection is encrypted and the certificate holds against %s", t->ca_file);
}

/* ---- rights ---- */

static void judge_may_set(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (p->set_by_command)
    put(o, CHECK_OK, NULL, "the command of --set-with changes 'max server memory'; the login need not have the right to");
  if (p->set_by_command || absent(&f->rights, CHECK_WARNING, "what the login may do", o))
    return;
  if (f->may_set == 1)
    put(o, CHECK_OK, NULL, "the login may change 'max server memory' (ALTER SETTINGS)");
  else if (f->set_by_procedure == 1)
    put(o, CHECK_OK, NULL, "the login may change 'max server memory' within a DBA's range (master.dbo.ramknee_set_memory)");
  else
    put(o, for_sweep(p),
        "have a DBA look at 'ramknee sql grant' (ALTER SETTINGS) and the narrower 'ramknee sql signed'; 'ramknee measure' takes one point at the memory "
        "as it is",
        "the login may not change 'max server memory'");
}

static void judge_may_view(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!f->rights.have)
    return;
  if (f->may_view == 1 || f->may_view_performance == 1)
    put(o, CHECK_OK, NULL, "the login may read the server's counters");
  else
    put(o, for_sweep(p), major_version(f) >= 16 ? "have a DBA grant VIEW SERVER PERFORMANCE STATE to it" : "have a DBA grant VIEW SERVER STATE to it",
        "the login may not read the server's counters and memory state");
}

static void judge_may_create(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (p->purpose != CHECK_LOAD || !f->rights.have)
    return;
  if (f->may_create == 1 || f->database_exists)
    put(o, CHECK_OK, NULL, f->database_exists ? "the database exists already" : "the login may create the database");
  else
    put(o, CHECK_REFUSAL, "have a DBA grant CREATE ANY DATABASE to it", "the login may not create a database");
}

/* ---- the setting ---- */

static void judge_setting(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->settings, for_sweep(p), "the present setting", o))
    return;
  char max[32], min[32];
  const char *max_words = f->max_in_use_mib >= NO_LIMIT_MIB ? "without a limit" : mib_text(f->max_in_use_mib, max, sizeof max);
  put(o, CHECK_OK, NULL, "'max server memory' is %s, 'min server memory' %s, 'show advanced options' %s; a sweep changes them and puts them back",
      max_words, f->min_mib > 0 ? mib_text(f->min_mib, min, sizeof min) : "0", f->advanced ? "on" : "off");
}

static void judge_min_memory(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  int64_t least = step_min(p);
  char a[32], b[32];
  if (f->settings.have && least > 0 && f->min_mib > least && p->set_by_command)
    put(o, for_sweep(p), "have it lowered before the sweep: the command of --set-with changes 'max server memory' alone",
        "'min server memory' (%s) is above the smallest step (%s)", mib_text(f->min_mib, a, sizeof a), mib_text(least, b, sizeof b));
  else if (f->settings.have && least > 0 && f->min_mib > least)
    put(o, CHECK_WARNING, NULL, "'min server memory' (%s) is above the smallest step (%s): it is lowered with the steps and put back",
        mib_text(f->min_mib, a, sizeof a), mib_text(least, b, sizeof b));
}

static void judge_pending(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->pending, for_setting(p), "whether other options wait for RECONFIGURE", o))
    return;
  if (f->pending_n > 0)
    put(o, for_setting(p), "have a DBA run RECONFIGURE, or take them back", "changed options wait for RECONFIGURE, and a sweep would install them: %s",
        f->pending_names);
  else
    put(o, CHECK_OK, NULL, "no changed option waits for RECONFIGURE");
}

/* ---- memory ---- */

static void judge_memory(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->memory, for_sweep(p), "the memory of the machine", o))
    return;
  int64_t most = step_max(p), physical = f->physical_kib / 1024;
  char a[32], b[32];
  mib_text(physical, a, sizeof a);
  mib_text(most, b, sizeof b);
  if (most <= physical)
    put(o, CHECK_OK, NULL, "the machine has %s%s%s", a, most ? ", the largest step is " : "", most ? b : "");
  else if (p->steps_named)
    put(o, CHECK_REFUSAL, "name smaller steps", "the step of %s is more than the %s that the machine has", b, a);
  else
    put(o, CHECK_WARNING, NULL, "the machine has %s: the default steps above are left out", a);
}

static void judge_edition(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!f->identity.have)
    return;
  int64_t limit = edition_limit_mib(f->edition, f->version), most = step_max(p);
  char a[32], b[32];
  if (limit == 0) {
    put(o, CHECK_OK, NULL, "%s has no limit of its own for the buffer pool", f->edition);
    return;
  }
  mib_text(limit, a, sizeof a);
  if (most <= limit)
    put(o, CHECK_OK, NULL, "%s uses up to %s for its buffer pool", f->edition, a);
  else
    put(o, p->steps_named ? CHECK_REFUSAL : CHECK_WARNING, p->steps_named ? "name smaller steps" : NULL,
        "%s uses up to %s for its buffer pool: a step of %s cannot differ%s", f->edition, a, mib_text(most, b, sizeof b),
        p->steps_named ? "" : " and is left out");
}

/* Of the default steps those that cannot be reached are left out; two at least must be left. */
static void judge_steps(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  int64_t limit = f->identity.have ? edition_limit_mib(f->edition, f->version) : 0;
  size_t left = 0;
  char a[32];
  if (p->steps_named || p->nstep == 0 || !f->memory.have)
    return;
  if (limit == 0 || limit > f->physical_kib / 1024)
    limit = f->physical_kib / 1024;
  for (size_t i = 0; i < p->nstep; i++)
    left += p->step_mib[i] <= limit;
  if (left < 2)
    put(o, for_sweep(p), "name at least two smaller ones with --steps", "fewer than two of the default steps are within the %s that this server can use",
        mib_text(limit, a, sizeof a));
}

static void judge_memory_low(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (f->memory_low == 1)
    put(o, CHECK_WARNING, "find out who else uses the machine's memory", "the server says that physical memory is low");
}

static void judge_linux(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  long v = major_version(f);
  const char *dot = strchr(f->version, '.'), *build = dot ? strchr(dot + 1, '.') : NULL;
  long b = build ? strtol(build + 1, NULL, 10) : 0;
  if (strcmp(f->platform, "Linux") != 0 || f->scale != CHECK_UNKNOWN || v > 16 || (v == 16 && b >= 4205))
    return;
  put(o, CHECK_WARNING, "in a container whose limit is below the largest step the server would be killed: compare them, and memory.memorylimitmb",
      "this version on Linux does not see the limits of control groups (version 2)%s", p->purpose == CHECK_SWEEP ? "" : "; a sweep must not step above them");
}

static void judge_model(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->model, CHECK_WARNING, "whether the server uses large pages", o))
    return;
  if (f->memory_model == 3 || f->large_pages_kib > 0)
    put(o, for_sweep(p), "restart it without trace flag 834", "the server uses large pages: it does not give memory back when the setting is lowered");
  else if (f->memory_model == 2 || f->locked_pages_kib > 0)
    put(o, CHECK_OK, NULL, "the server locks its pages in memory; they follow the setting");
  else
    put(o, CHECK_OK, NULL, "the server uses conventional memory");
}

static void judge_extension(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (absent(&f->tiers, CHECK_WARNING, "whether a second tier of cache is on", o))
    return;
  if (f->bpe_state != CHECK_UNKNOWN && f->bpe_state != 0)
    put(o, for_sweep(p), "ALTER SERVER CONFIGURATION SET BUFFER POOL EXTENSION OFF for the time of the sweep",
        "the buffer pool extension is on: pages that leave memory are read back from its file, not from the database's storage");
}

static void judge_hybrid(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (f->hybrid == 1)
    put(o, for_sweep(p), "ALTER SERVER CONFIGURATION SET MEMORY_OPTIMIZED HYBRID_BUFFER_POOL = OFF and a restart",
        "the hybrid buffer pool is on: pages on persistent memory are read in place, outside the setting");
}

static void judge_unpageable(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  int64_t least = step_min(p), xtp = f->xtp_kib == CHECK_UNKNOWN ? 0 : f->xtp_kib, stolen = f->stolen_kib == CHECK_UNKNOWN ? 0 : f->stolen_kib;
  char a[32], b[32], d[32];
  if ((xtp == 0 && f->stolen_kib == CHECK_UNKNOWN) || f->scale != CHECK_UNKNOWN)
    return; /* what the sandbox's engine needs besides its cache shrinks with its pool */
  int64_t need = 2 * (xtp + stolen) / 1024;
  size_text(xtp * KIB, a, sizeof a);
  size_text(stolen * KIB, b, sizeof b);
  if (least > 0 && least < need)
    put(o, for_sweep(p), "end the descent at twice their sum, or free the plan cache first",
        "In-Memory OLTP holds %s and other memory that is not cache %s: a step of %s would starve the server", a, b, mib_text(least, d, sizeof d));
  else
    put(o, CHECK_OK, NULL, "In-Memory OLTP holds %s, other memory that is not cache %s", a, b);
}

static void judge_governor(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (!f->governor.have)
    return;
  int capped = (f->pool_max_cpu > 0 && f->pool_max_cpu < 100) || (f->pool_cap_cpu > 0 && f->pool_cap_cpu < 100) || f->pool_max_iops > 0;
  if (capped)
    put(o, CHECK_WARNING, "run with a login whose pool has no limits", "the Resource Governor's pool '%s' limits these sessions (CPU or I/O)", f->pool);
  else
    put(o, CHECK_OK, NULL, "these sessions run in the pool '%s', without limits of CPU or I/O", f->pool);
}

static void judge_counters(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (absent(&f->counters, CHECK_WARNING, "whether the counters are there", o))
    return;
  if (f->counter_rows == 0)
    put(o, CHECK_WARNING, "if its log has error 3409, reload them (lodctr); some managed services give them no names",
        "the server has no performance counters, or does not name them: what they say will be absent");
  else
    put(o, CHECK_OK, NULL, "%lld performance counters are there", (long long)f->counter_rows);
}

/* ---- the database ---- */

static void judge_database(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!p->database)
    return;
  int needed = p->purpose == CHECK_SWEEP || p->purpose == CHECK_MEASURE;
  if (absent(&f->database, needed ? CHECK_REFUSAL : CHECK_WARNING, "whether the database is there", o))
    return;
  if (!f->database_exists)
    put(o, needed ? CHECK_REFUSAL : p->purpose == CHECK_LOAD ? CHECK_OK : CHECK_WARNING, p->purpose == CHECK_LOAD ? NULL : "make and fill it with 'ramknee load'",
        "there is no database '%s' (or this login may not see it)", p->database);
  else if (strcmp(f->database_state, "ONLINE") != 0 || f->database_read_only == 1)
    put(o, CHECK_REFUSAL, "have a DBA look at it", "the database '%s' cannot be written (%s%s)", p->database, f->database_state,
        f->database_read_only == 1 ? ", read-only" : "");
  else
    put(o, CHECK_OK, NULL, "the database '%s' is there (recovery model %s, compatibility level %lld, row versioning %s)", p->database,
        f->database_recovery, (long long)f->database_level, f->database_rcsi ? "on" : "off");
}

static void judge_recovery(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (f->database_exists && strcmp(f->database_recovery, "SIMPLE") != 0)
    put(o, CHECK_WARNING, "set it to SIMPLE, or see that log backups run", "the recovery model of '%s' is %s: without log backups its log fills up (9002)",
        p->database, f->database_recovery);
}

static void judge_replica(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (f->database_exists && f->replica[0])
    put(o, CHECK_WARNING, "take it out of the group for the sweep", "the database '%s' belongs to an availability group: each commit may wait for the others",
        p->database);
}

static void judge_load(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!f->database_exists || p->purpose == CHECK_LOAD)
    return;
  enum severity s = p->purpose == CHECK_SWEEP ? CHECK_REFUSAL : CHECK_WARNING;
  if (absent(&f->load, s, "what was loaded", o))
    return;
  if (!f->load_exists)
    put(o, s, "fill a database of its own with 'ramknee load'", "'ramknee load' did not fill the database '%s'", p->database);
  else if (f->load_complete != 1)
    put(o, s, "run 'ramknee load' again", "the load of '%s' was broken off", p->database);
  else
    put(o, CHECK_OK, NULL, "the mix '%s' is loaded, scale %lld", f->load_mix, (long long)f->load_scale);
}

static void judge_size(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  int64_t least = step_min(p), most = step_max(p), data = f->used_bytes != CHECK_UNKNOWN ? f->used_bytes : f->data_bytes;
  char a[32], b[32];
  if (!f->size.have || data == CHECK_UNKNOWN)
    return;
  size_text(data, a, sizeof a);
  if (least > 0 && data < least * MIB)
    put(o, CHECK_WARNING, "load a larger one (--size of at least 1.2 times the largest step)", "the data (%s) fit into the smallest step (%s): no step will read from storage", a,
        mib_text(least, b, sizeof b));
  else if (most > 0 && data < most * MIB / 2)
    put(o, CHECK_WARNING, "load a larger one (--size of at least 1.2 times the largest step)", "the data (%s) are less than half of the largest step (%s): the knee may lie below what is of interest",
        a, mib_text(most, b, sizeof b));
  else
    put(o, CHECK_OK, NULL, "the database holds %s of data", a);
}

static void judge_volumes(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (!f->volumes.have || f->free_bytes == CHECK_UNKNOWN)
    return;
  char a[32], b[32];
  size_text(f->free_bytes, a, sizeof a);
  const char *fs = f->file_system[0] ? f->file_system : "not named";
  if (p->purpose == CHECK_LOAD && p->load_bytes > 0 && f->free_bytes + f->data_bytes < p->load_bytes + p->load_bytes / 8)
    put(o, CHECK_REFUSAL, "make room, or load a smaller --size", "the data's volume has %s free, the load needs %s and room for its log", a,
        size_text(p->load_bytes, b, sizeof b));
  else
    put(o, CHECK_OK, NULL, "the data's volume has %s free (file system %s)", a, fs);
}

/* ---- other people, other sweeps ---- */

static void judge_sessions(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (absent(&f->sessions, CHECK_WARNING, "who else is connected", o))
    return;
  if (f->sessions_n > 0)
    put(o, CHECK_WARNING, "tell them: every step flushes the plan cache of the whole instance, and low steps slow everybody down",
        "other sessions are connected: %s", f->sessions_text);
  else
    put(o, CHECK_OK, NULL, "nobody else is connected");
}

static void judge_requests(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  (void)p;
  if (f->requests.have && f->requests_n > 0)
    put(o, CHECK_WARNING, "wait until they are done; keep backup, CHECKDB and index jobs away from the sweep", "other people's requests run now: %s",
        f->requests_text);
}

static void judge_journal(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (f->lock.have && f->lock_free == 0)
    put(o, CHECK_OK, NULL, "whether an unfinished sweep has left a journal is not known while another ramknee is at work");
  else if (f->journal[0])
    put(o, for_sweep(p), "'ramknee restore' with the same -S and -U puts the setting back", "a sweep of this instance did not put its setting back: %s is still there", f->journal);
  else if (f->server_journal)
    put(o, for_sweep(p), "'ramknee restore' with the same -S and -U puts the setting back", "the row in '%s' says that a sweep did not put the setting back", p->database);
  else
    put(o, CHECK_OK, NULL, "no unfinished sweep has left a journal");
}

static void judge_lock(const struct check_facts *f, const struct check_plan *p, struct finding *o) {
  if (f->lock.have && f->lock_free == 0)
    put(o, p->purpose == CHECK_MEASURE ? CHECK_REFUSAL : for_sweep(p), "wait for its end", "another ramknee is at work on this server (it holds the application lock)");
}

void check_judge(const struct check_facts *f, const struct check_plan *p, struct findings *list) {
  static const struct {
    const char *code;
    judge_fn *judge;
  } table[] = {
    {"server", judge_server},
    {"version", judge_version},
    {"service", judge_service},
    {"listener", judge_listener},
    {"cluster", judge_cluster},
    {"link", judge_link},
    {"rights-set", judge_may_set},
    {"rights-view", judge_may_view},
    {"rights-create", judge_may_create},
    {"setting", judge_setting},
    {"min-memory", judge_min_memory},
    {"pending-options", judge_pending},
    {"memory", judge_memory},
    {"edition", judge_edition},
    {"steps", judge_steps},
    {"memory-low", judge_memory_low},
    {"linux-limits", judge_linux},
    {"memory-model", judge_model},
    {"pool-extension", judge_extension},
    {"hybrid-pool", judge_hybrid},
    {"not-cache", judge_unpageable},
    {"governor", judge_governor},
    {"counters", judge_counters},
    {"database", judge_database},
    {"recovery-model", judge_recovery},
    {"availability-group", judge_replica},
    {"load", judge_load},
    {"data-size", judge_size},
    {"volumes", judge_volumes},
    {"sessions", judge_sessions},
    {"requests", judge_requests},
    {"journal", judge_journal},
    {"lock", judge_lock},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct finding o = {0};
    table[i].judge(f, p, &o);
    if (o.text[0])
      findings_add(list, table[i].code, o.severity, o.remedy, "%s", o.text);
  }
}
