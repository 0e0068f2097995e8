/* For which memory a point stands. */
#include "config.h"

#include "sweep/here.h"

#include <criterion/criterion.h>

static int64_t mib(struct here_memory m, const char **from) {
  return here_memory(&m, from);
}

#define NO_LIMIT 2147483647

Test(here, memory) {
  const char *from;
  struct here_memory m = {.engine_edition = 3, .max_in_use_mib = 32768, .target_kib = INT64_C(32768) * 1024, .total_kib = INT64_C(20000) * 1024};
  cr_expect_eq(mib(m, &from), 32768);
  cr_expect_str_eq(from, "max server memory");

  struct here_memory said = m;
  said.given_mib = 12288;
  cr_expect_eq(mib(said, &from), 12288, "what the user says comes first");
  cr_expect_str_eq(from, "--memory");

  struct here_memory low = m;
  low.target_kib = INT64_C(16384) * 1024;
  cr_expect_eq(mib(low, &from), 16384, "a machine or an edition that has less than the setting");
  low.target_kib = INT64_C(32000) * 1024;
  cr_expect_eq(mib(low, &from), 32768, "a target that is only rounded");

  struct here_memory none = m;
  none.max_in_use_mib = NO_LIMIT;
  none.target_kib = INT64_C(50000) * 1024;
  cr_expect_eq(mib(none, &from), 50000, "no limit: the target");
  none.target_kib = ABSENT;
  cr_expect_eq(mib(none, &from), 20000, "no target: what is held");
  cr_expect_str_eq(from, "what the server holds");
  none.total_kib = ABSENT;
  cr_expect_eq(mib(none, &from), 0, "nothing is known: never a number");
  cr_expect_null(from);

  struct here_memory hidden = m;
  hidden.max_in_use_mib = ABSENT;
  cr_expect_eq(mib(hidden, &from), 32768, "no setting to be seen: the target");
  cr_expect_str_eq(from, "the server's target");

  struct here_memory blind = m;
  blind.target_kib = blind.total_kib = ABSENT;
  cr_expect_eq(mib(blind, &from), 32768, "the setting alone is enough");

  struct here_memory azure = m;
  azure.engine_edition = 5;
  azure.target_kib = INT64_C(3000) * 1024;
  azure.max_in_use_mib = 3000;
  cr_expect_eq(mib(azure, &from), 3000);
  cr_expect_str_eq(from, "the server's target", "a database of Azure has no setting of its own, whatever it shows");
}
