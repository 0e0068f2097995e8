/* Errors as sentences.  Servers speak the language of their login: numbers are matched, never texts; the server's own text is added,
 * since it names the object. */
#include "config.h"

#include "server/impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct known {
  int number;
  const char *sentence, *remedy;
};

#define GRANTS "have a DBA grant it; 'ramknee check' lists the rights that are missing"
#define NO_STEPPING "this service has no memory setting that can be stepped by SQL"

/* In the order of their numbers. */
static const struct known server_errors[] = {
  {207, "a column is not there in this version of SQL Server", "say which version it is in a report; SQL Server 2012 to 2025 are supported"},
  {208, "a table or view is not there",
   "is it the database that 'ramknee load' made? name it with -d; for a system view the login may lack a right or the version be too old"},
  {229, "the login lacks a right on the object", GRANTS},
  {230, "the login lacks a right on the column", GRANTS},
  {262, "the login lacks a right in the database", GRANTS},
  {297, "the login lacks the right for this action", GRANTS " (VIEW SERVER STATE; from SQL Server 2022 on VIEW SERVER PERFORMANCE STATE)"},
  {300, "the login lacks a right on the server", GRANTS " (VIEW SERVER STATE; from SQL Server 2022 on VIEW SERVER PERFORMANCE STATE)"},
  {371, "the login lacks a right on the server", GRANTS " (VIEW SERVER STATE; from SQL Server 2022 on VIEW SERVER PERFORMANCE STATE)"},
  {574, "RECONFIGURE cannot run inside a transaction", "is 'implicit transactions' set for this login? ('user options' of the server)"},
  {596, "the server has ended the session", "did somebody end it (KILL), or does the server stop? its error log knows"},
  {701, "the server has not enough memory for the statement", "this step is too low for what runs on the server; end the descent above it"},
  {802, "the server has not enough memory in its buffer pool", "this step is too low for what runs on the server; end the descent above it"},
  {845, "the server waited too long for a page of its buffer pool", "look at the storage and the error log of the server"},
  {911, "there is no such database", "name it with -d, or make and fill it with 'ramknee load'"},
  {916, "the login is not a user of the database", "have a DBA make it one, or name another database with -d"},
  {926, "the database is marked suspect", "look into the error log of the server before anything else"},
  {942, "the database is offline", "have a DBA bring it online"},
  {976, "the database is a secondary replica that cannot be read", "name the primary server, not the listener, with -S"},
  {978, "the database is a secondary replica that is read with a read-only intent only", "name the primary server with -S"},
  {1101, "a filegroup of the database is full", "give the database's volume more space, or load a smaller --size"},
  {1105, "a filegroup of the database is full", "give the database's volume more space, or load a smaller --size"},
  {1204, "the server ran out of locks", "this step is too low for what runs on the server, or 'locks' is limited"},
  {1205, "the transaction was chosen as a deadlock's victim", "it may be sent again"},
  {1222, "the wait for a lock ran out", "somebody else holds locks on these tables; look at blocking sessions"},
  {1801, "a database of this name exists already", "take another name with -d"},
  {1802, "the database could not be created", "look at the space and the rights on the server's data folder"},
  {1834, "a file of that name belongs to another database", "take another name with -d"},
  {2714, "an object of this name exists already", "a load was broken off? 'ramknee drop' removes what it left"},
  {2812, "there is no such stored procedure",
   "run 'ramknee load' for this database; where sp_configure itself is missing (Azure SQL Database) memory cannot be stepped"},
  {3906, "the database is read-only", "name another database with -d"},
  {4060, "the database cannot be opened by this login", "name another one with -d, or make and fill it with 'ramknee load'"},
  {5123, "the server could not create a file", "look at the path, its space and the rights of the server's account there"},
  {5149, "the server could not make a file larger", "give its volume more space, or load a smaller --size"},
  {5808, "RECONFIGURE is refused while 'allow updates' is 1", "have a DBA set it: EXEC sp_configure 'allow updates', 0; RECONFIGURE"},
  {5812, "the login may not run RECONFIGURE", "have a DBA grant ALTER SETTINGS to it"},
  {5831, "'min server memory' would be above 'max server memory'", "lower 'min server memory (MB)' first, or choose higher steps"},
  {5869, "the server's options cannot be changed on a managed instance", NO_STEPPING},
  {5870, "the server's options cannot be changed here", NO_STEPPING},
  {5874, "the server's options cannot be changed inside a contained availability group", "connect to the instance itself, not through the group's listener"},
  {6005, "the server is shutting down", "wait until it is up again"},
  {8645, "the statement waited too long for its memory grant", "this step is too low for what runs on the server; end the descent above it"},
  {8651, "the smallest memory grant could not be given", "this step is too low for what runs on the server; end the descent above it"},
  {9002, "the log of the database is full", "is its recovery model FULL without log backups? give the log more space or set SIMPLE"},
  {9001, "the log of the database is not available", "look into the error log of the server"},
  {15123, "the option does not exist, or 'show advanced options' is off", "ramknee switches it on for a moment: did somebody switch it off meanwhile?"},
  {15247, "the login may not change the server's options", "have a DBA grant ALTER SETTINGS to it"},
  {17142, "the server is paused", "have a DBA let it continue"},
  {17189, "the server has no thread left for a log-in", "it is starved of memory or workers: raise 'max server memory'"},
  {17803, "the server has not enough memory for a log-in", "it is starved of memory: raise 'max server memory' on a connection that is still open"},
  {17809, "the server's limit of connections is reached", "use fewer users, or raise 'user connections'"},
  {18401, "the server is still upgrading itself", "wait some minutes"},
  {18452, "the login comes from a domain that the server does not trust", "use an SQL login with -U, or a login of a trusted domain"},
  {18456, "the log-in was refused",
   "check -U, the password, and that the server takes SQL logins (mixed mode); its error log gives the reason as a state"},
  {18470, "the login is disabled", "have a DBA enable it, or use another with -U"},
  {18486, "the login is locked", "have a DBA unlock it; too many wrong passwords do this"},
  {18487, "the password has expired", "change it first"},
  {18488, "the password must be changed", "change it first"},
  {40197, "the service is moving the database", "try again in a minute"},
  {40501, "the service is too busy", "try again later"},
  {40510, "this statement does not exist on Azure SQL Database", NO_STEPPING},
  {40613, "the database is not available at the moment", "try again in a minute"},
  {50001, "a transaction is open, in which RECONFIGURE cannot run", "is 'implicit transactions' set for this login?"},
  {50002, "another instance answers than the one that was read before", "name the instance itself with -S, not a listener; look whether a failover happened"},
  {50003, "a changed option of somebody else waits for RECONFIGURE, which would install it", "have a DBA run RECONFIGURE or take the option back"},
  {50004, "somebody else has changed 'max server memory' or 'min server memory'", "look at sp_configure and settle with them who sets it"},
  {50005, "the value is outside the range that the DBA's procedure allows",
   "stay within the range written in master.dbo.ramknee_set_memory"},
  {50006, "the dead-man's job has taken this sweep for dead and has put the setting back",
   "the server had not heard of the sweep for longer than --dead-man-after: was this machine asleep, or cut off?"},
};

