#include "config.h"

#include "sandbox/session_private.h"

#include <errmsg.h>
#include <mysqld_error.h>
#include <stdio.h>
#include <string.h>

/* The part of an engine's message that stands in its n-th pair of quotes (from 0), or the whole message. */
static void quoted(const char *text, int n, char *buf, size_t size) {
  const char *p = text;
  for (int i = 0; p && i < 2 * n; i++)
    if ((p = strchr(p, '\'')))
      p++;
  if (p && (p = strchr(p, '\''))) {
    const char *end = strchr(p + 1, '\'');
    if (end) {
      snprintf(buf, size, "%.*s", (int)(end - p - 1), p + 1);
      return;
    }
  }
  snprintf(buf, size, "%s", text);
}

/* "db.table" -> "table". */
static const char *bare(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

int engine_lost(struct session *s, struct reply *r) {
  s->lost = 1;
  s->trancount = 0;
  reply_error(r, 596, 1, 21, "", 1,
              "The sandbox's storage engine has ended. Cannot continue the execution because the session is in the kill state.");
  return -1;
}

/* The engine has rolled the whole transaction back. */
static void transaction_gone(struct session *s, struct reply *r) {
  if (s->trancount > 0)
    reply_transaction(r, REPLY_ROLLED_BACK);
  s->trancount = 0;
}

static int is_loss(unsigned n) {
  return n == CR_SERVER_GONE_ERROR || n == CR_SERVER_LOST || n == CR_CONN_HOST_ERROR || n == CR_CONNECTION_ERROR ||
         n == ER_SERVER_SHUTDOWN || n == ER_CONNECTION_KILLED || n == CR_MALFORMED_PACKET || n == CR_UNKNOWN_ERROR;
}

int engine_error(struct session *s, struct engine_conn *k, unsigned number, const char *text, struct reply *r) {
  char a[200];
  s->engine_error = number;
  if (is_loss(number)) {
    k->bad = 1;
    return engine_lost(s, r);
  }
  switch (number) {
  case ER_QUERY_INTERRUPTED:
    if (!s->flight_cancelled)
      reply_error(r, 3621, 1, 10, "", 1, "The statement has been terminated.");
    break;
  case ER_LOCK_DEADLOCK:
    transaction_gone(s, r);
    reply_error(r, 1205, 51, 13, "", 1,
                "Transaction (Process ID %d) was deadlocked on lock resources with another process and has been "
                "chosen as the deadlock victim. Rerun the transaction.",
                s->login.spid);
    break;
  case ER_LOCK_WAIT_TIMEOUT:
    reply_error(r, 1222, 51, 16, "", 1, "Lock request time out period exceeded.");
    break;
  case ER_NO_SUCH_TABLE: case ER_BAD_TABLE_ERROR: case ER_NO_SUCH_TABLE_IN_ENGINE:
    quoted(text, 0, a, sizeof a);
    if (number == ER_BAD_TABLE_ERROR)
      reply_error(r, 3701, 5, 11, "", 1, "Cannot drop the table '%s', because it does not exist or you do not have permission.",
                  bare(a));
    else
      reply_error(r, 208, 1, 16, "", 1, "Invalid object name '%s'.", strncmp(a, "sys.", 4) == 0 ? a : bare(a));
    break;
  case ER_BAD_FIELD_ERROR:
    quoted(text, 0, a, sizeof a);
    reply_error(r, 207, 1, 16, "", 1, "Invalid column name '%s'.", bare(a));
    break;
  case ER_SP_DOES_NOT_EXIST:
    text = strncmp(text, "FUNCTION ", 9) == 0 ? text + 9 : strncmp(text, "PROCEDURE ", 10) == 0 ? text + 10 : text;
    snprintf(a, sizeof a, "%.*s", (int)strcspn(text, " "), text);
    reply_error(r, 2812, 62, 16, "", 1, "Could not find stored procedure '%s'.", bare(a));
    break;
  case ER_BAD_DB_ERROR: case ER_DB_DROP_EXISTS:
    quoted(text, 0, a, sizeof a);
    reply_error(r, 911, 1, 16, "", 1, "Database '%s' does not exist. Make sure that the name is entered correctly.", a);
    break;
  case ER_PARSE_ERROR: case ER_SYNTAX_ERROR: case ER_FUNC_INEXISTENT_NAME_COLLISION:
    quoted(text, 0, a, sizeof a);
    a[strcspn(a, " \n\t")] = '\0';
    reply_error(r, 102, 1, 15, "", 1, "Incorrect syntax near '%s'.", a);
    break;
  case ER_TABLE_EXISTS_ERROR: case ER_SP_ALREADY_EXISTS:
    quoted(text, 0, a, sizeof a);
    reply_error(r, 2714, 6, 16, "", 1, "There is already an object named '%s' in the database.",
                number == ER_SP_ALREADY_EXISTS && strncmp(text, "PROCEDURE ", 10) == 0 ? text + 10 : a);
    break;
  case ER_DUP_ENTRY:
    quoted(text, 0, a, sizeof a);
    reply_error(r, 2627, 1, 14, "", 1,
                "Violation of UNIQUE KEY constraint. Cannot insert duplicate key. The duplicate key value is (%s).", a);
    break;
  case ER_BAD_NULL_ERROR:
    quoted(text, 0, a, sizeof a);
    reply_error(r, 515, 2, 16, "", 1, "Cannot insert the value NULL into column '%s'; column does not allow nulls.", a);
    break;
  case ER_DATA_TOO_LONG:
    reply_error(r, 8152, 14, 16, "", 1, "String or binary data would be truncated.");
    break;
  case ER_WARN_DATA_OUT_OF_RANGE: case ER_DATA_OUT_OF_RANGE:
    reply_error(r, 8115, 2, 16, "", 1, "Arithmetic overflow error converting expression to data type.");
    break;
  case ER_TRUNCATED_WRONG_VALUE_FOR_FIELD: case ER_TRUNCATED_WRONG_VALUE:
    reply_error(r, 8114, 5, 16, "", 1, "Error converting data type: %s", text);
    break;
  case ER_RECORD_FILE_FULL: case ER_DISK_FULL: case ER_TEMP_FILE_WRITE_FAILURE:
    transaction_gone(s, r);
    reply_error(
        r, 1105, 2, 17, "", 1,
        "Could not allocate space in database '%s' because the 'PRIMARY' filegroup is full (the disk of the sandbox's folder).",
        s->db->name);
    break;
  case ER_SP_WRONG_NO_OF_ARGS:
    reply_error(r, 8144, 2, 16, "", 0, "Procedure or function has too many or too few arguments specified: %s", text);
    break;
  default:
    /* Twins raise THROW's numbers by SIGNAL ... SET MYSQL_ERRNO. */
    if (number >= 50000)
      reply_error(r, (int)number, 1, 16, "", 1, "%s", text);
    else
      reply_error(r, 50000, 1, 16, "", 1, "The sandbox's storage engine said: %s (%u).", text, number);
  }
  return -1;
}
