# RK_WARNINGS: put into AM_CFLAGS' RK_WARN_CFLAGS those warnings that the compiler knows; the user's CFLAGS stay the user's.
AC_DEFUN([RK_WARNINGS], [
  RK_WARN_CFLAGS=
  rk_save_cflags=$CFLAGS
  for rk_flag in -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
                 -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wformat=2 -Wno-format-nonliteral \
                 -Wlogical-op -Wduplicated-cond -fno-common; do
    CFLAGS="$rk_save_cflags -Werror $rk_flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [RK_WARN_CFLAGS="$RK_WARN_CFLAGS $rk_flag"])
  done
  CFLAGS=$rk_save_cflags
  AS_IF([test "x$enable_werror" = xyes], [RK_WARN_CFLAGS="$RK_WARN_CFLAGS -Werror"])
  AC_SUBST([RK_WARN_CFLAGS])
])
