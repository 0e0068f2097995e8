/* cmd: one file a command: parse the options, call below, print; the result is the exit status. */
#ifndef RK_CMD_CMD_H
#define RK_CMD_CMD_H

struct command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
};

/* In the order of the help; ended by a NULL name.  In cmd/table.c. */
extern const struct command commands[];

int cmd_analyze(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_demo(int argc, char **argv);
int cmd_drop(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_sandbox(int argc, char **argv);
int cmd_sql(int argc, char **argv);
int cmd_sweep(int argc, char **argv);

#endif
