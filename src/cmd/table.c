#include "config.h"

#include "cmd/cmd.h"

#include <stddef.h>

const struct command commands[] = {
  {"demo", "rehearse the whole job on this machine, without a SQL Server", cmd_demo},
  {"check", "see what is there and what stands in the way; nothing is changed", cmd_check},
  {"load", "make a database and load a mix into it", cmd_load},
  {"sweep", "step the memory setting down, measure each step, put the setting back", cmd_sweep},
  {"measure", "one point at the memory as it is, or a working day; nothing is changed", cmd_measure},
  {"report", "tables, verdict, pictures of a run folder, offline", cmd_report},
  {"analyze", "plateau edge, knee and limits from somebody else's measured table", cmd_analyze},
  {"restore", "put the setting back that a broken-off sweep has left", cmd_restore},
  {"drop", "remove the database that load made, and only that", cmd_drop},
  {"sql", "print any SQL that ramknee would run, for review", cmd_sql},
  {"sandbox", "the rehearsal server, in the foreground", cmd_sandbox},
  {NULL, NULL, NULL},
};
