#include "config.h"

#include "build.h"
#include "sandbox/bulk_in.h"
#include "sandbox/prepared.h"
#include "sandbox/tds_in.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct text msg;
static struct arena arena;

static void tear_down(void) {
  text_free(&msg);
  arena_free(&arena);
}

TestSuite(prelogin, .fini = tear_down);
TestSuite(login, .fini = tear_down);
TestSuite(batch, .fini = tear_down);
TestSuite(transaction, .fini = tear_down);
TestSuite(rpc, .fini = tear_down);
TestSuite(bulk, .fini = tear_down);

static const uint8_t *bytes(void) {
  return (const uint8_t *)msg.s;
}

/* A copy of n bytes in memory of that very size, where a byte too far is seen. */
static uint8_t *exact(size_t n) {
  uint8_t *p = xmalloc(n ? n : 1);
  if (n)
    memcpy(p, msg.s, n);
  return p;
}

Test(prelogin, encryption_is_found) {
  const uint8_t p[] = {0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 16, 0, 0, 0, 0, 0, 3};
  int e;
  cr_assert_eq(prelogin_read(p, sizeof p, &e), 0);
  cr_assert_eq(e, 3);
  cr_assert_eq(prelogin_read((const uint8_t[]){0xFF}, 1, &e), 0);
  cr_assert_eq(e, 2);
  for (size_t n = 0; n < sizeof p; n++)
    cr_assert_eq(prelogin_read(p, n, &e), -1, "%zu bytes were taken", n);
}

static void login(const char *user, const char *password, const char *database) {
  text_clear(&msg);
  put_login(&msg, &(struct build_login){.user = user, .password = password, .app = "app", .database = database, .packet_size = 8192});
}

Test(login, fields_come_out) {
  struct login_in in;
  login("sa", "p\xC3\xA4ss\xF0\x9F\x98\x80", "");
  cr_assert_eq(login_read(bytes(), msg.len, &in), 0);
  cr_assert_str_eq(in.login.user, "sa");
  cr_assert_str_eq(in.login.password, "p\xC3\xA4ss\xF0\x9F\x98\x80");
  cr_assert_str_eq(in.login.app, "app");
  cr_assert_str_eq(in.login.host, "host");
  cr_assert_str_eq(in.login.database, "");
  cr_assert_eq(in.packet_size, 8192);
  cr_assert_eq(in.tds_version, 0x74000004);
  cr_assert_not(in.integrated);
  bytes();
  msg.s[25] = (char)0x83;
  cr_assert_eq(login_read(bytes(), msg.len, &in), 0);
  cr_assert(in.integrated);
}

Test(login, names_of_128_characters_fit_and_longer_ones_are_refused) {
  struct login_in in;
  char name[3 * 129 + 1] = "";
  for (int i = 0; i < 128; i++)
    strcat(name, "\xE2\x82\xAC");
  login(name, name, name);
  cr_assert_eq(login_read(bytes(), msg.len, &in), 0);
  cr_assert_str_eq(in.login.user, name);
  cr_assert_str_eq(in.login.database, name);
  strcat(name, "x");
  login(name, "", "");
  cr_assert_eq(login_read(bytes(), msg.len, &in), -1);
}

Test(login, every_truncation_and_every_bad_offset_is_refused) {
  struct login_in in;
  login("sa", "secret", "demo");
  size_t whole = msg.len;
  for (size_t n = 0; n < whole; n++) {
    uint8_t *p = exact(n);
    cr_assert_eq(login_read(p, n, &in), -1);
    free(p);
  }
  for (size_t at = 36; at < 72; at += 4) {
    static const uint16_t offsets[] = {0, 93, 0xFFFF};
    for (int i = 0; i < 3; i++) {
      login("sa", "secret", "demo");
      if (msg.s[at + 2] == 0 || at == 52 || at == 60)
        continue; /* empty, or of no interest: not read */
      msg.s[at] = (char)offsets[i];
      msg.s[at + 1] = (char)(offsets[i] >> 8);
      cr_assert_eq(login_read(bytes(), msg.len, &in), -1, "offset %u at %zu", offsets[i], at);
    }
    login("sa", "secret", "demo");
    if (at == 52 || at == 56 || at == 60)
      continue;
    msg.s[at + 2] = (char)0x80; /* 128 units: beyond the end */
    cr_assert_eq(login_read(bytes(), msg.len, &in), -1, "length at %zu", at);
  }
}

