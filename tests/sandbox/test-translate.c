#include "config.h"

#include "sandbox/hints.h"
#include "sandbox/lex.h"
#include "sandbox/translate.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *property(const void *arg, const char *name, char *buf, size_t size) {
  (void)arg;
  snprintf(buf, size, strcmp(name, "Edition") == 0 ? "'Mine'" : "NULL");
  return buf;
}

static int declared(const void *arg, const struct token *t) {
  (void)arg;
  return token_is(t, "@here");
}

static const struct translate_facts facts = {
    .declared = declared, .version = "it's", .server_name = "S", .spid = 51, .trancount = 2, .property = property};

/* What the text becomes, or "error N near X"; static memory. */
static const char *engine(const char *text) {
  static char out[2000];
  struct tokens ts;
  struct text sql = {0};
  int near = 0;
  tokens_read(&ts, text, strlen(text));
  int rc = translate(&ts, 0, ts.n, &facts, &sql, &near);
  if (rc)
    snprintf(out, sizeof out, "error %d near %.*s", rc, (int)ts.t[near].len, ts.t[near].p);
  else
    snprintf(out, sizeof out, "%s", sql.s);
  text_free(&sql);
  tokens_free(&ts);
  return out;
}

/* Do both have the same tokens?  Blanks between them do not matter. */
static int same(const char *got, const char *want) {
  struct tokens a, b;
  tokens_read(&a, got, strlen(got));
  tokens_read(&b, want, strlen(want));
  int eq = a.n == b.n;
  for (int i = 0; eq && i < a.n; i++)
    eq = a.t[i].len == b.t[i].len && memcmp(a.t[i].p, b.t[i].p, a.t[i].len) == 0;
  tokens_free(&a);
  tokens_free(&b);
  return eq;
}

#define BECOMES(text, want) cr_expect(same(engine(text), want), "%s\nbecame %s\nnot    %s", text, engine(text), want)

Test(translate, names) {
  BECOMES("SELECT * FROM dbo.t", "SELECT * FROM `t`");
  BECOMES("SELECT [a]]b] FROM [dbo].[t x]", "SELECT `a]b` FROM `t x`");
  BECOMES("SELECT a FROM db..t", "SELECT a FROM `db`.`t`");
  BECOMES("SELECT a FROM db.dbo.t", "SELECT a FROM `db`.`t`");
  BECOMES("SELECT x.a, x.* FROM t AS x", "SELECT `x`.`a`, `x`.* FROM t AS x");
  BECOMES("SELECT * FROM master.sys.configurations", "SELECT * FROM sys.configurations");
  BECOMES("SELECT \"a`b\" FROM t", "SELECT `a``b` FROM t");
}

Test(translate, what_only_the_session_knows) {
  BECOMES("SELECT @@VERSION", "SELECT 'it''s'");
  BECOMES("SELECT @@SPID, @@TRANCOUNT, @@SERVERNAME", "SELECT 51, 2, 'S'");
  BECOMES("SELECT @here", "SELECT @here");
  BECOMES("SELECT @nix", "error 137 near @nix");
  BECOMES("SELECT @@NIX", "error 137 near @@NIX");
  BECOMES("SELECT SERVERPROPERTY(N'Edition'), SERVERPROPERTY('x')", "SELECT 'Mine', NULL");
  BECOMES("SELECT DB_NAME(), DB_ID()", "SELECT @rk_db, @rk_db_id");
}

Test(translate, functions_and_types) {
  BECOMES("SELECT ISNULL(a, 0), LEN(b), COUNT_BIG(*) FROM t", "SELECT IFNULL(a, 0), CHAR_LENGTH(b), COUNT(*) FROM t");
  BECOMES("SELECT CONVERT(bigint, a + 1) FROM t", "SELECT CAST(a + 1 AS SIGNED) FROM t");
  BECOMES("SELECT CONVERT(nvarchar(30), a, 126) FROM t", "SELECT CAST(a AS CHAR(30)) FROM t");
  BECOMES("SELECT CAST(a AS decimal(10,2)) FROM t", "SELECT CAST(a AS DECIMAL(10,2)) FROM t");
  BECOMES("SELECT CAST(a AS nix) FROM t", "error 102 near nix");
  BECOMES("SELECT CONVERT(nix, 1)", "error 243 near nix");
}

