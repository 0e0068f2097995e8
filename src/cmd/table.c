#include "config.h"

#include "cmd/cmd.h"

#include <stddef.h>

const struct command commands[] = {
  {"sql", "print any SQL that ramknee would run, for review", cmd_sql},
  {NULL, NULL, NULL},
};
