/*
 * The thin client of Millrace in C: docs/client-protocol.md has the frames and the rules.
 *
 * It tells the gateway who is called how and where, serves the gateway's requests for files and
 * standard input with the user's own rights, holds the output back until the exit status is there,
 * and runs the same invocation again, under the same id, when the gateway dies in between.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { /* client to gateway, gateway to client: the table of docs/client-protocol.md */
  HELLO = 0x01, ARG, ENV, DIRECTORY, GO, CHUNK = 0x10, END, ERROR, TOO_LARGE, DONE,
  OUT = 0x20, ERR, COMMIT, READ_FILE, READ_STDIN, OPEN_FILE, READ_CHUNK, CLOSE_FILE,
  WRITE_BEGIN, WRITE_PART, WRITE_END, EXIT, BUSY, LISTEN, ATTEND, NOTE, UNDER_WAY
};
enum { VERSION = 1, FRAME_MAX = 256 * 1024, REPLAY_MAX = 2 << 20, HELD_MAX = 8 << 20, HANDLES = 8 };
enum { BROKEN = -1, TURNED_AWAY = -2, FIRST_CONNECT_MS = 3000, FIRST_PAUSE_MS = 20, NOTE_AFTER_MS = 2000 };
enum { TIMED_OUT = 110 }; /* the exit status while the outcome is open */

struct bytes { unsigned char *at; size_t length, room; };

static const char *command;
static char socket_path[PATH_MAX + 32], busy_text[512], java_client[PATH_MAX];
static char open_id[64]; /* a command goes or went out: the id under which it is done once */
static int gateway = -1, repeatable = 1, shown, shut_out, noted, handles[HANDLES];
static long waited_ms, budget_ms = 20000, pause_ms = FIRST_PAUSE_MS;
static mode_t mask;
static struct bytes opening, held, typed; /* typed: standard input that was consumed */
static off_t input_start;                 /* where a seekable standard input began, else -1 */
static size_t replayed;
static int input_ended;
static unsigned char in[FRAME_MAX + 1], answer[5 + FRAME_MAX];
static struct { int fd, failure, append; off_t before; char path[PATH_MAX], temporary[PATH_MAX + 8]; } writing = {.fd = -1};

static __attribute__((noreturn, format(printf, 2, 3))) void stop(int status, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  fprintf(stderr, "%s: ", command);
  vfprintf(stderr, text, arguments);
  fputc('\n', stderr);
  exit(status);
}

static void add(struct bytes *to, const void *from, size_t length) {
  if (to->length + length > to->room) {
    to->room = (to->length + length) * 2;
    if (!(to->at = realloc(to->at, to->room))) stop(1, "out of memory");
  }
  if (length) memcpy(to->at + to->length, from, length);
  to->length += length;
}

static void header(unsigned char *to, int type, uint32_t length) {
  unsigned char bytes[5] = {type, length >> 24, length >> 16, length >> 8, length};
  memcpy(to, bytes, 5);
}

static void add_frame(struct bytes *to, int type, const void *from, size_t length) {
  unsigned char head[5];
  if (length > FRAME_MAX) stop(1, "an argument or variable of %zu bytes is too long", length);
  header(head, type, length);
  add(to, head, 5);
  add(to, from, length);
}