Test(translate, strings_and_numbers) {
  BECOMES("SELECT N'it''s', 0x0AfF, 1.5e-3", "SELECT 'it''s', X'0AfF', 1.5e-3");
  BECOMES("SELECT 'a' + 'b'", "error 102 near +");
  BECOMES("SELECT 1 + 2", "SELECT 1 + 2");
}

Test(translate, top_and_words_without_a_meaning) {
  BECOMES("SELECT TOP 5 * FROM t", "SELECT * FROM t LIMIT 5");
  BECOMES("SELECT TOP (5) a FROM t WITH (NOLOCK) OPTION (MAXDOP 1)", "SELECT a FROM t LIMIT 5");
  BECOMES("SELECT TOP x a FROM t", "error 102 near x");
  BECOMES("DELETE t WHERE a = 1", "DELETE FROM t WHERE a = 1");
}

Test(translate, file_stats_is_a_function_there_and_a_table_here) {
  BECOMES("SELECT * FROM sys.dm_io_virtual_file_stats(DB_ID(), NULL)",
          "SELECT * FROM (SELECT * FROM sys.dm_io_virtual_file_stats WHERE database_id = COALESCE(@rk_db_id, database_id) AND "
          "file_id = COALESCE(NULL, file_id)) AS dm_io_virtual_file_stats");
  BECOMES(
      "SELECT v.file_id FROM sys.dm_io_virtual_file_stats(2, 1) AS v",
      "SELECT `v`.`file_id` FROM (SELECT * FROM sys.dm_io_virtual_file_stats WHERE database_id = COALESCE(2, database_id) AND "
      "file_id = COALESCE(1, file_id)) AS v");
  BECOMES("SELECT * FROM sys.dm_io_virtual_file_stats(1)", "error 102 near (");
}

Test(translate, tables) {
  BECOMES("CREATE TABLE dbo.t (a int NOT NULL PRIMARY KEY CLUSTERED, b varchar(10) NULL, c nvarchar(max), d datetime2(7), e bit)",
          "CREATE TABLE `t` (`a` int NOT NULL PRIMARY KEY, `b` varchar(10) CHARACTER SET latin1 NULL, `c` longtext, `d` "
          "datetime(6), `e` tinyint(1))");
  BECOMES("CREATE TABLE t (id int IDENTITY(1, 1) NOT NULL, date datetime) ON [PRIMARY]",
          "CREATE TABLE t (`id` int AUTO_INCREMENT UNIQUE NOT NULL, `date` datetime(3))");
  BECOMES("CREATE TABLE t (a geography)", "error 2715 near geography");
}

/* The statements of a batch, one by one, each in brackets. */
static const char *split(const char *text) {
  static char out[1000];
  struct tokens ts;
  out[0] = '\0';
  tokens_read(&ts, text, strlen(text));
  for (int from = 0; from < ts.n;) {
    int to = statement_end(&ts, from);
    if (to > from) {
      const struct token *a = &ts.t[from], *b = &ts.t[to - 1];
      snprintf(out + strlen(out), sizeof out - strlen(out), "[%.*s]", (int)(b->p + b->len - a->p), a->p);
    }
    from = to == from ? to + 1 : to;
  }
  tokens_free(&ts);
  return out;
}

#define SPLITS(text, want) cr_expect_str_eq(split(text), want)

Test(lex, statements_need_no_semicolons) {
  SPLITS("SET NOCOUNT ON SET FMTONLY ON select * from t SET FMTONLY OFF",
         "[SET NOCOUNT ON][SET FMTONLY ON][select * from t][SET FMTONLY OFF]");
  SPLITS("exec sp_configure 'a', 1\nreconfigure\n", "[exec sp_configure 'a', 1][reconfigure]");
  SPLITS("select 1; select 2;;", "[select 1][select 2]");
  SPLITS("insert t values (1) select 2", "[insert t values (1)][select 2]");
  SPLITS("insert t select a from u select 2", "[insert t select a from u][select 2]");
  SPLITS("select 1 union all select 2 select 3", "[select 1 union all select 2][select 3]");
  SPLITS("update t set a = 1 where b = 2 set nocount on", "[update t set a = 1 where b = 2][set nocount on]");
  SPLITS("alter database x set recovery simple select 1", "[alter database x set recovery simple][select 1]");
  SPLITS("select (select 1) select 2", "[select (select 1)][select 2]");
  SPLITS("begin tran update t set a = 1 commit", "[begin tran][update t set a = 1][commit]");
}

