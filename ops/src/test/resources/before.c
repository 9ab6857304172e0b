/*
 * Stands before poll and ppoll of a program that waits at a terminal: at the last moment before it waits
 * the terminal becomes larger, or ^C is typed, once, when a file in its working directory says so.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void something_happens(void) {
  struct winsize size = {.ws_row = 44, .ws_col = 77};
  if (unlink("larger") == 0) ioctl(0, TIOCSWINSZ, &size);
  if (unlink("interrupted") == 0) raise(SIGINT);
}

int poll(struct pollfd *of, nfds_t count, int ms) {
  int (*real)(struct pollfd *, nfds_t, int) = dlsym(RTLD_NEXT, "poll");
  something_happens();
  return real(of, count, ms);
}

int ppoll(struct pollfd *of, nfds_t count, const struct timespec *time, const sigset_t *mask) {
  int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) = dlsym(RTLD_NEXT, "ppoll");
  something_happens();
  return real(of, count, time, mask);
}