static const struct known library_errors[] = {
  {SYBEFCON, "the log-in failed", "look into the error log of the server"},
  {SYBETIME, "the server said nothing for too long", "is it blocked or overloaded? --query-timeout allows more silence"},
  {SYBEREAD, "the connection broke while reading", "look at the network and at the server's error log"},
  {SYBEWRIT, "the connection broke while writing", "look at the network and at the server's error log"},
  {SYBESEOF, "the server closed the connection", "did it stop, or did somebody kill the session? its error log knows"},
  {SYBEDDNE, "the connection is closed", NULL},
  {SYBEATTNACK, "the server did not acknowledge that it was told to stop", NULL},
  {SYBEMEM, "there is no memory for the client library", NULL},
  {SYBEDBPS, "too many connections for the client library", "use fewer users"},
};

static const struct known *find(const struct known *table, size_t n, int number) {
  for (size_t i = 0; i < n; i++)
    if (table[i].number == number)
      return &table[i];
  return NULL;
}

#define FIND(table, number) find(table, sizeof(table) / sizeof *(table), number)

const char *server_message_remedy(int number) {
  const struct known *k = FIND(server_errors, number);
  return k ? k->remedy : NULL;
}

const char *server_message_sentence(int number) {
  const struct known *k = FIND(server_errors, number);
  return k ? k->sentence : NULL;
}