Test(batch, text_comes_out) {
  const char *text;
  size_t n;
  put_batch(&msg, "select N'\xE2\x82\xAC'");
  cr_assert_eq(batch_read(bytes(), msg.len, &arena, &text, &n), 0);
  cr_assert_str_eq(text, "select N'\xE2\x82\xAC'");
  cr_assert_eq(n, strlen(text));
}

Test(batch, headers_that_lie_are_refused) {
  static const struct {
    size_t at;
    uint32_t v;
  } lie[] = {{0, 0}, {0, 3}, {0, 21}, {0, 23}, {0, 0xFFFFFFFF}, {0, 1000}, {4, 0}, {4, 5}, {4, 19}, {4, 0xFFFFFFFF}};
  for (size_t i = 0; i < sizeof lie / sizeof *lie; i++) {
    const char *text;
    size_t n;
    text_clear(&msg);
    put_batch(&msg, "x");
    memcpy(msg.s + lie[i].at, &lie[i].v, 4);
    cr_assert_eq(batch_read(bytes(), msg.len, &arena, &text, &n), -1, "number %zu", i);
  }
  const char *text;
  size_t n;
  text_clear(&msg);
  put_batch(&msg, "x");
  for (size_t k = 0; k < 22; k++)
    cr_assert_eq(batch_read(bytes(), k, &arena, &text, &n), -1);
  cr_assert_eq(batch_read(bytes(), 23, &arena, &text, &n), -1, "half a character was taken");
}

Test(transaction, requests_come_out) {
  struct transaction_in t;
  put_headers(&msg);
  put_uint(&msg, TM_BEGIN, 2);
  put_uint(&msg, 2, 1);
  put_uint(&msg, 0, 1);
  cr_assert_eq(transaction_read(bytes(), msg.len, &arena, &t), 0);
  cr_assert_eq(t.request, TM_BEGIN);
  cr_assert_eq(t.isolation, 2);
  for (size_t n = 0; n < msg.len; n++)
    cr_assert_eq(transaction_read(bytes(), n, &arena, &t), -1);
  msg.s[24] = 6; /* an isolation level that is none */
  cr_assert_eq(transaction_read(bytes(), msg.len, &arena, &t), -1);

  text_clear(&msg);
  put_headers(&msg);
  put_uint(&msg, TM_SAVE, 2);
  put_uint(&msg, 4, 1);
  put_wide(&msg, "s]");
  cr_assert_eq(transaction_read(bytes(), msg.len, &arena, &t), 0);
  cr_assert_str_eq(t.name, "s]");

  text_clear(&msg);
  put_headers(&msg);
  put_uint(&msg, TM_COMMIT, 2);
  put_uint(&msg, 0, 1);
  put_uint(&msg, 1, 1);
  put_uint(&msg, 4, 1);
  put_uint(&msg, 0, 1);
  cr_assert_eq(transaction_read(bytes(), msg.len, &arena, &t), 0);
  cr_assert(t.begin_again);
  cr_assert_eq(t.isolation, 4);
}

