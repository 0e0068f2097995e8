#include "config.h"

#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "cmd/cmd.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct args {
  const char *name;
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct args *a = state->input;
  if (key != ARGP_KEY_ARG)
    return ARGP_ERR_UNKNOWN;
  if (a->name)
    argp_error(state, "one name at a time, please");
  a->name = arg;
  return 0;
}

/* What 'sweep --dead-man' puts on the server: the statement that makes the job, and the job's own text. */
static int print_dead_man(void) {
  const struct sqltext *make = sqltext_find("server/dead_man_make"), *step = sqltext_find("server/dead_man");
  fwrite(make->text, 1, make->size, stdout);
  printf("\n/* ---- the step of the job: @step_1 + @step_2 + @step_3 ---- */\n\n");
  fwrite(step->text, 1, step->size, stdout);
  return STATUS_DONE;
}

int cmd_sql(int argc, char **argv) {
  static const struct argp argp = {
    .parser = parse,
    .args_doc = "[NAME]",
    .doc = "Print a statement that ramknee would run, exactly as it is sent; without NAME list all of them."
           "\vTwo are scripts for a DBA, which ramknee never sends: 'grant' gives a login no more than what ramknee needs, 'signed' "
           "makes a procedure that can change 'max server memory' alone, within a range.  'dead-man' prints the job of SQL Server Agent "
           "that 'ramknee sweep --dead-man' makes.",
  };
  struct args a = {0};
  argp_parse(&argp, argc, argv, 0, NULL, &a);
  size_t n;
  const struct sqltext *all = sqltext_all(&n);
  if (!a.name) {
    for (size_t i = 0; i < n; i++)
      printf("%s\n", all[i].tag);
    return STATUS_DONE;
  }
  if (strcmp(a.name, "dead-man") == 0)
    return print_dead_man();
  char *script = xprintf("scripts/%s", a.name);
  const struct sqltext *t = sqltext_find(a.name);
  t = t ? t : sqltext_find(script);
  free(script);
  if (!t) {
    struct cause c;
    cause_set(&c, STATUS_SETUP, "there is no statement named '%s'", a.name);
    cause_remedy(&c, "'ramknee sql' lists the names");
    say_cause(&c);
    return STATUS_SETUP;
  }
  fwrite(t->text, 1, t->size, stdout);
  return STATUS_DONE;
}
