/*
 * What a run may do so as not to be found. Each process has TOKEN in its command line.
 *
 *   attack chains N TOKEN     N processes that fork and exit at once, and their children do the same
 *   attack sessions N TOKEN   the same, each process in a session of its own
 *   attack bomb N TOKEN       N processes that fork as long as they live, each child alike
 *   attack session N TOKEN    N processes that stay, each in a session of its own
 *   attack daemon N TOKEN     the same by a double fork
 *   attack stranger N TOKEN   the same, without the variables that they were started with
 *   attack memory KB TOKEN    uses so much memory, and stays
 *   attack shared KB TOKEN    four processes that have so much memory together
 *   attack address KB TOKEN   takes so much room for addresses, uses none of it, and stays
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void chain(int own_session) {
  for (;;) {
    pid_t pid = fork();
    if (pid > 0) _exit(0);
    if (pid < 0) sched_yield();
    else if (own_session) setsid();
  }
}

static void bomb(void) {
  for (;;) {
    pid_t pid = fork();
    if (pid == 0) setsid();
    if (pid < 0) sched_yield();
  }
}

static void stay(void) {
  for (;;) pause();
}

static void fill(size_t kb, int touch) {
  char *room = mmap(NULL, kb << 10, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) _exit(9);
  for (size_t at = 0; touch && at < kb << 10; at += 4096) room[at] = 1;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  const char *what = argv[1];
  long amount = atol(argv[2]);
  if (!strcmp(what, "memory") || !strcmp(what, "shared") || !strcmp(what, "address")) {
    fill((size_t)amount, *what != 'a');
    for (int i = 0; i < 3 && *what == 's'; i++)
      if (fork() == 0) break;
    stay();
  }
  if (!strcmp(what, "stay")) stay();
  for (long i = 0; i < amount; i++) {
    if (fork() != 0) continue;
    if (!strcmp(what, "chains")) chain(0);
    if (!strcmp(what, "sessions")) chain(1);
    if (!strcmp(what, "bomb")) bomb();
    setsid();
    if (!strcmp(what, "session")) stay();
    if (fork() != 0) _exit(0);
    char *no_variables[] = {NULL}, *again[] = {argv[0], "stay", "0", argv[3], NULL};
    if (!strcmp(what, "stranger")) execve(argv[0], again, no_variables);
    stay();
  }
  return 0;
}