Test(rpc, a_call_comes_out) {
  struct rpc_in in;
  struct rpc rpc;
  put_headers(&msg);
  put_rpc(&msg, "dbo.rk_echo");
  put_int_param(&msg, "@w", 0, -5);
  put_int_param(&msg, "@out", 1, 0);
  put_text_param(&msg, "", "caf\xC3\xA9");
  cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
  cr_assert_eq(rpc_next(&in, &rpc), 1);
  cr_assert_str_eq(rpc.name, "dbo.rk_echo");
  cr_assert_eq(rpc.nparam, 3);
  cr_assert_str_eq(rpc.param[0].name, "@w");
  cr_assert_eq(rpc.param[0].value.i, -5);
  cr_assert_eq(rpc.param[0].column.type, W_INT);
  cr_assert_not(rpc.param[0].by_ref);
  cr_assert(rpc.param[1].by_ref);
  cr_assert_str_eq(rpc.param[2].name, "");
  cr_assert_eq(rpc.param[2].value.len, 5);
  cr_assert_arr_eq(rpc.param[2].value.p, "caf\xC3\xA9", 5);
  cr_assert_eq(rpc_next(&in, &rpc), 0);
}

Test(rpc, several_calls_ids_and_defaults) {
  struct rpc_in in;
  struct rpc rpc;
  put_headers(&msg);
  put_uint(&msg, 0xFFFF, 2);
  put_uint(&msg, 10, 2);
  put_uint(&msg, 0, 2);
  put_text_param(&msg, "@stmt", "select 1");
  put_uint(&msg, 0xFF, 1);
  put_rpc(&msg, "none");
  put_int_param(&msg, "@d", 2, 9);
  put_uint(&msg, 0xFF, 1);
  cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
  cr_assert_eq(rpc_next(&in, &rpc), 1);
  cr_assert_str_eq(rpc.name, "sp_executesql");
  cr_assert_eq(rpc.nparam, 1);
  cr_assert_eq(rpc_next(&in, &rpc), 1);
  cr_assert_str_eq(rpc.name, "none");
  cr_assert(rpc.param[0].is_default);
  cr_assert_eq(rpc.param[0].value.type, F_NULL);
  cr_assert_eq(rpc_next(&in, &rpc), 0);
}

Test(rpc, many_parameters_are_taken_and_too_many_are_not) {
  struct rpc_in in;
  struct rpc rpc;
  put_headers(&msg);
  put_rpc(&msg, "many");
  for (int i = 0; i < RPC_MOST_PARAMS; i++)
    put_int_param(&msg, "", 0, i);
  cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
  cr_assert_eq(rpc_next(&in, &rpc), 1);
  cr_assert_eq(rpc.nparam, RPC_MOST_PARAMS);
  for (int i = 0; i < RPC_MOST_PARAMS; i++)
    cr_assert_eq(rpc.param[i].value.i, i);
  put_int_param(&msg, "", 0, 0);
  cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
  cr_assert_eq(rpc_next(&in, &rpc), -1);
}

Test(rpc, every_truncation_is_refused_or_a_shorter_call) {
  put_headers(&msg);
  put_rpc(&msg, "echo");
  size_t first = msg.len;
  put_int_param(&msg, "@a", 0, 1);
  size_t second = msg.len;
  put_text_param(&msg, "@b", "text");
  for (size_t n = 0; n < msg.len; n++) {
    struct rpc_in in;
    struct rpc rpc;
    uint8_t *p = exact(n);
    int rc = rpc_start(&in, p, n, &arena);
    if (rc == 0)
      rc = rpc_next(&in, &rpc);
    if (n == first || n == second)
      cr_assert_eq(rc, 1);
    else
      cr_assert_eq(rc, -1, "%zu of %zu bytes were taken", n, msg.len);
    free(p);
  }
}

