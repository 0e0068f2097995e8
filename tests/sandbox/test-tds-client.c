/* The listener over a real socket, with the echo session behind it. */
#include "config.h"

#include "base/clock.h"
#include "echo.h"
#include "sandbox/listener.h"
#include "talk.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static struct server server;
static struct listener *listener;

static int dial_listener(void) {
  return dial(listener_port(listener));
}

static void set_up(void) {
  struct cause c;
  listener = listener_start(&server, &(struct listener_options){.server_name = "echo"}, &c);
  cr_assert_not_null(listener);
  fd = dial_listener();
}

static void tear_down(void) {
  close(fd);
  listener_free(listener);
  cr_assert_eq(server.sessions, 0);
  talk_end();
}

TestSuite(client, .init = set_up, .fini = tear_down, .timeout = 60);

static void send_login(const char *password, const char *database, uint32_t packet_size) {
  put_login(&msg, &(struct build_login){.user = "sa", .password = password, .database = database, .packet_size = packet_size});
  send_msg(0x10, 0, 4000);
}

static void log_in(uint32_t packet_size) {
  send_login("x", "demo", packet_size);
  expect("env1 info5701 env7 env2 info5703 ack env4 done");
}

static void batch(const char *sql) {
  put_batch(&msg, sql);
  send_msg(1, 0, 504);
}

Test(client, prelogin_and_login_are_answered) {
  const uint8_t prelogin[] = {0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 16, 0, 0, 0, 0, 0, 0};
  send_packet(0x12, 1, prelogin, sizeof prelogin);
  cr_assert(read_reply());
  int at = (uint8_t)reply.s[6] << 8 | (uint8_t)reply.s[7];
  cr_assert(reply.s[5] == 1 && reply.s[at] == 2, "encryption is not answered as not supported");
  log_in(4096);
  batch("select 1");
  expect("columns row:1 done:1");
}

Test(client, refused_logins_are_told_why_and_parted_from) {
  send_login("wrong", "", 4096);
  expect("error18456 done!");
  expect_end();
  close(fd);
  fd = dial_listener();
  send_login("x", "none", 4096);
  expect("error4060 done!");
  expect_end();
  close(fd);
  fd = dial_listener();
  put_login(&msg, &(struct build_login){.integrated = 1});
  send_msg(0x10, 0, 4000);
  expect("error18452 done!");
  close(fd);
  fd = dial_listener();
  put_login(&msg, &(struct build_login){.version = 0x71000001});
  send_msg(0x10, 0, 4000);
  expect("error17832 done!");
  close(fd);
  fd = dial_listener();
  put_login(&msg, &(struct build_login){.user = "sa"});
  msg.s[0]++;
  send_msg(0x10, 0, 4000);
  expect("error17832 done!");
  expect_end();
}

Test(client, batches_of_many_packets_are_joined) {
  struct text sql = {0};
  log_in(512);
  for (int i = 0; i < 200; i++)
    text_addf(&sql, "-- line %d of a long batch\n", i);
  put_batch(&msg, sql.s);
  send_msg(1, 0, 504);
  cr_assert(read_reply());
  cr_assert_eq(longest, 512);
  struct text want = {0};
  text_addf(&want, "columns row:%s done:1", sql.s);
  cr_assert_str_eq(tell(), want.s);
  text_free(&want);
  text_free(&sql);
}

Test(client, packets_keep_to_the_agreed_size) {
  static const struct {
    uint32_t asked;
    size_t got;
  } t[] = {{0, 4096}, {100, 512}, {512, 512}, {8192, 8192}, {32767, 32767}, {1 << 20, 32767}};
  for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
    close(fd);
    fd = dial_listener();
    log_in(t[i].asked);
    batch("rows 700 100");
    cr_assert(read_reply());
    cr_assert_eq(longest, t[i].got);
    cr_assert(strstr(tell(), " row:699,xxx"));
    cr_assert(strstr(tell(), " done:700"));
  }
}

