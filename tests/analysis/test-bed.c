/* The verdict on curves whose knee is known: ten made by hand, and the test bed's kinds by the hundred, with the share that comes
 * out right. */
#include "config.h"

#include "bed.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct verdict judge(size_t n, const double *gb, const double *y, enum verdict_sense sense, double noise) {
  struct verdict_point p[BED_POINTS];
  struct verdict_options o = VERDICT_DEFAULTS;
  struct verdict v;
  for (size_t i = 0; i < n; i++)
    p[i] = (struct verdict_point){gb[i] * 1024, y[i], NAN, NULL, 0};
  o.sense = sense;
  o.noise = noise;
  o.draws = 200;
  cr_assert_eq(verdict_find(p, n, &o, &v), 0);
  return v;
}

static int holds(const struct bracket *b, double gb) {
  return b->found && b->a_mib <= gb * 1024 && gb * 1024 <= b->b_mib;
}

/* ---- ten curves ---- */

/* The knee is at k: 0 none.  `second` a lower shoulder. */
static void one(const char *what, size_t n, const double *gb, const double *y, enum verdict_sense sense, double k, double second,
                enum plateau plateau) {
  struct verdict v = judge(n, gb, y, sense, 0.03);
  cr_expect_eq(v.plateau, plateau, "%s: plateau %d", what, v.plateau);
  if (k > 0)
    cr_expect(holds(&v.knee, k) || holds(&v.edge, k) || holds(&v.knee2, k), "%s: knee (%g, %g), edge %g|%g", what,
              v.knee.a_mib / 1024, v.knee.b_mib / 1024, v.edge.a_mib / 1024, v.edge.b_mib / 1024);
  else
    cr_expect_not(v.knee.found, "%s: knee (%g, %g)", what, v.knee.a_mib / 1024, v.knee.b_mib / 1024);
  if (second > 0)
    cr_expect(holds(&v.knee2, second) || holds(&v.knee, second), "%s: second knee (%g, %g)", what, v.knee2.a_mib / 1024,
              v.knee2.b_mib / 1024);
  else
    cr_expect_not(v.knee2.found, "%s: a second knee (%g, %g)", what, v.knee2.a_mib / 1024, v.knee2.b_mib / 1024);
}

#define ONE(what, gb, y, sense, k, second, plateau) one(what, sizeof(gb) / sizeof *(gb), gb, y, sense, k, second, plateau)

Test(ten, curves_with_a_known_knee) {
  const double halvings[] = {4, 8, 16, 32, 64, 128}, steps[] = {8, 16, 32, 64, 96, 128},
               uneven[] = {6, 10, 12, 18, 40, 44, 90, 128};
  const double even[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}, wide[] = {2, 4, 8, 16, 32, 64, 128, 256};
  double y[12];
  /* 1: a hinge at 24 GB */
  for (int i = 0; i < 6; i++)
    y[i] = 2 * fmax(1, 24 / halvings[i]);
  ONE("hinge", halvings, y, LESS_IS_BETTER, 24, 0, PLATEAU_EDGE);
  /* 2: smooth, about 32 GB */
  for (int i = 0; i < 6; i++)
    y[i] = 2 * pow(1 + pow(30 / steps[i], 4), 0.3);
  ONE("smooth", steps, y, LESS_IS_BETTER, 30, 0, PLATEAU_EDGE);
  /* 3: two shoulders, 8 and 64 GB */
  const double two[] = {20, 10, 3.1, 3, 2.9, 1, 1, 1};
  ONE("two knees", wide, two, LESS_IS_BETTER, 64, 8, PLATEAU_EDGE);
  /* 4: none, and flat */
  const double flat[] = {5.05, 5, 4.95, 5, 5.1, 5};
  ONE("flat", steps, flat, LESS_IS_BETTER, 0, 0, PLATEAU_FLAT);
  /* 5: none, and rising: each doubling takes a quarter off */
  for (int i = 0; i < 6; i++)
    y[i] = 100 * pow(halvings[i], -0.415);
  ONE("rising steps", halvings, y, LESS_IS_BETTER, 0, 0, PLATEAU_NOT_REACHED);
  /* 6: throughput that rises faster and faster */
  const double faster[] = {100, 120, 150, 200, 280, 420};
  ONE("below the knee throughout", halvings, faster, MORE_IS_BETTER, 0, 0, PLATEAU_NOT_REACHED);
  /* 7: noisy (3 %), a hinge at 45 GB, even steps */
  const double wiggle[] = {0.02, -0.03, 0.01, -0.02, 0.03, 0.01, -0.03, 0.02, 0.015, -0.01, 0.02, 0};
  for (int i = 0; i < 12; i++)
    y[i] = 3 * fmax(1, pow(45 / even[i], 1.5)) * (1 + wiggle[i]);
  ONE("noisy", even, y, LESS_IS_BETTER, 45, 0, PLATEAU_EDGE);
  /* 8: unequal spacing, a hinge at 30 GB */
  for (int i = 0; i < 8; i++)
    y[i] = 3 * fmax(1, 30 / uneven[i]);
  ONE("unequal spacing", uneven, y, LESS_IS_BETTER, 30, 0, PLATEAU_EDGE);
  /* 9: saturating throughput, 15 to 4 % short from 38 to 66 GB */
  for (int i = 0; i < 12; i++)
    y[i] = -1000 * expm1(-even[i] / 20);
  ONE("saturating", even, y, MORE_IS_BETTER, 55, 0, PLATEAU_EDGE);
  /* 10: reads with a cliff at 70 GB and a floor */
  const double cliff[] = {300, 280, 255, 225, 185, 120, 6, 5, 5, 5, 5, 5};
  ONE("cliff and floor", even, cliff, LESS_IS_BETTER, 65, 0, PLATEAU_EDGE);
}