Test(rpc, unknown_types_and_procedures_are_refused) {
  struct rpc_in in;
  struct rpc rpc;
  put_headers(&msg);
  put_rpc(&msg, "echo");
  put_param(&msg, "@table", 0);
  put_uint(&msg, 0xF3, 1);
  cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
  cr_assert_eq(rpc_next(&in, &rpc), -1);
  cr_assert_eq(in.cur.state, CURSOR_UNKNOWN);
  cr_assert_eq(in.type, 0xF3);
  for (unsigned id = 0; id < 70000; id += id < 20 ? 1 : 9999) {
    text_clear(&msg);
    put_headers(&msg);
    put_uint(&msg, 0xFFFF, 2);
    put_uint(&msg, id, 2);
    put_uint(&msg, 0, 2);
    cr_assert_eq(rpc_start(&in, bytes(), msg.len, &arena), 0);
    cr_assert_eq(rpc_next(&in, &rpc), id >= 1 && id <= 15 ? 1 : -1, "id %u", id);
  }
}

Test(prepared, names_come_out_of_a_declaration) {
  const char *at = " @a int,@b_1 decimal(10, 2) output,\n@c nvarchar(max) , nonsense, @d int", *name;
  static const char *const want[] = {"@a", "@b_1", "@c", "", "@d", "", ""};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    size_t n = prepared_name(&at, &name);
    cr_assert_eq(n, strlen(want[i]), "number %zu has length %zu", i, n);
    cr_assert_arr_eq(name, want[i], n);
  }
  for (at = ",((,)"; *at;)
    cr_assert_eq(prepared_name(&at, &name), 0);
}

/* What came out of a bulk stream, as text. */
static int take_columns(void *arg, const struct column *col, int n) {
  struct text *t = arg;
  for (int i = 0; i < n; i++)
    text_addf(t, "%s%s", i ? "," : "", col[i].name);
  text_add(t, ":");
  return strcmp(col[0].name, "bad") == 0 ? -1 : 0;
}

static int take_row(void *arg, const struct field *f, int n) {
  struct text *t = arg;
  for (int i = 0; i < n; i++)
    if (f[i].type == F_INT)
      text_addf(t, "%lld", (long long)f[i].i);
    else if (f[i].type == F_NULL)
      text_add(t, "NULL");
    else
      text_addf(t, "'%.*s'", (int)f[i].len, f[i].p);
  text_add(t, ";");
  return f[0].i == 666 ? -1 : 0;
}

/* Feed the message in pieces of `size` bytes; 0 or -1 as at its end. */
static int feed(size_t size, struct text *got) {
  const struct bulk_sink sink = {take_columns, take_row, got};
  struct bulk_in b;
  int rc = 0;
  bulk_in_open(&b, &sink);
  for (size_t at = 0; at < msg.len && rc == 0; at += size) {
    size_t n = msg.len - at < size ? msg.len - at : size;
    uint8_t *p = xmalloc(n);
    memcpy(p, msg.s + at, n);
    rc = bulk_in_feed(&b, p, n);
    free(p);
  }
  if (rc == 0)
    rc = bulk_in_end(&b);
  bulk_in_close(&b);
  return rc;
}

static void good_stream(void) {
  text_clear(&msg);
  put_bulk_columns(&msg, "id");
  put_bulk_row(&msg, 1, "one");
  put_bulk_row(&msg, 2, NULL);
  put_bulk_row(&msg, -3, "");
}

Test(bulk, rows_come_out_whatever_the_pieces) {
  good_stream();
  for (int done = 0; done < 2; done++) {
    for (size_t size = 1; size <= msg.len; size++) {
      struct text got = {0};
      cr_assert_eq(feed(size, &got), 0, "in pieces of %zu", size);
      cr_assert_str_eq(got.s, "id,name:1'one';2NULL;-3'';", "in pieces of %zu", size);
      text_free(&got);
    }
    put_uint(&msg, 0xFD, 1); /* the same with the DONE that some clients send */
    put_uint(&msg, 0, 6);
    put_uint(&msg, 0, 6);
  }
  put_uint(&msg, 0xD1, 1);
  struct text got = {0};
  cr_assert_eq(feed(1000, &got), -1, "something behind DONE was taken");
  text_free(&got);
}