int server_message_starved(int number) {
  static const int starved[] = {701, 802, 8645, 8651, 17803};
  for (size_t i = 0; i < sizeof starved / sizeof *starved; i++)
    if (starved[i] == number)
      return 1;
  return 0;
}

/* The server's text without its full stop and line ends, nor the piece of a character that it may have been cut in. */
static void clean(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from);
  size_t last = strlen(to);
  while (last > 0 && ((unsigned char)to[last - 1] & 0xC0) == 0x80)
    last--;
  if (last > 0 && (unsigned char)to[last - 1] >= 0xC0) {
    unsigned char lead = (unsigned char)to[last - 1];
    size_t want = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (strlen(to + last) < want)
      to[last - 1] = '\0';
  }
  for (char *s = to; *s; s++)
    if (*s == '\r' || *s == '\n')
      *s = ' ';
  size_t n = strlen(to);
  while (n > 0 && (to[n - 1] == ' ' || to[n - 1] == '.'))
    to[--n] = '\0';
}

static void server_sentence(struct cause *c, const struct heard *h, const char *doing) {
  char text[sizeof h->text];
  clean(text, sizeof text, h->text);
  const struct known *k = FIND(server_errors, h->number);
  if (k)
    cause_set(c, STATUS_SETUP, "%s: %s (message %d: %s)", doing, k->sentence, h->number, text);
  else
    cause_set(c, STATUS_SETUP, "%s: message %d: %s", doing, h->number, text);
  if (k)
    cause_remedy(c, "%s", k->remedy);
  c->number = h->number;
}

void cause_of_heard(struct cause *c, const struct heard *h, int silence_s, const char *doing) {
  if (!c)
    return;
  if (h->number) {
    server_sentence(c, h, doing);
    return;
  }
  int number = h->silences ? SYBETIME : h->lib;
  if (h->stopped == INTERRUPTED)
    cause_set(c, STATUS_SETUP, "%s: it was told to stop", doing);
  else if (h->stopped == TOO_LONG)
    cause_set(c, STATUS_SETUP, "%s: it took longer than %d s", doing, silence_s * ELAPSED_FACTOR);
  else if (h->silences)
    cause_set(c, STATUS_SETUP, "%s: the server said nothing for %d s", doing, silence_s);
  else {
    const struct known *k = FIND(library_errors, h->lib);
    if (h->os > 0)
      cause_errno(c, STATUS_SETUP, h->os, "%s: %s", doing, k ? k->sentence : h->lib_text);
    else
      cause_set(c, STATUS_SETUP, "%s: %s", doing, k ? k->sentence : h->lib_text[0] ? h->lib_text : "the connection was lost");
  }
  const struct known *k = FIND(library_errors, number);
  if (k && k->remedy && h->stopped == RUNNING)
    cause_remedy(c, "%s", k->remedy);
  c->number = number;
}

