# RK_SANITIZE: --with-sanitizer=address|thread builds with ASan + UBSan, or with TSan.
AC_DEFUN([RK_SANITIZE], [
  AC_ARG_WITH([sanitizer],
    [AS_HELP_STRING([--with-sanitizer=KIND], [build with 'address' (ASan and UBSan) or 'thread' (TSan)])],
    [], [with_sanitizer=no])
  RK_SAN_FLAGS=
  AS_CASE([$with_sanitizer],
    [no], [],
    [address], [RK_SAN_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"],
    [thread], [RK_SAN_FLAGS="-fsanitize=thread -fno-omit-frame-pointer"],
    [AC_MSG_ERROR([--with-sanitizer takes address or thread, not '$with_sanitizer'])])
  AC_SUBST([RK_SAN_FLAGS])
])
