#include "config.h"

#include "sandbox/tds_out.h"

#include "base/text.h"
#include "sandbox/tds_type.h"
#include "sandbox/utf16.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum token {
  TOKEN_RETURN_STATUS = 0x79,
  TOKEN_COLUMNS = 0x81,
  TOKEN_ERROR = 0xAA,
  TOKEN_INFO = 0xAB,
  TOKEN_RETURN_VALUE = 0xAC,
  TOKEN_LOGIN_ACK = 0xAD,
  TOKEN_ROW = 0xD1,
  TOKEN_ENVIRONMENT = 0xE3,
  TOKEN_DONE = 0xFD,
  TOKEN_DONE_PROC = 0xFE,
  TOKEN_DONE_IN_PROC = 0xFF,
};
enum done_bit { DONE_MORE = 0x01, DONE_ERROR = 0x02, DONE_COUNT = 0x10, DONE_ATTENTION = 0x20 };
enum environment { ENV_DATABASE = 1, ENV_LANGUAGE = 2, ENV_PACKET_SIZE = 4, ENV_COLLATION = 7, ENV_RESET = 18 };
enum { COMMAND_SELECT = 0xC1, MESSAGE_TEXT = 2048, NAME_TEXT = 128 * 3 + 1, SEVERITY_FATAL = 20 };

void reply_open(struct reply *r, struct packet_in *in, struct packet_out *out, const char *server_name) {
  *r = (struct reply){.in = in, .out = out, .server_name = server_name};
}

void reply_close(struct reply *r) {
  free(r->column);
  r->column = NULL;
}

int reply_broken(const struct reply *r) {
  return r->out->broken || r->in->broken;
}

int reply_cancelled(struct reply *r) {
  int type = packet_waiting(r->in);
  return type == PACKET_ATTENTION || type < 0;
}

static void write_done(struct reply *r, int more) {
  struct packet_out *o = r->out;
  out_u8(o, r->done);
  out_u16(o, r->done_status | (more ? DONE_MORE : 0));
  out_u16(o, r->done_command);
  out_uint(o, r->done_rows, 8);
  r->done = 0;
}

/* Before every token: a DONE that waited now knows that more comes. */
static struct packet_out *token(struct reply *r, enum token t) {
  if (r->done)
    write_done(r, 1);
  out_u8(r->out, t);
  return r->out;
}

/* Let a DONE wait for what comes after it. */
static void hold_done(struct reply *r, enum token t, int error, int64_t rows) {
  if (r->done)
    write_done(r, 1);
  r->done = (uint8_t)t;
  r->done_status = (uint16_t)((error ? DONE_ERROR : 0) | (rows >= 0 ? DONE_COUNT : 0));
  r->done_command = r->rows ? COMMAND_SELECT : 0;
  r->done_rows = rows >= 0 ? (uint64_t)rows : 0;
  r->error = r->rows = 0;
}

/* UTF-8 as UTF-16 on the stack, ready to be written with its length in units. */
struct name {
  size_t units;
  uint8_t wide[2 * NAME_TEXT];
};

static void name_set(struct name *n, const char *s) {
  size_t len = strlen(s);
  if (len >= NAME_TEXT)
    len = NAME_TEXT - 1;
  n->units = utf16_from_utf8(n->wide, s, len) / 2;
  if (n->units > 128)
    n->units = 128;
}

static void name_write(struct packet_out *o, const struct name *n) {
  out_u8(o, (unsigned)n->units);
  out_bytes(o, n->wide, 2 * n->units);
}

void reply_columns(struct reply *r, const struct column *col, int n) {
  struct packet_out *o = token(r, TOKEN_COLUMNS);
  if (n > r->room) {
    r->column = xrealloc(r->column, (size_t)n, sizeof *r->column);
    r->room = n;
  }
  out_u16(o, (size_t)n);
  for (int i = 0; i < n; i++) {
    enum { NULLABLE = 0x01, MAYBE_WRITABLE = 0x08, IDENTITY = 0x10, COMPUTED = 0x20 };
    struct column *c = &r->column[i];
    *c = col[i];
    if (c->type == W_DECIMAL && (c->precision < 1 || c->precision > 38))
      c->precision = 38;
    if (c->scale < 0 || c->scale > (c->type == W_DECIMAL ? c->precision : 7))
      c->scale = 0;
    out_u32(o, 0);
    out_u16(o, NULLABLE | MAYBE_WRITABLE | (c->identity ? IDENTITY : 0) | (c->computed ? COMPUTED : 0));
    type_info_write(o, c);
    struct name name;
    name_set(&name, c->name ? c->name : "");
    name_write(o, &name);
  }
  r->ncol = n;
  r->rows = 1;
}