/* The log-in failed without a word of the server: ask it what it offers. */
static void silent_failure(struct cause *c, const struct heard *h, const struct target *t) {
  int port = t->port ? t->port : 1433, time_out = h->lib == SYBETIME && t->login_timeout_s > PROBE_AGAIN_S ? PROBE_AGAIN_S : t->login_timeout_s;
  enum probe p = t->instance && !t->port ? PROBE_UNREACHABLE : probe_encryption(t->host, port, time_out);
  switch (p) {
  case PROBE_CLEAR_ONLY:
    if (t->encrypt != ENCRYPT_REQUIRE)
      break;
    cause_set(c, STATUS_SETUP, "%s offers no encryption, and ramknee requires it", t->name);
    cause_remedy(c, "switch it on at the server; or, on a network that you trust, say --encrypt=off");
    return;
  case PROBE_ENCRYPTS:
    if (t->encrypt == ENCRYPT_OFF)
      break;
    if (h->lib == SYBETIME) {
      cause_set(c, STATUS_SETUP, "the encrypted log-in to %s did not end within %d s", t->name, t->login_timeout_s);
      cause_remedy(c, "FreeTDS is known to hang when a server insists on TLS 1.3: let it offer TLS 1.2; or allow more with --login-timeout");
    } else if (t->ca_file) {
      cause_set(c, STATUS_SETUP, "the certificate of %s does not hold against %s", t->name, t->ca_file);
      cause_remedy(c, "the file must hold its issuer, and the certificate the name '%s'; without --ca-file the link is encrypted, not verified",
                   t->host);
    } else {
      cause_set(c, STATUS_SETUP, "no encrypted connection to %s came about", t->name);
      cause_remedy(c, "the server's TLS settings and FreeTDS's do not agree; see the server's error log (--encrypt=off where that is allowed)");
    }
    return;
  case PROBE_CLOSED:
    cause_set(c, STATUS_SETUP, "%s closes the connection before the log-in", t->name);
    cause_remedy(c, "does a SQL Server listen there? one that demands strict encryption (TDS 8.0) needs FreeTDS 1.5, this is an older one");
    return;
  case PROBE_NONSENSE:
    cause_set(c, STATUS_SETUP, "what listens at %s (port %d) is no SQL Server", t->name, port);
    cause_remedy(c, "check the port");
    return;
  case PROBE_SILENT:
    cause_set(c, STATUS_SETUP, "%s took the connection, but did not answer within %d s", t->name, t->login_timeout_s);
    cause_remedy(c, "is it a SQL Server, and is it healthy? --login-timeout allows more");
    return;
  case PROBE_UNREACHABLE: break;
  }
  if (h->lib == SYBETIME) {
    cause_set(c, STATUS_SETUP, "the log-in to %s did not end within %d s", t->name, t->login_timeout_s);
    cause_remedy(c, "is the server overloaded, or a firewall in the way? --login-timeout allows more");
  } else if (!t->user) {
    cause_set(c, STATUS_SETUP, "cannot log in to %s with Kerberos", t->name);
    cause_remedy(c, "get a ticket with kinit, or name an SQL login with -U");
  } else
    cause_set(c, STATUS_SETUP, "cannot log in to %s: %s", t->name, h->lib_text[0] ? h->lib_text : "the connection failed");
}

static void unreachable(struct cause *c, const struct heard *h, const struct target *t) {
  if (t->instance && !t->port) {
    cause_set(c, STATUS_SETUP, "the instance %s of %s was not found", t->instance, t->host);
    cause_remedy(c, "is its name right, and the SQL Server Browser running (UDP port 1434)? HOST,PORT works without it");
  } else if (h->os == ECONNREFUSED) {
    cause_set(c, STATUS_SETUP, "nothing listens at %s, port %d (connection refused)", t->host, t->port ? t->port : 1433);
    cause_remedy(c, "check name and port, that SQL Server runs, and that TCP/IP is enabled in its network configuration");
  } else {
    cause_errno(c, STATUS_SETUP, h->os > 0 ? h->os : ENOTCONN, "cannot reach %s, port %d", t->host, t->port ? t->port : 1433);
    cause_remedy(c, "check name, port and firewalls");
  }
}

void cause_of_open(struct cause *c, const struct heard *h, const struct target *t) {
  if (!c)
    return;
  if (h->number) {
    char doing[300];
    snprintf(doing, sizeof doing, "cannot log in to %s%s%s%s", t->name, t->user ? " as '" : "", t->user ? t->user : "", t->user ? "'" : "");
    server_sentence(c, h, doing);
    return;
  }
  switch (h->lib) {
  case SYBEUHST:
    cause_set(c, STATUS_SETUP, "there is no host named '%s'", t->host);
    cause_remedy(c, "check the name after -S");
    break;
  case SYBECONN:
  case SYBESOCK: unreachable(c, h, t); break;
  default: silent_failure(c, h, t); break;
  }
  c->number = h->lib;
}
