#include "config.h"

#include "analysis/sheet.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "cmd/analysis.h"
#include "cmd/cmd.h"
#include "cmd/option.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPT_MEMORY = 0x1000,
  OPT_METRIC,
  OPT_ERROR,
  OPT_MEMORY_UNIT,
  OPT_UNIT,
  OPT_SENSE,
  OPT_NOISE,
  OPT_TOLERANCE,
  OPT_SLO,
  OPT_FORMAT,
  OPT_SEED,
  OPT_WHERE,
  OPT_TO,
  OPT_NO_PICTURES
};

#define NOTES_SAID 10 /* rows left out that are named; the rest is counted */

struct args {
  const char *path, *to;
  int no_pictures;
  struct points_options points;
  struct verdict_options verdict;
  int json;
  size_t nslo, nwhere;
  char **slo, **where;
};

static void parse_sense(struct argp_state *state, const char *arg, int *sense) {
  if (strcmp(arg, "less") == 0)
    *sense = LESS_IS_BETTER;
  else if (strcmp(arg, "more") == 0)
    *sense = MORE_IS_BETTER;
  else
    argp_error(state, "--sense is less or more (which is better), not '%.60s'", arg);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  struct cause c = {0};
  switch (key) {
  case OPT_MEMORY: a->points.memory = arg; break;
  case OPT_METRIC: a->points.metric = arg; break;
  case OPT_ERROR: a->points.error = arg; break;
  case OPT_MEMORY_UNIT:
    a->points.memory_unit = option_name(state, "--memory-unit", "unit", arg);
    if (!isnan(points_unit_ms(arg)))
      argp_error(state, "--memory-unit is GB, MB, KB, TB, bytes or a word such as pages, not the time unit '%.60s'", arg);
    break;
  case OPT_UNIT:
    a->points.unit = arg;
    if (isnan(points_unit_ms(arg)))
      argp_error(state, "--unit is ms, us, s or ns, not '%.60s'", arg);
    break;
  case OPT_SENSE: parse_sense(state, arg, &a->points.sense); break;
  case OPT_NOISE: option_check(state, share_parse(arg, "--noise", 0.0001, 1, &a->verdict.noise, &c), &c); break;
  case OPT_TOLERANCE: option_check(state, share_parse(arg, "--tolerance", 0.001, 0.5, &a->verdict.tolerance, &c), &c); break;
  case OPT_SEED: a->verdict.seed = option_seed(state, arg); break;
  case OPT_SLO:
    a->slo = xrealloc(a->slo, a->nslo + 1, sizeof *a->slo);
    a->slo[a->nslo++] = arg;
    break;
  case OPT_WHERE:
    a->where = xrealloc(a->where, a->nwhere + 1, sizeof *a->where);
    a->where[a->nwhere++] = arg;
    break;
  case OPT_TO: a->to = option_name(state, "--to", "folder", arg); break;
  case OPT_NO_PICTURES: a->no_pictures = 1; break;
  case OPT_FORMAT:
    a->json = strcmp(arg, "json") == 0;
    if (!a->json && strcmp(arg, "text") != 0)
      argp_error(state, "--format is text or json, not '%.60s'", arg);
    break;
  case ARGP_KEY_ARG:
    if (a->path)
      argp_error(state, "one table at a time, please");
    a->path = option_name(state, NULL, "table", arg);
    break;
  case ARGP_KEY_END:
    if (a->no_pictures && !a->to)
      argp_error(state, "--no-pictures belongs to --to: without a folder there are none");
    break;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which table? Name a file of tab- or comma-separated text, or - for the standard input");
    break;
  default: return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* ---- limits ---- */

/* "5ms", "5 ms", "1200": a number and maybe a unit of time, which the column's own unit must then be known for. */
static int limit_value(const struct points *p, const char *text, double *limit, struct cause *c) {
  char figure[40];
  size_t n = strspn(text, "0123456789.,+-eE"), skip = n + strspn(text + n, " ");
  double unit_ms = points_unit_ms(text + skip);
  int plain = text[skip] == '\0' || strcmp(text + skip, "%") == 0;
  snprintf(figure, sizeof figure, "%.*s", n < sizeof figure ? (int)n : 0, text);
  if (sheet_number(figure, limit) != 0 || !(*limit > 0) || (!plain && isnan(unit_ms))) {
    cause_set(c, STATUS_SETUP, "'%.60s' is no limit for '%.60s'", text, p->metric_name);
    return cause_remedy(c, "write a number above 0, for a latency with its unit: --slo p95=5ms");
  }
  if (plain)
    return 0;
  if (isnan(p->ms_per_unit)) {
    cause_set(c, STATUS_SETUP, "the unit of '%.60s' is not known, so it cannot be held against %.60s", p->metric_name, text);
    return cause_remedy(c, "write the unit into the heading (latency_ms), or say --unit=ms, or give the limit without a unit");
  }
  *limit *= unit_ms / p->ms_per_unit;
  return 0;
}

static int judge_limit(struct outside *a, const struct sheet *t, const struct args *args, const char *slo, struct cause *c) {
  const char *equals = strchr(slo, '=');
  struct outside_limit l = {0};
  if (!equals || equals == slo) {
    cause_set(c, STATUS_SETUP, "'%.60s' is no limit", slo);
    return cause_remedy(c, "write the metric and its limit: --slo p95=5ms");
  }
  char *name = xprintf("%.*s", (int)(equals - slo), slo);
  int column = points_column(t, name, a->points.metric_name, c);
  free(name);
  if (column < 0)
    return -1;
  /* Of another column only the table's own words count, but for the memory. */
  struct points_options o = args->points;
  if (strcmp(t->column[column], a->points.metric_name) != 0) {
    o.sense = -1;
    o.unit = o.error = NULL;
  }
  o.metric = t->column[column];
  if (points_take(&l.points, t, &o, c) != 0 || limit_value(&l.points, equals + 1, &l.limit, c) != 0) {
    points_free(&l.points);
    return -1;
  }
  struct verdict_options v = args->verdict;
  v.sense = l.points.sense;
  l.answer = verdict_slo(l.points.point, l.points.n, &v, l.limit);
  l.words = xprintf("at or %s %g%s%s", v.sense == MORE_IS_BETTER ? "above" : "below", l.limit, *l.points.unit ? " " : "",
                    l.points.unit);
  a->limit = xrealloc(a->limit, a->nlimit + 1, sizeof *a->limit);
  a->limit[a->nlimit++] = l;
  return 0;
}

/* ---- the command ---- */

static void say_left_out(const struct points *p) {
  for (size_t i = 0; i < p->nnote && i < NOTES_SAID; i++)
    warn("line %zu of the table was left out: %s", p->note[i].line, p->note[i].text);
  if (p->nnote > NOTES_SAID)
    warn("%zu more lines of the table were left out", p->nnote - NOTES_SAID);
}

/* --where COLUMN=VALUE: the rows of one of the things that the table compares. */
static int choose_rows(struct sheet *t, const struct args *args, struct cause *c) {
  for (size_t i = 0; i < args->nwhere; i++) {
    const char *equals = strchr(args->where[i], '=');
    char *name = xprintf("%.*s", equals ? (int)(equals - args->where[i]) : 0, args->where[i]);
    int column = *name ? sheet_column(t, name) : -1;
    free(name);
    if (column < 0) {
      cause_set(c, STATUS_SETUP, "'%.60s' names no column of the table and a value in it", args->where[i]);
      return cause_remedy(c, "write a heading (or its number) and a value that stands below it: --where engine=innodb");
    }
    if (sheet_keep(t, column, equals + 1) == 0) {
      cause_set(c, STATUS_SETUP, "no row of the table has '%.60s' in column '%.60s'", equals + 1, t->column[column]);
      return cause_remedy(c, "write the value as it stands in the table");
    }
  }
  return 0;
}

static int judge(struct outside *a, const struct sheet *t, const struct args *args, struct cause *c) {
  if (points_take(&a->points, t, &args->points, c) != 0)
    return -1;
  a->options = args->verdict;
  a->options.sense = a->points.sense;
  if (outside_judge(a) != 0)
    return cause_set(c, STATUS_SETUP, "the table's points cannot be judged");
  for (size_t i = 0; i < args->nslo; i++)
    if (judge_limit(a, t, args, args->slo[i], c) != 0)
      return -1;
  return 0;
}

/* What is printed, and the folder when one was asked for. */
static int tell(const struct outside *a, const struct sheet *t, const struct args *args, struct cause *c) {
  struct text text = {0}, out = {0};
  int drawn = 0, rc = 0;
  analysis_text(&text, a);
  if (args->json)
    analysis_json(&out, a);
  else
    text_add(&out, text.s);
  if (args->to)
    rc = outside_report(args->to, a, t, &args->points, !args->no_pictures, &text, &drawn, c);
  if (!args->json && args->to && rc == 0) {
    text_add(&out, "\nFiles in ");
    text_visible(&out, args->to);
    text_addf(&out, ": report.html has everything in one page; %s in plots/; figures in steps.tsv and verdict.json.\n",
              drawn ? "pictures and their scripts for gnuplot" : "scripts for gnuplot");
  } else if (!args->json && !args->to)
    text_add(&out, "\nPictures and a page with everything: --to FOLDER.\n");
  if (rc == 0)
    fwrite(out.s, 1, out.len, stdout);
  text_free(&text);
  text_free(&out);
  return rc;
}

static int analyze(const struct args *args, struct cause *c) {
  int from_stdin = strcmp(args->path, "-") == 0, status = STATUS_SETUP;
  struct outside a = {.name = from_stdin ? "standard input" : args->path};
  struct sheet *t = NULL;
  char *data = NULL;
  size_t size;
  if (file_read(from_stdin ? "/dev/stdin" : args->path, SHEET_BYTES_MAX, &data, &size, c) != 0)
    return STATUS_SETUP;
  if (sheet_parse(&t, data, size, c) != 0 || choose_rows(t, args, c) != 0 || judge(&a, t, args, c) != 0)
    goto out;
  say_left_out(&a.points);
  if (tell(&a, t, args, c) == 0)
    status = a.points.nbad ? STATUS_INCOMPLETE : STATUS_DONE;
out:
  for (size_t i = 0; i < a.nlimit; i++) {
    points_free(&a.limit[i].points);
    free(a.limit[i].words);
  }
  free(a.limit);
  points_free(&a.points);
  sheet_free(t);
  free(data);
  return status;
}

int cmd_analyze(int argc, char **argv) {
  static const struct argp_option options[] = {
      {"memory", OPT_MEMORY, "COLUMN", 0, "The column of the memory, by its heading or number (default: found by its name)", 0},
      {"metric", OPT_METRIC, "COLUMN", 0,
       "The column to judge: a latency, reads or throughput (default: p95, else another latency, throughput, reads)", 0},
      {"error", OPT_ERROR, "COLUMN", 0,
       "The column of the metric's standard error, in its unit, or in percent when its heading says so", 0},
      {"memory-unit", OPT_MEMORY_UNIT, "UNIT", 0,
       "GB, MB, KB, TB or bytes (default: from the heading); any other word, such as pages, is a unit of its own", 0},
      {"unit", OPT_UNIT, "UNIT", 0, "Unit of a latency: ms, us, s or ns (default: from the heading)", 0},
      {"sense", OPT_SENSE, "less|more", 0, "Which is better (default: from the heading)", 0},
      {"noise", OPT_NOISE, "SHARE", 0, "Relative standard error of a point without one (default 3%)", 0},
      {"tolerance", OPT_TOLERANCE, "SHARE", 0, "Within this of the largest memory's is \"the same\" (default 5%)", 0},
      {"slo", OPT_SLO, "COLUMN=LIMIT", 0, "The smallest memory that keeps a limit, such as p95=5ms; may be repeated", 0},
      {"where", OPT_WHERE, "COLUMN=VALUE", 0, "Only the rows with this value in that column; may be repeated", 0},
      {"to", OPT_TO, "FOLDER", 0, "Also write pictures with their gnuplot scripts, report.html, verdict.json and steps.tsv there", 0},
      {"no-pictures", OPT_NO_PICTURES, 0, 0, "With --to: write the gnuplot scripts, but do not run gnuplot", 0},
      {"format", OPT_FORMAT, "text|json", 0, "How to print the verdict (default text)", 0},
      {"seed", OPT_SEED, "N", 0, "Seed of the resampling behind the confidence (default 1)", 0},
      {0},
  };
  static const struct argp argp = {
      .options = options,
      .parser = parse,
      .args_doc = "TABLE",
      .doc = "Plateau edge, knee and limits from a table of measurements that any tool has made: a heading, then a row for each "
             "memory setting, separated by tabs, semicolons, commas, bars or blanks; lines that begin with # are left out. TABLE may be "
             "- for the standard input.\v"
             "Exit status: 0 done; 1 the table could not be judged; 2 rows that could not be read were left out (each is named "
             "by its line).",
  };
  struct args a = {.points = {.sense = -1}, .verdict = VERDICT_DEFAULTS};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  struct cause c = {0};
  int status = analyze(&a, &c);
  if (status == STATUS_SETUP)
    say_cause(&c);
  free(a.slo);
  free(a.where);
  return status;
}