static const char *field_type_name(const struct field *f) {
  static const char *const names[] = {
    [F_NULL] = "null", [F_INT] = "bigint", [F_REAL] = "float", [F_TEXT] = "nvarchar", [F_BIN] = "varbinary",
    [F_DATETIME] = "datetime2", [F_DECIMAL] = "decimal", [F_GUID] = "uniqueidentifier",
  };
  return names[f->type];
}

/* What SQL Server says of a value that its column cannot hold. */
static void value_error(struct reply *r, int number, const struct column *c, const struct field *f) {
  if (number == 8152)
    reply_error(r, number, 2, 16, "", 1, "String or binary data would be truncated.");
  else if (number == 8115)
    reply_error(r, number, 2, 16, "", 1, "Arithmetic overflow error converting expression to data type %s.", type_name(c));
  else
    reply_error(r, number, 5, 16, "", 1, "Error converting data type %s to %s.", field_type_name(f), type_name(c));
}

void reply_row(struct reply *r, const struct field *f, int n) {
  static const struct field null = {.type = F_NULL};
  struct packet_out *o = token(r, TOKEN_ROW);
  int wrong = 0, at = 0;
  for (int i = 0; i < r->ncol; i++) {
    int rc = type_value_write(o, &r->column[i], i < n ? &f[i] : &null);
    if (rc && !wrong) {
      wrong = rc;
      at = i;
    }
  }
  if (wrong)
    value_error(r, wrong, &r->column[at], &f[at]);
}

void reply_done(struct reply *r, int64_t rows) {
  if (r->kind == REPLY_TRANSACTION || r->kind == REPLY_LOGIN)
    return;
  enum token t = r->kind == REPLY_RPC ? TOKEN_DONE_IN_PROC : r->in_proc ? TOKEN_DONE_PROC : TOKEN_DONE;
  r->in_proc = 0;
  hold_done(r, t, r->error, rows);
}

static const char *(*translated)(int number);

void reply_language(const char *(*translate)(int number)) {
  translated = translate;
}

/* ERROR and INFO differ in the token alone. */
static void message(struct reply *r, enum token t, int number, int state, int severity, const char *procedure, int line,
                    const char *text) {
  struct name server, proc;
  uint8_t wide[2 * MESSAGE_TEXT];
  text = translated ? translated(number) : text;
  size_t n = utf16_from_utf8(wide, text, strlen(text));
  name_set(&server, r->server_name);
  name_set(&proc, procedure ? procedure : "");
  struct packet_out *o = token(r, t);
  out_u16(o, 4 + 1 + 1 + 2 + n + 1 + 2 * server.units + 1 + 2 * proc.units + 4);
  out_u32(o, (size_t)number);
  out_u8(o, (unsigned)state);
  out_u8(o, (unsigned)severity);
  out_u16(o, n / 2);
  out_bytes(o, wide, n);
  name_write(o, &server);
  name_write(o, &proc);
  out_u32(o, (size_t)line);
}

void reply_error(struct reply *r, int number, int state, int severity, const char *procedure, int line, const char *fmt, ...) {
  char text[MESSAGE_TEXT];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  message(r, TOKEN_ERROR, number, state, severity, procedure, line, text);
  r->error = r->any_error = 1;
  if (severity >= SEVERITY_FATAL)
    r->hang_up = 1;
}

void reply_info(struct reply *r, int number, int state, int severity, const char *fmt, ...) {
  char text[MESSAGE_TEXT];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  message(r, TOKEN_INFO, number, state, severity, "", 1, text);
}

static void environment_text(struct reply *r, enum environment e, const char *now, const char *before) {
  struct name a, b;
  name_set(&a, now);
  name_set(&b, before);
  struct packet_out *o = token(r, TOKEN_ENVIRONMENT);
  out_u16(o, 1 + 1 + 2 * a.units + 1 + 2 * b.units);
  out_u8(o, e);
  name_write(o, &a);
  name_write(o, &b);
}

static void environment_bytes(struct reply *r, unsigned e, const void *now, size_t n_now, const void *before, size_t n_before) {
  struct packet_out *o = token(r, TOKEN_ENVIRONMENT);
  out_u16(o, 1 + 1 + n_now + 1 + n_before);
  out_u8(o, e);
  out_u8(o, (unsigned)n_now);
  out_bytes(o, now, n_now);
  out_u8(o, (unsigned)n_before);
  out_bytes(o, before, n_before);
}

void reply_database(struct reply *r, const char *now, const char *before) {
  environment_text(r, ENV_DATABASE, now, before ? before : "");
  reply_info(r, 5701, 2, 0, "Changed database context to '%s'.", now);
}