Test(client, every_wire_type_goes_out) {
  log_in(512);
  batch("types");
  cr_assert(read_reply());
  cr_assert(strstr(tell(), "row:255,-32768,2147483647,-9007199254740993,1,-1.5,Zo\xC3\xAB \xE2\x82\xAC \xF0\x9F\x98\x80,caf\xC3\xA9,long,,"
                           "2026-11-30 15:04:05.123,0001-01-01 23:59:59.1234567,-12345678.9012,6F9619FF-8B86-D011-B42D-00C04FC964FF,"
                           "9999-12-31,12:34:56.789 row:NULL,"),
            "%s", tell());
}

Test(client, errors_and_statuses_mark_their_done) {
  log_in(4096);
  batch("fail");
  expect("error50000 done!");
  batch("exec");
  expect("status:7 doneproc");
}

Test(client, calls_are_answered_in_order) {
  log_in(4096);
  put_headers(&msg);
  put_rpc(&msg, "echo");
  put_int_param(&msg, "@a", 0, 5);
  put_int_param(&msg, "@out", 1, -6);
  put_text_param(&msg, "@t", "caf\xC3\xA9");
  send_msg(3, 0, 4088);
  expect("columns row:5,-6,caf\xC3\xA9 doneinproc:1+ status:42 value1:-6 doneproc");
  put_headers(&msg);
  put_rpc(&msg, "none");
  send_msg(3, 0, 4088);
  expect("error2812 doneproc!");
  put_headers(&msg);
  put_uint(&msg, 0xFFFF, 2);
  put_uint(&msg, 10, 2);
  put_uint(&msg, 0, 2);
  put_text_param(&msg, "", "select 1");
  put_uint(&msg, 0xFF, 1);
  put_rpc(&msg, "echo");
  send_msg(3, 0, 30);
  expect("columns row:1 doneinproc:1+ status:0 doneproc+ status:42 doneproc");
}

/* A call by number with parameters still to come. */
static void begin_call(int id) {
  put_headers(&msg);
  put_uint(&msg, 0xFFFF, 2);
  put_uint(&msg, (uint64_t)id, 2);
  put_uint(&msg, 0, 2);
}

Test(client, prepared_statements_are_run_by_handle) {
  log_in(4096);
  begin_call(11);
  put_int_param(&msg, "@handle", 1, 0);
  put_text_param(&msg, "@params", "@a int, @b decimal(10, 2)");
  put_text_param(&msg, "@stmt", "values");
  send_msg(3, 0, 4088);
  expect("status:0 value0:1 doneproc");
  begin_call(13);
  put_int_param(&msg, "@handle", 1, 0);
  put_text_param(&msg, "", "@x int");
  put_text_param(&msg, "", "values");
  put_int_param(&msg, "", 0, 9);
  send_msg(3, 0, 4088);
  expect("columns row:9 doneinproc:1+ status:0 value0:2 doneproc");
  cr_assert(memmem(reply.s, reply.len, "\2@\0x\0", 5), "the value is not named");
  begin_call(12);
  put_int_param(&msg, "", 0, 1);
  put_int_param(&msg, "", 0, 5);
  put_int_param(&msg, "", 0, 6);
  send_msg(3, 0, 4088);
  expect("columns row:5,6 doneinproc:1+ status:0 doneproc");
  begin_call(15);
  put_int_param(&msg, "", 0, 1);
  send_msg(3, 0, 4088);
  expect("status:0 doneproc");
  begin_call(12);
  put_int_param(&msg, "", 0, 1);
  send_msg(3, 0, 4088);
  expect("error8179 doneproc!");
  begin_call(11);
  send_msg(3, 0, 4088);
  expect("error214 doneproc!");
  begin_call(12);
  put_int_param(&msg, "", 0, 2);
  send_msg(3, 8, 4088); /* a reset forgets them */
  expect("env18 error8179 doneproc!");
}