static uint32_t number(const unsigned char *at) {
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* All of it, or -1; a broken connection is no signal here. */
static int send_all(const unsigned char *from, size_t length) {
  while (length) {
    ssize_t sent = send(gateway, from, length, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return -1;
    if (sent > 0) from += sent, length -= sent;
  }
  return 0;
}

static int receive_all(unsigned char *to, size_t length) {
  while (length) {
    ssize_t got = recv(gateway, to, length, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return -1;
    if (got > 0) to += got, length -= got;
  }
  return 0;
}

/* Whether to try again: a signal came, or somebody made the descriptor non-blocking. */
static int again(int fd, short event) {
  struct pollfd wanted = {.fd = fd, .events = event};
  if (errno == EAGAIN) return poll(&wanted, 1, -1) >= 0 || errno == EINTR;
  return errno == EINTR;
}

static int write_all(int fd, const unsigned char *from, size_t length) {
  while (length) {
    ssize_t written = write(fd, from, length);
    if (written < 0 && !again(fd, POLLOUT)) return -1;
    if (written > 0) from += written, length -= written;
  }
  return 0;
}

static ssize_t read_some(int fd, unsigned char *to, size_t most) {
  ssize_t got;
  do got = read(fd, to, most); while (got < 0 && again(fd, POLLIN));
  return got;
}

/* Sends the answer whose payload stands in the answer buffer. */
static int reply(int type, size_t length) {
  header(answer, type, length);
  return send_all(answer, 5 + length);
}

static int reply_error(int failure) {
  return reply(ERROR, snprintf((char *)answer + 5, 256, "%s", strerror(failure)));
}

static int reply_read(ssize_t got, int failure) {
  return got < 0 ? reply_error(failure) : got == 0 ? reply(END, 0) : reply(CHUNK, got);
}

/* One line while the user waits, and no second one. */
static void note(const char *line) {
  if (!noted) fprintf(stderr, "%s", line), fputs(strchr(line, '\n') ? "" : "\n", stderr);
  noted = 1;
}

/* Ends with a failure; what is not known is said, and how to have it done once. */
static __attribute__((noreturn)) void give_up(int status, const char *what) {
  if (!*open_id) stop(status, "%s", what);
  stop(TIMED_OUT, "%s; it may still be carried out; repeated as %s --command-id %s ... it is done once", what,
       strncmp(command, "sge/", 4) ? command : command + 4, open_id);
}

/* Shows what is held back, in the order in which it came. */
static void show(void) {
  for (size_t at = 0; at < held.length; at += 5 + number(held.at + at + 1)) {
    int fd = held.at[at] == OUT ? 1 : 2;
    if (write_all(fd, held.at + at + 5, number(held.at + at + 1)) && fd == 1 && !shut_out) {
      shut_out = 1; /* the command itself did its work: only the exit status tells */
      fprintf(stderr, "%s: standard output: %s\n", command, strerror(errno));
    }
  }
  held.length = 0;
}

/* Opens for reading; what cannot be read twice makes the invocation unrepeatable. */
static int open_to_read(const char *path) {
  struct stat status;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && (fstat(fd, &status) || !S_ISREG(status.st_mode))) repeatable = 0;
  return fd;
}

static int read_file(uint32_t most, const char *path) {
  uint64_t total = 0;
  ssize_t got = 0;
  int failed = 0, fd = open_to_read(path);
  if (fd < 0) return reply_error(errno);
  while (!failed && total <= most && (got = read_some(fd, answer + 5, FRAME_MAX)) > 0) {
    total += got;
    if (total <= most) failed = reply(CHUNK, got);
  }
  int failure = errno;
  close(fd);
  if (failed) return -1;
  return total > most ? reply(TOO_LARGE, 0) : reply_read(got, failure);
}

static int read_stdin(uint32_t most) {
  ssize_t got;
  if (most > FRAME_MAX) most = FRAME_MAX;
  if (replayed < typed.length) {
    got = typed.length - replayed < most ? typed.length - replayed : most;
    memcpy(answer + 5, typed.at + replayed, got);
    replayed += got;
    return reply(CHUNK, got);
  }
  if (input_ended) return reply(END, 0);
  got = read_some(0, answer + 5, most);
  int failure = errno;
  if (input_start < 0 && got == 0) input_ended = 1;
  if (input_start < 0 && got > 0) {
    if (typed.length + got > REPLAY_MAX) repeatable = 0;
    if (repeatable) add(&typed, answer + 5, got), replayed = typed.length;
  }
  return reply_read(got, failure);
}

static int open_file(unsigned handle, const char *path) {
  if (handle >= HANDLES || handles[handle] >= 0) return reply_error(EMFILE);
  if ((handles[handle] = open_to_read(path)) < 0) return reply_error(errno);
  return reply(DONE, 0);
}

static int read_chunk(unsigned handle, uint32_t most) {
  if (handle >= HANDLES) return reply_error(EBADF);
  ssize_t got = read_some(handles[handle], answer + 5, most < FRAME_MAX ? most : FRAME_MAX);
  return reply_read(got, errno);
}

static void close_file(unsigned handle) {
  if (handle < HANDLES && handles[handle] >= 0) close(handles[handle]), handles[handle] = -1;
}

static void write_begin(int append, const char *path) {
  writing.failure = 0, writing.append = append;
  size_t length = strnlen(path, PATH_MAX);
  if (length < PATH_MAX) {
    memcpy(writing.path, path, length + 1);
    memcpy(writing.temporary, path, length);
    memcpy(writing.temporary + length, ".XXXXXX", 8);
  }
  if (length == PATH_MAX) writing.fd = -1, errno = ENAMETOOLONG;
  else if (append) writing.fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  else writing.fd = mkostemp(writing.temporary, O_CLOEXEC);
  if (writing.fd < 0) writing.failure = errno;
  else if (append) writing.before = lseek(writing.fd, 0, SEEK_END);
}

/* Takes back what a write that did not end has left. */
static void write_abandon(void) {
  if (writing.fd < 0) return;
  if (!writing.append) unlink(writing.temporary);
  else if (writing.before >= 0 && ftruncate(writing.fd, writing.before) && !writing.failure) writing.failure = errno;
  close(writing.fd);
  writing.fd = -1;
}

/* Done means that a machine that stops has it; EINVAL: a pipe or terminal, which keeps nothing. */
static int sync_file(int fd) {
  return fsync(fd) && errno != EINVAL && errno != EROFS ? -1 : 0;
}

static int write_end(void) {
  if (!writing.failure && !writing.append && fchmod(writing.fd, 0666 & ~mask)) writing.failure = errno;
  if (!writing.failure && sync_file(writing.fd)) writing.failure = errno;
  if (!writing.failure && !writing.append && rename(writing.temporary, writing.path)) writing.failure = errno;
  if (writing.failure) return write_abandon(), reply_error(writing.failure);
  int failed = close(writing.fd);
  writing.fd = -1;
  return failed ? reply_error(errno) : reply(DONE, 0);
}

static void introduce(struct bytes *to);
static int connect_once(void);
static long clock_ms(void);

#include "interactive.h"

/* One connection from the opening to the end: the exit status, BROKEN or TURNED_AWAY. */
static int converse(void) {
  unsigned char head[5];
  if (*open_id) opening.at[5 + 18] |= 8; /* this gateway is not the first that hears of it */
  send_all(opening.at, opening.length); /* turned away in between: the reason can still be read */
  for (;;) {
    int failed = 0;
    if (receive_all(head, 5)) return BROKEN;
    uint32_t length = number(head + 1);
    if (length > FRAME_MAX) stop(1, "the gateway sent a frame of %u bytes", length);
    if (receive_all(in, length)) return BROKEN;
    const char *text = (char *)in;
    in[length] = 0;
    static const uint32_t least[] = {[READ_FILE - OUT] = 4, [READ_STDIN - OUT] = 4, [OPEN_FILE - OUT] = 1,
      [READ_CHUNK - OUT] = 5, [CLOSE_FILE - OUT] = 1, [WRITE_BEGIN - OUT] = 1, [EXIT - OUT] = 1, [ATTEND - OUT] = 1,
      [UNDER_WAY - OUT] = 1};
    if (head[0] < OUT || head[0] > UNDER_WAY || length < least[head[0] - OUT])
      stop(1, "the gateway sent an unknown frame (type 0x%02x, %u bytes)", head[0], length);
    switch (head[0]) {
      case OUT: case ERR:
        add_frame(&held, head[0], in, length);
        if (held.length > HELD_MAX) shown = 1;
        break;
      case COMMIT: shown = 1; break;
      case READ_FILE: failed = read_file(number(in), text + 4); break;
      case READ_STDIN: failed = read_stdin(number(in)); break;
      case OPEN_FILE: failed = open_file(in[0], text + 1); break;
      case READ_CHUNK: failed = read_chunk(in[0], number(in + 1)); break;
      case CLOSE_FILE: close_file(in[0]); break;
      case WRITE_BEGIN: write_abandon(); write_begin(in[0], text + 1); break;
      case WRITE_PART:
        if (!writing.failure && write_all(writing.fd, in, length)) writing.failure = errno;
        break;
      case WRITE_END: failed = write_end(); break;
      case EXIT: show(); return in[0];
      case LISTEN: failed = open_parlour(); break;
      case ATTEND: show(); return listener < 0 ? BROKEN : attend(strdup(text));
      case NOTE: note(text); break;
      case UNDER_WAY: snprintf(open_id, sizeof open_id, "%.63s", text); break;
      case BUSY: snprintf(busy_text, sizeof busy_text, "%.511s", text); return TURNED_AWAY;
    }
    if (failed) return BROKEN;
    if (shown) show(), repeatable = 0;
  }
}

/* Everything as it was before the connection, so that the next one starts from the beginning. */
static void rewind_all(void) {
  held.length = replayed = 0;
  write_abandon();
  for (unsigned handle = 0; handle < HANDLES; handle++) close_file(handle);
  if (input_start >= 0) lseek(0, input_start, SEEK_SET);
}

static long clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/* A conversation no shorter than all the time for waiting was not another failure in a row. */
static void conversed(long ms) {
  if (ms >= budget_ms) waited_ms = 0, pause_ms = FIRST_PAUSE_MS;
}

/* False once the time that may be spent waiting is used up. */
static int wait_a_little(long most_ms) {
  unsigned char random = 0;
  if (waited_ms >= most_ms) return 0;
  if (getrandom(&random, 1, GRND_NONBLOCK) < 0) random = getpid();
  long ms = pause_ms / 2 + pause_ms * random / 256; /* spread, so that many clients do not come together */
  if (ms > most_ms - waited_ms) ms = most_ms - waited_ms;
  struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&rest, &rest) && errno == EINTR) continue;
  waited_ms += ms;
  pause_ms = pause_ms * 2 < 500 ? pause_ms * 2 : 500;
  return 1;
}