Test(bulk, an_empty_stream_is_whole) {
  struct text got = {0};
  cr_assert_eq(feed(1, &got), 0);
  put_bulk_columns(&msg, "id");
  cr_assert_eq(feed(7, &got), 0);
  cr_assert_str_eq(got.s, "id,name:");
  text_free(&got);
}

Test(bulk, every_truncation_within_a_token_is_refused) {
  text_clear(&msg);
  put_bulk_columns(&msg, "id");
  size_t columns = msg.len;
  put_bulk_row(&msg, 1, "one");
  size_t whole = msg.len;
  for (size_t n = 1; n < whole; n++) {
    struct text got = {0};
    msg.len = n;
    cr_assert_eq(feed(5, &got), n == columns ? 0 : -1, "%zu bytes were taken", n);
    text_free(&got);
  }
}

Test(bulk, what_the_sink_refuses_is_skipped) {
  struct text got = {0};
  put_bulk_columns(&msg, "bad");
  put_bulk_row(&msg, 1, "one");
  cr_assert_eq(feed(6, &got), 0);
  cr_assert_str_eq(got.s, "bad,name:");
  text_clear(&got);
  text_clear(&msg);
  put_bulk_columns(&msg, "id");
  put_bulk_row(&msg, 666, "no");
  put_bulk_row(&msg, 1, "one");
  cr_assert_eq(feed(6, &got), 0);
  cr_assert_str_eq(got.s, "id,name:666'no';");
  text_free(&got);
}

Test(bulk, malformed_streams_are_refused) {
  static const struct {
    const char *bytes;
    size_t n;
  } bad[] = {
    {"\xD1\x04", 2},                                  /* a row before the columns */
    {"\x00", 1},                                      /* no token */
    {"\x81\x00\x00", 3},                              /* no columns */
    {"\x81\xFF\xFF", 3},                              /* columns that are not told */
    {"\x81\x01\x10\0\0\0\0\0\0\0\0\0\0", 13},         /* 4,097 columns */
    {"\x81\x01\x00\0\0\0\0\0\0\xF3\0", 11},           /* a table-valued column */
    {"\x81\x01\x00\0\0\0\0\0\0\x22\0\0\0\0\0", 15},   /* an image column */
    {"\x81\x01\x00\0\0\0\0\0\0\x38\x81", 11},         /* a name of 129 */
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct text got = {0};
    text_clear(&msg);
    text_addn(&msg, bad[i].bytes, bad[i].n);
    cr_assert_eq(feed(100, &got), -1, "number %zu", i);
    cr_assert_eq(feed(1, &got), -1, "number %zu", i);
    text_free(&got);
  }
  struct text got = {0};
  text_clear(&msg);
  put_bulk_columns(&msg, "id");
  put_bulk_columns(&msg, "id");
  cr_assert_eq(feed(100, &got), -1, "columns came twice");
  text_free(&got);
}

Test(bulk, a_row_of_many_packets_comes_out) {
  struct text got = {0};
  enum { LONG = 3000000, PACKET = 4088 };
  put_uint(&msg, 0x81, 1);
  put_uint(&msg, 1, 2);
  put_uint(&msg, 0, 4);
  put_uint(&msg, 9, 2);
  put_uint(&msg, 0xFFFFA5, 3);
  put_name(&msg, "blob", 1);
  for (int i = 0; i < 2; i++) {
    put_uint(&msg, 0xD1, 1);
    put_uint(&msg, LONG, 8);
    put_uint(&msg, LONG, 4);
    char *p = xcalloc(LONG, 1);
    memset(p, 'a' + i, LONG);
    text_addn(&msg, p, LONG);
    free(p);
    put_uint(&msg, 0, 4);
  }
  cr_assert_eq(feed(PACKET, &got), 0);
  cr_assert_eq(got.len, strlen("blob:") + 2 * (LONG + 3));
  cr_assert_eq(got.s[LONG], 'a');
  cr_assert_eq(got.s[2 * LONG], 'b');
  text_free(&got);
}
