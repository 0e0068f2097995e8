/* The echo session behind the real listener, for client programs: prints its port, ends with its standard input. */
#include "config.h"

#include "base/log.h"
#include "echo.h"
#include "sandbox/listener.h"

#include <stdio.h>
#include <unistd.h>

int main(void) {
  struct server server = {0};
  struct cause c;
  struct listener *l = listener_start(&server, &(struct listener_options){.server_name = "echo"}, &c);
  if (!l) {
    say_cause(&c);
    return 1;
  }
  printf("%d\n", listener_port(l));
  fflush(stdout);
  char b;
  while (read(STDIN_FILENO, &b, 1) > 0) {
  }
  listener_free(l);
  printf("sessions %ld rows %ld resets %ld broken %ld cancelled %d\n", server.sessions, server.rows, server.resets, server.broken,
         server.cancelled);
  return 0;
}