static int connect_once(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(socket_path) >= sizeof address.sun_path)
    stop(1, "socket path longer than %zu bytes: %s", sizeof address.sun_path - 1, socket_path);
  memcpy(address.sun_path, socket_path, strlen(socket_path));
  if ((gateway = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) < 0) return errno;
  if (!connect(gateway, (struct sockaddr *)&address, sizeof address) && fcntl(gateway, F_SETFL, 0) >= 0) return 0;
  int failure = errno; /* EAGAIN: too many callers are waiting to be let in */
  close(gateway);
  return failure;
}

/* PBS's lines and exit codes for a server that cannot be reached; qmgr names none. */
static __attribute__((noreturn)) void unreachable(int failure, const char *what) {
  char host[256] = "", line[sizeof socket_path + 512];
  const char *submit = strrchr(command, '/');
  const char *undone = strcmp(submit ? submit + 1 : command, "qsub") || *open_id ? "" : "not submitted: ";
  if (failure == ENOENT || failure == EAGAIN) failure = ECONNREFUSED;
  if (!strcmp(command, "qmgr")) {
    fprintf(stderr, "%s\nqmgr: cannot connect to server \n", strerror(failure));
    snprintf(line, sizeof line, "%s at %s; start it with ./millrace up", what, socket_path);
    give_up(3, line);
  }
  gethostname(host, sizeof host - 1);
  host[strcspn(host, ".")] = 0;
  int status = !strcmp(command, "qstat") ? 255 : *command == 'q' ? failure & 255 : 1;
  snprintf(line, sizeof line, "cannot connect to server %s (errno=%d): %s%s at %s; start it with ./millrace up",
           host, failure, undone, what, socket_path);
  give_up(status, line);
}

