#include "config.h"

#include "base/log.h"
#include "base/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *name = "ramknee";
static int tee_fd = -1, quiet, live;
static int64_t last_progress;
static char live_text[400];

/* The whole line in one write, so that lines of two processes do not mix; a failed write to stderr has nobody to be told to. */
static void out(int fd, const char *s, size_t n) {
  while (n > 0) {
    ssize_t w = write(fd, s, n);
    if (w <= 0)
      return;
    s += w;
    n -= (size_t)w;
  }
}

static void clear_live(void) {
  if (live)
    out(STDERR_FILENO, "\r\033[K", 4);
  live = 0;
}

static void draw_live(void) {
  struct winsize w;
  size_t cols = ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 8 ? w.ws_col : 80;
  char line[sizeof live_text + 8];
  int n = snprintf(line, sizeof line, "\r\033[K%.*s", (int)(cols - 1), live_text);
  out(STDERR_FILENO, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
  live = 1;
}

/* Names from outside may hold what a terminal obeys: control characters are shown as \xHH. */
static void one_line(const char *raw, char *text, size_t size) {
  size_t n = 0;
  for (; *raw && n + 5 < size; raw++) {
    unsigned char c = (unsigned char)*raw, next = (unsigned char)raw[1];
    int c1 = c == 0xc2 && next >= 0x80 && next < 0xa0;
    if ((c < 0x20 && c != '\t') || c == 0x7f || c1)
      n += (size_t)snprintf(text + n, size - n, "\\x%02x", c1 ? next : c);
    else
      text[n++] = *raw;
    raw += c1;
  }
  text[n] = '\0';
}

static void line(int to_stderr, const char *kind, const char *fmt, va_list ap) {
  char raw[1400], text[1400], whole[1600], stamp[32];
  vsnprintf(raw, sizeof raw, fmt, ap);
  one_line(raw, text, sizeof text);
  pthread_mutex_lock(&lock);
  if (to_stderr) {
    int was_live = live;
    clear_live();
    int n = snprintf(whole, sizeof whole, "%s: %s%s\n", name, kind, text);
    out(STDERR_FILENO, whole, (size_t)n < sizeof whole ? (size_t)n : sizeof whole - 1);
    if (was_live)
      draw_live();
  }
  if (tee_fd >= 0) {
    int n = snprintf(whole, sizeof whole, "%s %s%s\n", wall_text(wall_ns(), stamp, sizeof stamp), kind, text);
    out(tee_fd, whole, (size_t)n < sizeof whole ? (size_t)n : sizeof whole - 1);
  }
  pthread_mutex_unlock(&lock);
}

#define LINE(err, kind)                                                                                                          \
  do {                                                                                                                           \
    va_list ap;                                                                                                                  \
    va_start(ap, fmt);                                                                                                           \
    line(err, kind, fmt, ap);                                                                                                    \
    va_end(ap);                                                                                                                  \
  } while (0)

void say(const char *fmt, ...) {
  LINE(!quiet, "");
}

void warn(const char *fmt, ...) {
  LINE(1, "warning: ");
}

static void error_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void error_line(const char *fmt, ...) {
  LINE(1, "error: ");
}

static void plain_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void plain_line(const char *fmt, ...) {
  LINE(1, "");
}

void say_cause(const struct cause *c) {
  error_line("%s", c->text[0] ? c->text : "failed without a reason");
  if (c->remedy[0])
    plain_line("  %s", c->remedy);
}

void warn_cause(const struct cause *c) {
  warn("%s", c->text);
  if (c->remedy[0])
    plain_line("  %s", c->remedy);
}

void log_tee(int fd) {
  pthread_mutex_lock(&lock);
  tee_fd = fd;
  pthread_mutex_unlock(&lock);
}

void log_quiet(int on) {
  quiet = on;
}

void log_name(const char *n) {
  name = n;
}

void progress(int force, const char *fmt, ...) {
  char text[sizeof live_text];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  if (quiet)
    return;
  pthread_mutex_lock(&lock);
  if (isatty(STDERR_FILENO)) {
    memcpy(live_text, text, sizeof text);
    if (text[0])
      draw_live();
    else
      clear_live();
  } else if (text[0] && (force || mono_ns() - last_progress >= 10 * INT64_C(1000000000))) {
    last_progress = mono_ns();
    char whole[sizeof text + 64];
    int n = snprintf(whole, sizeof whole, "%s: %s\n", name, text);
    out(STDERR_FILENO, whole, (size_t)n < sizeof whole ? (size_t)n : sizeof whole - 1);
  }
  pthread_mutex_unlock(&lock);
}

void log_results(int status, void *unused) {
  (void)unused;
  errno = 0;
  int failed = ferror(stdout);
  if (fclose(stdout) == 0 && !failed)
    return;
  if (status == STATUS_NOT_PUT_BACK) /* its last line is the statement to run by hand */
    return;
  int err = errno ? errno : EIO;
  struct cause c;
  cause_errno(&c, STATUS_INCOMPLETE, err, "cannot write the results to the standard output");
  if (err != EPIPE)
    say_cause(&c);
  _exit(STATUS_INCOMPLETE);
}
