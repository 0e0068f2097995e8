/* RPC messages. */
#include "config.h"

#include "values.h"

#include "sandbox/tds_in.h"

const char fuzz_name[] = "rpc";
const int fuzz_rounds = 50000;

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) {
  struct arena a = {0};
  struct rpc_in in;
  struct rpc rpc;
  if (rpc_start(&in, p, n, &a) == 0)
    while (rpc_next(&in, &rpc) == 1) {
      FUZZ_MUST(rpc.name && rpc.nparam >= 0 && rpc.nparam <= RPC_MOST_PARAMS);
      for (int i = 0; i < rpc.nparam; i++)
        value_holds(&rpc.param[i].column, &rpc.param[i].value);
    }
  arena_free(&a);
  return 0;
}

void fuzz_seeds(void (*add)(const void *, size_t)) {
  struct text t = {0};
  for (int i = 0; i < VALUE_SEEDS; i++) {
    text_clear(&t);
    put_headers(&t);
    put_rpc(&t, "dbo.p");
    put_int_param(&t, "@a", 1, 7);
    put_param(&t, "@b", 0);
    text_addn(&t, value_seed[i].bytes, value_seed[i].n);
    if (i % 2) {
      put_uint(&t, 0xFF, 1);
      put_uint(&t, 0xFFFF, 2);
      put_uint(&t, 10, 2);
      put_uint(&t, 0, 2);
      put_text_param(&t, "", "select 1");
    }
    add(t.s, t.len);
  }
  text_free(&t);
}