Test(client, transaction_requests_change_the_environment) {
  log_in(4096);
  put_headers(&msg);
  put_uint(&msg, 5, 2);
  put_uint(&msg, 4, 1);
  put_uint(&msg, 0, 1);
  send_msg(0x0E, 0, 4088);
  expect("env8 done");
  put_headers(&msg);
  put_uint(&msg, 7, 2);
  put_uint(&msg, 0, 1);
  put_uint(&msg, 1, 1);
  put_uint(&msg, 0, 2);
  send_msg(0x0E, 0, 4088);
  expect("env9 env8 done");
  put_headers(&msg);
  put_uint(&msg, 8, 2);
  put_uint(&msg, 0, 2);
  send_msg(0x0E, 0, 4088);
  expect("env10 done");
  put_headers(&msg);
  put_uint(&msg, 0, 2);
  send_msg(0x0E, 0, 4088);
  expect("error8501 done!");
}

Test(client, attention_ends_a_running_response) {
  log_in(4096);
  batch("forever");
  int rc = 1;
  text_clear(&reply);
  packets = 0;
  for (int i = 0; i < 5; i++)
    cr_assert_eq(read_packet(), 1);
  send_packet(6, 1, NULL, 0);
  /* What was under way ends with its own end of message, not marked; then the acknowledgment comes alone. */
  while (rc == 1)
    rc = read_packet();
  cr_assert_eq(rc, 2);
  const uint8_t *done = (const uint8_t *)reply.s + reply.len - 13;
  cr_assert_eq(done[0], 0xFD);
  cr_assert_eq(done[1], 0x10);
  expect("done@");
  cr_assert_eq(server.cancelled, 1);
  batch("select 1");
  expect("columns row:1 done:1");
}

Test(client, attention_without_a_request_is_acknowledged) {
  log_in(4096);
  send_packet(6, 1, NULL, 0);
  expect("done@");
  put_batch(&msg, "select 1");
  send_packet(1, 0, msg.s, 20); /* half a request, then second thoughts */
  text_clear(&msg);
  send_packet(6, 1, NULL, 0);
  expect("done@");
  batch("select 1");
  expect("columns row:1 done:1");
}

Test(client, an_ignored_request_is_not_done) {
  log_in(4096);
  put_batch(&msg, "fail");
  send_packet(1, 0, msg.s, 20);
  send_packet(1, 3, msg.s + 20, msg.len - 20);
  text_clear(&msg);
  expect("done!");
}

Test(client, a_reset_is_passed_on_and_acknowledged) {
  log_in(4096);
  put_batch(&msg, "select 1");
  send_msg(1, 8, 10);
  expect("env18 columns row:1 done:1");
  cr_assert_eq(server.resets, 1);
  put_headers(&msg);
  put_uint(&msg, 5, 2);
  put_uint(&msg, 0, 2);
  send_msg(0x0E, 0, 4088);
  expect("env8 done");
  put_batch(&msg, "select 1");
  send_msg(1, 0x10, 4088); /* the reset that keeps an open transaction */
  expect("env18 columns row:1 done:1");
  cr_assert_eq(server.resets, 1);
}

static void bulk(const char *first, int rows, int bad_row) {
  put_bulk_columns(&msg, first);
  for (int i = 0; i < rows; i++)
    put_bulk_row(&msg, i == bad_row ? 666 : -i, "some name");
}

Test(client, bulk_rows_are_counted) {
  log_in(512);
  batch("insert bulk t (id int, name varchar(30))");
  expect("done");
  bulk("id", 1000, -1);
  send_msg(7, 0, 504);
  expect("done:1000");
  send_msg(7, 0, 504); /* the empty message that some clients end with */
  expect("done:0");
  batch("insert bulk t (id int, name varchar(30))");
  expect("done");
  bulk("id", 0, -1);
  send_msg(7, 0, 504);
  expect("done:0");
  batch("count");
  expect("columns row:1000 done:1");
}

Test(client, bulk_rows_that_are_refused_load_nothing) {
  log_in(512);
  batch("insert bulk t");
  expect("done");
  bulk("bad", 100, -1);
  send_msg(7, 0, 504);
  expect("error207 done!");
  batch("insert bulk t");
  expect("done");
  bulk("id", 100, 50);
  send_msg(7, 0, 504);
  expect("error2627 done!");
  cr_assert_eq(server.rows, 0);
  cr_assert_eq(server.broken, 2);
}