void reply_transaction(struct reply *r, enum reply_transaction what) {
  uint64_t now = what == REPLY_BEGUN ? ++r->last_transaction : 0;
  uint64_t told = now ? now : r->transaction;
  if (now)
    environment_bytes(r, what, &told, sizeof told, "", 0);
  else
    environment_bytes(r, what, "", 0, &told, sizeof told);
  r->transaction = now;
  r->transaction_told = 1;
}

void reply_return_status(struct reply *r, int32_t status) {
  out_u32(token(r, TOKEN_RETURN_STATUS), (uint32_t)status);
  r->in_proc = 1;
}

/* The place of a parameter in the call, from 0. */
static int ordinal(const struct reply *r, const char *name) {
  for (int i = 0; r->rpc && i < r->rpc->nparam; i++)
    if (strcmp(r->rpc->param[i].name, name) == 0)
      return i;
  return 0;
}

void reply_return_value(struct reply *r, const char *name, const struct column *col, const struct field *f) {
  enum { OUTPUT_PARAMETER = 1, NULLABLE = 1 };
  struct name wide;
  name_set(&wide, name);
  struct packet_out *o = token(r, TOKEN_RETURN_VALUE);
  out_u16(o, (size_t)ordinal(r, name));
  name_write(o, &wide);
  out_u8(o, OUTPUT_PARAMETER);
  out_u32(o, 0);
  out_u16(o, NULLABLE);
  type_info_write(o, col);
  int wrong = type_value_write(o, col, f);
  if (wrong)
    value_error(r, wrong, col, f);
}

void reply_start(struct reply *r, enum reply_kind kind) {
  r->kind = kind;
  r->rpc = NULL;
  r->rows = r->in_proc = r->error = r->any_error = r->transaction_told = 0;
  r->ncol = 0;
  r->done = 0;
}

void reply_call(struct reply *r, const struct rpc *rpc) {
  r->rpc = rpc;
  r->rows = r->in_proc = r->error = r->any_error = 0;
}

void reply_call_end(struct reply *r) {
  hold_done(r, TOKEN_DONE_PROC, r->any_error, -1);
  r->rpc = NULL;
}

void reply_finish(struct reply *r) {
  if (!r->done || r->error)
    hold_done(r, r->in_proc && r->kind == REPLY_BATCH ? TOKEN_DONE_PROC : TOKEN_DONE, r->error, -1);
  write_done(r, 0);
  packet_out_end(r->out);
}

void reply_attention(struct reply *r) {
  r->done = TOKEN_DONE;
  r->done_status = DONE_ATTENTION;
  r->done_command = 0;
  r->done_rows = 0;
  write_done(r, 0);
  packet_out_end(r->out);
}

void reply_login(struct reply *r, const struct product *v, uint32_t tds_version, size_t packet_size) {
  char size[24], old[24];
  struct name program;
  environment_bytes(r, ENV_COLLATION, tds_collation, sizeof tds_collation, "", 0);
  environment_text(r, ENV_LANGUAGE, "us_english", "");
  reply_info(r, 5703, 1, 0, "Changed language setting to us_english.");
  name_set(&program, "Microsoft SQL Server");
  struct packet_out *o = token(r, TOKEN_LOGIN_ACK);
  out_u16(o, 1 + 4 + 1 + 2 * program.units + 4);
  out_u8(o, 1); /* the interface: T-SQL */
  for (int i = 3; i >= 0; i--)
    out_u8(o, tds_version >> (8 * i) & 0xFF);
  name_write(o, &program);
  out_u8(o, v->major);
  out_u8(o, v->minor);
  out_u8(o, v->build >> 8);
  out_u8(o, v->build & 0xFF);
  snprintf(size, sizeof size, "%zu", packet_size);
  snprintf(old, sizeof old, "%zu", o->size);
  environment_text(r, ENV_PACKET_SIZE, size, old);
}

void reply_reset(struct reply *r) {
  environment_bytes(r, ENV_RESET, "", 0, "", 0);
}

void reply_prelogin(struct reply *r, const struct product *v) {
  enum { NO_ENCRYPTION = 2 };
  /* option, offset, length (network order) of each: version, encryption, instance, thread, several result sets at once */
  const uint8_t answer[] = {
    0, 0, 26, 0, 6, 1, 0, 32, 0, 1, 2, 0, 33, 0, 1, 3, 0, 34, 0, 0, 4, 0, 34, 0, 1, 0xFF,
    v->major, v->minor, (uint8_t)(v->build >> 8), (uint8_t)v->build, 0, 0, NO_ENCRYPTION, 0, 0,
  };
  out_bytes(r->out, answer, sizeof answer);
  packet_out_end(r->out);
}
