/* ramknee: how much RAM does a SQL Server workload need?  The command table; each command is a file in cmd/. */
#include "config.h"

#include "base/file.h"
#include "base/log.h"
#include "base/sqltext.h"
#include "base/text.h"
#include "cmd/cmd.h"

#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *command_find(const char *name) {
  for (const struct command *c = commands; c->name; c++)
    if (strcmp(c->name, name) == 0)
      return c;
  return NULL;
}

static void usage(FILE *f) {
  fprintf(f, "Usage: ramknee COMMAND [OPTION...]\n"
             "Find how much RAM a SQL Server workload needs: step 'max server memory' down,\n"
             "measure storage reads and transaction latency at each step, show the knee.\n\n");
  for (const struct command *c = commands; c->name; c++)
    fprintf(f, "  %-9s %s\n", c->name, c->summary);
  fprintf(f, "\n'ramknee COMMAND --help' explains a command, 'man ramknee' all of them.\n"
             "'ramknee demo' rehearses the whole job on this machine, without a SQL Server.\n");
}

int main(int argc, char **argv) {
  file_hold_standard();
  setlocale(LC_ALL, "C"); /* files and figures look the same everywhere */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* a limit on file sizes is an error like a full disk, not a death */
  on_exit(log_results, NULL);
  argp_err_exit_status = STATUS_SETUP;
  struct cause c;
  if (sqltext_init(&c) != 0) {
    say_cause(&c);
    return STATUS_SETUP;
  }
  if (argc < 2) {
    usage(stderr);
    return STATUS_SETUP;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "-h") == 0) {
    const struct command *of = argc > 2 ? command_find(argv[2]) : NULL;
    if (of) {
      char *args[] = {xprintf("ramknee %s", of->name), (char[]){"--help"}, NULL};
      return of->run(2, args);
    }
    usage(stdout);
    return STATUS_DONE;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    printf("ramknee %s\n", PACKAGE_VERSION);
    return STATUS_DONE;
  }
  const struct command *cmd = command_find(argv[1]);
  if (!cmd) {
    cause_set(&c, STATUS_SETUP, "there is no command '%s'", argv[1]);
    cause_remedy(&c, "'ramknee --help' lists the commands");
    say_cause(&c);
    return STATUS_SETUP;
  }
  /* argp takes the program's name from argv[0]: messages then begin with "ramknee sweep:". */
  argv[1] = xprintf("ramknee %s", cmd->name);
  program_invocation_name = program_invocation_short_name = argv[1];
  return cmd->run(argc - 1, argv + 1);
}