/* ---- by the hundred ---- */

#define CURVES 40

struct tally {
  int n, knee, right, lower, not_reached, flat, none;
};

static void count(struct tally *t, const struct bed_curve *b, const struct verdict *v) {
  double lo, hi;
  const struct bracket *all[] = {&v->knee, &v->knee2, &v->edge};
  int in[3], lower = 0;
  bed_expected(b, b->from_gb, b->to_gb, &lo, &hi);
  for (int i = 0; i < 3; i++)
    in[i] = all[i]->found && all[i]->a_mib / 1024 >= lo - 1e-9 && all[i]->b_mib / 1024 <= hi + 1e-9;
  for (int i = 0; i < 2; i++)
    lower |= b->lower_gb > 0 && holds(all[i], b->lower_gb);
  t->n++;
  t->knee += in[0] || in[1];
  t->right += in[0] || in[1] || in[2];
  t->lower += lower;
  t->not_reached += v->plateau == PLATEAU_NOT_REACHED;
  t->flat += v->plateau == PLATEAU_FLAT;
  t->none += !v->knee.found;
}

static struct tally try(enum bed_kind kind, double noise) {
  struct tally t = {0};
  for (uint64_t i = 0; i < CURVES; i++) {
    struct rng r = rng_at(41, (uint64_t)kind, i);
    struct bed_curve b;
    bed_make(&b, kind, noise, &r);
    struct verdict v = judge(b.n, b.mem_gb, b.y, b.sense, 0.03);
    count(&t, &b, &v);
  }
  fprintf(stderr,
          "%-16s noise %.0f %%: right %3d of %d (by the knee alone %d), lower shoulder %d, not reached %d, flat %d, no knee %d\n",
          bed_name[kind], 100 * noise, t.right, t.n, t.knee, t.lower, t.not_reached, t.flat, t.none);
  return t;
}

Test(bed, knees) {
  const double least[3] = {0.85, 0.85, 0.7}, noise[3] = {0, 0.01, 0.03};
  for (int q = 0; q < 3; q++)
    for (int kind = BED_HINGE; kind <= BED_TWO; kind++) {
      struct tally t = try((enum bed_kind)kind, noise[q]);
      cr_expect(t.right >= least[q] * t.n, "%s, noise %g: %d of %d are right", bed_name[kind], noise[q], t.right, t.n);
    }
}

Test(bed, none) {
  const double noise[3] = {0, 0.01, 0.03};
  for (int q = 0; q < 3; q++) {
    struct tally power = try(BED_POWER, noise[q]), concave = try(BED_CONCAVE, noise[q]), flat = try(BED_FLAT, noise[q]);
    cr_expect_geq(power.not_reached, 0.85 * power.n);
    cr_expect_geq(power.none, 0.95 * power.n);
    cr_expect_geq(concave.not_reached, 0.95 * concave.n);
    cr_expect_geq(concave.none, 0.95 * concave.n);
    cr_expect_geq(flat.flat, 0.9 * flat.n);
  }
}