Test(lex, comments_and_quotes) {
  SPLITS("/* a /* nested */ b */ select 1 -- select 2\nselect 'it''s; select 3'", "[select 1][select 'it''s; select 3']");
}

Test(lex, an_open_quote_is_the_last_token) {
  static const char *const open[] = {"select 'abc", "select [abc", "select N'", "'", "[", "\"x"};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    struct tokens ts;
    tokens_read(&ts, open[i], strlen(open[i]));
    cr_assert_gt(ts.n, 0);
    cr_expect_eq(ts.t[ts.n - 1].kind, T_BAD, "%s", open[i]);
    tokens_free(&ts);
  }
}

/* A letter a column: "n" it has a name, "-" it has none; in capitals ("N", "I") it is int. */
static const char *hints(const char *text) {
  static char out[HINTS_MAX + 1];
  struct tokens ts;
  struct hints h;
  tokens_read(&ts, text, strlen(text));
  hints_read(&h, &ts, 0, ts.n);
  for (int i = 0; i < h.n; i++)
    out[i] = h.is_int[i] ? (h.unnamed[i] ? 'I' : 'N') : h.unnamed[i] ? '-' : 'n';
  out[h.n] = '\0';
  tokens_free(&ts);
  return out;
}

Test(hints, names_and_int) {
  static const struct { const char *text, *want; } cases[] = {
    {"SELECT COUNT(*) FROM t", "I"}, {"SELECT COUNT(*) AS n, count(DISTINCT a) m FROM t", "NN"}, {"SELECT COUNT_BIG(*) FROM t", "-"},
    {"SELECT COUNT(*) + 1, 1 + COUNT(*), COUNT(*) * COUNT(*)", "---"}, {"SELECT CAST(a AS int), CONVERT(INT, a) b, CAST(a AS bigint)", "IN-"},
    {"SELECT a, t.a, [t].[a b], db..a, dbo.t.a c FROM t", "nnnnn"}, {"SELECT 1, 'x', @@SPID, NULL, -1", "-----"},
    {"SELECT 1 a, 'x' AS b, @@SPID 'c', NULL AS [d], DB_NAME() e", "nnnnn"}, {"SELECT TOP 3 a, 1 FROM t", "n-"},
    {"SELECT DISTINCT TOP (3) PERCENT WITH TIES COUNT(*) FROM t ORDER BY a, b", "I"}, {"SELECT *, 1 FROM t", ""}, {"SELECT 1, t.*, 2 FROM t", "-"},
    {"SELECT CASE WHEN a = 1 THEN b END, CASE a WHEN 1 THEN b END x", "-n"}, {"SELECT a + b.c, (SELECT COUNT(*) FROM t), f(a, b) c WHERE 1 = 1", "--n"},
    {"SELECT", ""}, {"SELECT ,", ""}, {"SELECT COUNT(", "-"}, {"INSERT t SELECT 1", ""}, {"SELECT 1 UNION SELECT 2", "-"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_str_eq(hints(cases[i].text), cases[i].want, "%s: %s", cases[i].text, hints(cases[i].text));
  char many[4000] = "SELECT 0";
  for (int i = 0; i < 200; i++)
    strcat(many, ", 1");
  cr_expect_eq(strlen(hints(many)), HINTS_MAX);
}

Test(lex, any_bytes_end) {
  unsigned state = 1;
  for (int turn = 0; turn < 3000; turn++) {
    static const char alphabet[] = "'[]\"(),.;-/*@#nN0x1ae \n\\+=<>\xc3\xa4";
    char text[60];
    size_t n = (size_t)turn % sizeof text;
    for (size_t i = 0; i < n; i++) {
      state = state * 1103515245 + 12345;
      text[i] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
    }
    struct tokens ts;
    struct text sql = {0};
    int near;
    tokens_read(&ts, text, n);
    for (int from = 0; from < ts.n;) {
      int to = statement_end(&ts, from);
      struct hints h;
      cr_assert_geq(to, from);
      hints_read(&h, &ts, from, to);
      if (to > from && ts.t[ts.n - 1].kind != T_BAD)
        translate(&ts, from, to, &facts, &sql, &near);
      from = to == from ? to + 1 : to;
    }
    text_free(&sql);
    tokens_free(&ts);
  }
}