Test(client, half_a_bulk_load_is_rolled_back) {
  log_in(512);
  batch("insert bulk t");
  expect("done");
  bulk("id", 10, -1);
  send_packet(7, 0, msg.s, msg.len);
  send_packet(6, 1, NULL, 0);
  expect("done!");
  expect("done@");
  text_clear(&msg);
  batch("insert bulk t");
  expect("done");
  bulk("id", 10, -1);
  send_packet(7, 3, msg.s, msg.len);
  expect("done!");
  text_clear(&msg);
  batch("insert bulk t");
  expect("done");
  bulk("id", 10, -1);
  send_packet(7, 0, msg.s, msg.len);
  shutdown(fd, SHUT_RDWR);
  for (int i = 0; i < 1000 && listener_connections(listener) > 0; i++)
    sleep_until_ns(mono_ns() + 10000000);
  cr_assert_eq(server.rows, 0);
  cr_assert_eq(server.broken, 3);
}

Test(client, malformed_messages_end_their_connection_alone) {
  int other = fd;
  log_in(4096);
  static const struct {
    int type;
    const char *bytes;
    size_t n;
    const char *want;
  } bad[] = {
    {1, "\x16\0\0\0", 4, "error4002 done!"},
    {3, "\x04\0\0\0\x04\0e\0", 8, "error4002 done!"},
    {3, "\x04\0\0\0\x01\0e\0\0\0\0\0\xF3", 13, "error8009 done!"},
    {7, "\xD1\0\0", 3, "error4002 done!"},
    {14, "\x04\0\0\0\x05\0\xFF\0", 8, "error4002 done!"},
    {2, "old rpc", 7, "error4002 done!"},
    {0x99, "", 0, "error4002 done!"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fd = dial_listener();
    log_in(4096);
    send_packet(bad[i].type, 1, bad[i].bytes, bad[i].n);
    expect(bad[i].want);
    expect_end();
    close(fd);
  }
  static const uint8_t headers[][8] = {{1, 1, 0, 7}, {1, 1, 0, 0}, {1, 1, 0xFF, 0xFF}};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    fd = dial_listener();
    log_in(4096);
    send_all(headers[i], 8);
    expect("error4002 done!");
    expect_end();
    close(fd);
  }
  fd = other;
  batch("select 1");
  expect("columns row:1 done:1");
}

Test(client, what_is_no_log_in_is_hung_up_on) {
  static const struct {
    const char *bytes;
    size_t n;
  } greeting[] = {
    {"GET / HTTP/1.0\r\n\r\n", 18},
    {"\x16\x03\x01\x02\0\x01\0\x01\xFC\x03\x03", 11}, /* TLS */
    {"\x01\x01\0\x0A\0\0\0\0\0\0", 10},              /* a batch before the log-in */
    {"\x12\x01\0\x09\0\0\0\0\xFE", 9},               /* a PRELOGIN that does not end */
  };
  for (size_t i = 0; i < sizeof greeting / sizeof *greeting; i++) {
    close(fd);
    fd = dial_listener();
    send_all(greeting[i].bytes, greeting[i].n);
    shutdown(fd, SHUT_WR);
    expect_end();
  }
}

Test(client, a_message_beyond_the_limit_is_refused) {
  log_in(32767);
  char *body = xcalloc(32759, 1);
  for (int i = 0; i < 2100; i++) /* 65 MiB that never end */
    send_packet(1, 0, body, 32759);
  free(body);
  expect("error4002 done!");
}

Test(client, stopping_hangs_up_on_everybody) {
  enum { MANY = 50 };
  int many[MANY];
  for (int i = 0; i < MANY; i++) {
    many[i] = fd;
    log_in(4096);
    fd = dial_listener();
  }
  cr_assert(listener_connections(listener) >= MANY);
  listener_shut(listener);
  int last = fd;
  for (int i = 0; i < MANY; i++) {
    fd = many[i];
    expect_end();
    close(fd);
  }
  fd = last;
}

Test(client, a_port_that_is_taken_is_said_so) {
  struct cause c;
  struct listener_options o = {.port = listener_port(listener)};
  cr_assert_null(listener_start(&server, &o, &c));
  cr_assert(strstr(c.text, "cannot listen on 127.0.0.1:"));
  cr_assert(c.remedy[0]);
}