static int in_sge(const char *folder) {
  const char *slash = strrchr(folder, '/');
  return slash && !strcmp(slash, "/sge");
}

/* Grid Engine's commands have the names of others: the folder of this program tells them apart. */
static void find_family(void) {
  static char full[64];
  char real[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", real, sizeof real - 1);
  if (length <= 0) return;
  real[length] = 0;
  if (!in_sge(dirname(real))) return;
  snprintf(full, sizeof full, "sge/%s", command);
  command = full;
}

static void find_socket(void) {
  char real[PATH_MAX];
  const char *given = getenv("MILLRACE_SOCKET"), *home = getenv("MILLRACE_HOME");
  ssize_t length;
  if (given && *given) snprintf(socket_path, sizeof socket_path, "%s", given);
  else if (home && *home) snprintf(socket_path, sizeof socket_path, "%s/run/gateway.sock", home);
  else if ((length = readlink("/proc/self/exe", real, sizeof real - 1)) > 0) {
    real[length] = 0; /* HOME/bin/millrace-client: two names up; HOME/bin/sge/...: three */
    char *folder = dirname(real);
    if (in_sge(folder)) folder = dirname(folder);
    snprintf(socket_path, sizeof socket_path, "%s/run/gateway.sock", dirname(folder));
  } else stop(1, "no socket: set MILLRACE_SOCKET or MILLRACE_HOME");
}

/* The first line of a small file, without its end; empty when there is none. */
static void first_line(const char *path, char *line, int size) {
  FILE *file = fopen(path, "re");
  if (!file || !fgets(line, size, file)) *line = 0;
  if (file) fclose(file);
  line[strcspn(line, "\n")] = 0;
}

/* The folder of this program: HOME/bin, also for Grid Engine's commands. */
static const char *own_folder(void) {
  static char real[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", real, sizeof real - 1);
  if (length <= 0) length = 0;
  real[length] = 0;
  char *folder = dirname(real);
  return in_sge(folder) ? dirname(folder) : folder;
}

/* The client in Java takes over; comes back when it cannot be started. */
static void become_java(char **args) {
  char dist[PATH_MAX] = "";
  const char *folder = own_folder(), *given = getenv("MILLRACE_DIST");
  snprintf(java_client, sizeof java_client, "%s/millrace-client-java", folder);
  if (given && *given) snprintf(dist, sizeof dist, "%s", given);
  else if (access(java_client, X_OK)) { /* HOME/bin: HOME/etc/dist names the distribution */
    snprintf(java_client, sizeof java_client, "%s/../etc/dist", folder);
    first_line(java_client, dist, sizeof dist);
  }
  if (*dist && snprintf(java_client, sizeof java_client, "%s/bin/millrace-client-java", dist) >= (int)sizeof java_client)
    stop(1, "the path of the distribution is too long");
  int count = 0;
  while (args[count]) count++;
  char **line = calloc(count + 3, sizeof *line);
  if (!line) stop(1, "out of memory");
  line[0] = java_client, line[1] = (char *)command;
  memcpy(line + 2, args, count * sizeof *line);
  execv(java_client, line);
}

/* A gateway of another host is reached over HTTPS, which the client in Java speaks. */
static void go_far(char **args) {
  const char *url = getenv("MILLRACE_URL");
  if (!url || !*url) return;
  become_java(args);
  stop(1, "MILLRACE_URL is set and %s cannot be started: %s", java_client, strerror(errno));
}

/* Directives that are typed at a terminal are edited by the client in Java; without it they are plain lines. */
static void edit_lines(char **args) {
  char path[PATH_MAX], java[PATH_MAX];
  const char *plain = getenv("MILLRACE_PLAIN_LINES");
  if (strcmp(command, "qmgr") || !isatty(0) || !isatty(1) || (plain && *plain)) return;
  for (char **each = args; *each; each++)
    if (!strncmp(*each, "--", 2) || (**each == '-' && strchr(*each, 'c'))) return; /* nothing is typed */
  if (snprintf(path, sizeof path, "%s/../etc/java", own_folder()) >= (int)sizeof path) return;
  first_line(path, java, sizeof java);
  if (!*java || access(java, X_OK)) return;
  if (setenv("MILLRACE_JAVA", java, 1) || setenv("MILLRACE_SOCKET", socket_path, 1)) return;
  become_java(args);
}

/* The directory by the name the user's shell has for it, as long as it is the same one. */
static const char *current_directory(char *room, size_t size) {
  struct stat named, here;
  const char *name = getenv("PWD");
  if (name && *name == '/' && !stat(name, &named) && !stat(".", &here) && named.st_dev == here.st_dev &&
      named.st_ino == here.st_ino) return name;
  if (!getcwd(room, size)) stop(1, "current directory: %s", strerror(errno));
  return room;
}

/* The first frame: who calls, by what name, and the id of this command. */
static void introduce(struct bytes *to) {
  unsigned char hello[23] = {VERSION >> 8, VERSION & 255};
  struct winsize window = {0};
  struct timespec now;
  const char *given = getenv("COLUMNS");
  if (getrandom(hello + 2, 16, 0) != 16) stop(1, "random numbers: %s", strerror(errno));
  clock_gettime(CLOCK_REALTIME, &now); /* UUID version 7: shards forget commands by this time */
  for (int i = 0; i < 6; i++)
    hello[2 + i] = (now.tv_sec * 1000ULL + now.tv_nsec / 1000000) >> (40 - 8 * i);
  hello[8] = (hello[8] & 0x0f) | 0x70, hello[10] = (hello[10] & 0x3f) | 0x80;
  ioctl(1, TIOCGWINSZ, &window);
  unsigned columns = window.ws_col ? window.ws_col : given && atoi(given) > 0 ? (unsigned)atoi(given) & 0xffff : 80;
  hello[18] = (isatty(0) ? 1 : 0) | (isatty(1) ? 2 : 0) | 4; /* 4: serves terminals */
  hello[19] = columns >> 8, hello[20] = columns, hello[21] = mask >> 8, hello[22] = mask;
  struct bytes first = {0};
  add(&first, hello, sizeof hello);
  add(&first, command, strlen(command));
  add_frame(to, HELLO, first.at, first.length);
  free(first.at);
}

static void build_opening(char **args, char **env) {
  char room[PATH_MAX];
  const char *directory = current_directory(room, sizeof room);
  umask(mask = umask(0));
  introduce(&opening);
  while (*args) add_frame(&opening, ARG, *args, strlen(*args)), args++;
  for (; *env; env++) add_frame(&opening, ENV, *env, strlen(*env));
  add_frame(&opening, DIRECTORY, directory, strlen(directory));
  add_frame(&opening, GO, "", 0);
}

/*
 * Whoever closed standard input or output has our next descriptor there, and that is the connection
 * to the gateway: it would be read as standard input, without an end. What stands there instead
 * fails as a closed one does.
 */
static void occupy_standard_descriptors(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd) exit(1);
}

int main(int argc, char **argv, char **env) {
  struct stat input;
  occupy_standard_descriptors();
  const char *seconds = getenv("MILLRACE_CLIENT_TIMEOUT_S");
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  command = slash ? slash + 1 : argc > 0 ? argv[0] : "millrace";
  if (argc > 0) argv++;
  if (!strcmp(command, "millrace-client")) { /* called by its own name: the command comes first */
    if (argc < 2) stop(2, "usage: millrace-client COMMAND [ARGUMENT...]");
    command = *argv++;
  }
  find_family();
  go_far(argv);
  if (seconds && *seconds) {
    char *end;
    long given = strtol(seconds, &end, 10);
    if (*end || given < 0 || given > 86400) stop(1, "MILLRACE_CLIENT_TIMEOUT_S=%s: give seconds from 0 to 86400", seconds);
    budget_ms = given * 1000;
  }
  memset(handles, -1, sizeof handles);
  input_start = fstat(0, &input) || !S_ISREG(input.st_mode) ? -1 : lseek(0, 0, SEEK_CUR);
  find_socket();
  edit_lines(argv);
  build_opening(argv, env);
  for (int reached = 0;;) {
    int failure = connect_once(), status = BROKEN;
    long most_ms = !reached && budget_ms > FIRST_CONNECT_MS ? FIRST_CONNECT_MS : budget_ms;
    if (!failure) {
      reached = 1, most_ms = budget_ms;
      long begun_ms = clock_ms();
      status = converse();
      conversed(clock_ms() - begun_ms);
      if (gateway >= 0) close(gateway);
      if (status >= 0) return shut_out && !status ? 1 : status;
      if (!repeatable)
        give_up(1, "the connection to the gateway broke and this command cannot be repeated: see what it has done");
      rewind_all();
    }
    if (reached && waited_ms >= NOTE_AFTER_MS && waited_ms < most_ms) {
      char line[sizeof socket_path + 128];
      snprintf(line, sizeof line, "%s: waiting for the gateway at %s", command, socket_path);
      note(line);
    }
    if (wait_a_little(most_ms)) continue;
    if (status == TURNED_AWAY) give_up(1, busy_text);
    unreachable(failure ? failure : ECONNREFUSED, reached ? "the gateway went away" : "no gateway");
  }
}
