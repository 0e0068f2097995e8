/* ramknee-sandbox: a SQL Server stand-in for rehearsals. */
#include "config.h"

int main(void) {
  return 1;
}
