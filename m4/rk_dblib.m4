# RK_DBLIB: find FreeTDS's db-lib (it ships no pkg-config file) and probe the calls that came late, never by version.
AC_DEFUN([RK_DBLIB], [
  AC_CHECK_HEADER([sybdb.h], [],
    [AC_MSG_ERROR([sybdb.h was not found: install FreeTDS's development files (Debian: freetds-dev)])])
  rk_save_libs=$LIBS
  AC_CHECK_LIB([sybdb], [dbopen], [DBLIB_LIBS=-lsybdb],
    [AC_MSG_ERROR([libsybdb was not found: install FreeTDS's development files (Debian: freetds-dev)])])
  LIBS="$rk_save_libs -lsybdb"
  AC_CHECK_DECLS([DBSETENCRYPTION, DBSETLDBNAME, DBSETUTF16], [], [], [[#include <sybfront.h>
#include <sybdb.h>]])
  AC_CHECK_FUNCS([dbsetlversion dbiordesc bcp_options])
  LIBS=$rk_save_libs
  AC_SUBST([DBLIB_LIBS])
])
