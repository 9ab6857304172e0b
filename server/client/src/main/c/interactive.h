/*
 * qsub -I: the user's terminal becomes that of the job. The client listens on a socket that only its
 * user can reach; the supervisor of the run connects, says which job it is, and from then on has the
 * terminal's other end. docs/interactive.md has the protocol.
 */
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>

enum { UNSENT_MAX = 64 * 1024 }; /* typed ahead of a job that does not read */
enum { PASTE = 4096, TEN_MINUTES_MS = 600 * 1000, CALL_AGAIN_MS = 3000 };

static char parlour[64], listening[80]; /* a directory of the user's own, and the socket in it */
static int listener = -1, job_end = -1;
static int attended = 1; /* the gateway has taken on to tell of the job */
static int met;          /* what became of the greeting: 0 when the job knows the terminal */
static struct termios cooked;
static struct bytes unsent; /* frames that the supervisor has not taken yet */
static int raw;
static volatile sig_atomic_t interrupted, resized, ended;

static void leave_raw(void) {
  if (raw) tcsetattr(0, TCSADRAIN, &cooked);
  raw = 0;
}

static void close_parlour(void) {
  leave_raw();
  if (listener >= 0) close(listener), unlink(listening), rmdir(parlour);
  listener = -1;
}

static void note_signal(int signal) {
  if (signal == SIGWINCH) resized = 1;
  else if (signal == SIGINT) interrupted = 1;
  else if (signal == SIGTSTP) {
    static const char sorry[] = "Sorry, you cannot suspend qsub until the job is started\n";
    if (write(1, sorry, sizeof sorry - 1) < 0) ended = 1;
  } else ended = 1;
}

static void hear(int signal, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler}; /* no SA_RESTART: poll comes back */
  sigaction(signal, &action, NULL);
}

/* From here to what ends it, what signals have told is looked at and then waited for without a gap
 * in which one could come and be missed. */
static sigset_t before_looking;

static void begin_looking(void) {
  sigset_t noted;
  sigemptyset(&noted);
  const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&noted, signals[i]);
  sigprocmask(SIG_BLOCK, &noted, &before_looking);
}

static void end_looking(void) { sigprocmask(SIG_SETMASK, &before_looking, NULL); }

static int poll_and_end_looking(struct pollfd *of, int timeout_ms) {
  struct timespec timeout = {timeout_ms / 1000, timeout_ms % 1000 * 1000000L};
  int ready = ppoll(of, 2, timeout_ms < 0 ? NULL : &timeout, &before_looking);
  int why = errno;
  end_looking();
  errno = why;
  return ready;
}

/* Listens for the job; a gateway that asks twice is told the same place. */
static int open_parlour(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!isatty(0) || !isatty(1)) return reply_error(ENOTTY);
  if (listener < 0) {
    strcpy(parlour, "/tmp/millrace-XXXXXX");
    if (!mkdtemp(parlour)) return reply_error(errno);
    snprintf(listening, sizeof listening, "%s/terminal", parlour);
    memcpy(address.sun_path, listening, strlen(listening));
    atexit(close_parlour);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4)) {
      int failure = errno;
      close_parlour();
      return reply_error(failure);
    }
  }
  memcpy(answer + 5, listening, strlen(listening));
  return reply(CHUNK, strlen(listening));
}

/* What the supervisor takes now; -1 when it is gone. */
static int send_unsent(void) {
  size_t sent = 0;
  while (sent < unsent.length) {
    ssize_t n = send(job_end, unsent.at + sent, unsent.length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) return -1;
    if (n < 0) break;
    sent += n;
  }
  unsent.length -= sent;
  if (sent) memmove(unsent.at, unsent.at + sent, unsent.length);
  return 0;
}

/* A frame for the supervisor. It waits here while the job does not read, which may not do so before
 * somebody has read what it shows. */
static int tell(int type, const void *bytes, size_t length) {
  unsigned char head[3] = {type, length >> 8, length};
  add(&unsent, head, sizeof head);
  add(&unsent, bytes, length);
  return send_unsent();
}

static int tell_size(void) {
  struct winsize w = {.ws_row = 24, .ws_col = 80};
  ioctl(0, TIOCGWINSZ, &w);
  unsigned char size[8] = {w.ws_row >> 8, w.ws_row, w.ws_col >> 8, w.ws_col,
                           w.ws_xpixel >> 8, w.ws_xpixel, w.ws_ypixel >> 8, w.ws_ypixel};
  return tell('W', size, sizeof size);
}

static int tell_terminal(void) {
  static const int at[] = {VINTR, VQUIT, VERASE, VKILL, VEOF, VSUSP};
  const char *term = getenv("TERM");
  if (!term || !*term || strlen(term) > 60) term = "unknown";
  unsigned char controls[6];
  for (int i = 0; i < 6; i++) controls[i] = cooked.c_cc[at[i]];
  return tell('T', term, strlen(term)) || tell('C', controls, sizeof controls) || tell_size();
}

/* Whether it is the job that connects: the same user, and the right name. */
static int admit(const char *job) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  char said[512];
  size_t got = 0, expected = strlen(job);
  int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return 0;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid()) return close(fd), 0;
  while (got < sizeof said - 1 && (got == 0 || said[got - 1] != '\n')) {
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    if (poll(&wanted, 1, 5000) <= 0 || read(fd, said + got, 1) != 1) break;
    got++;
  }
  if (got != expected + 1 || memcmp(said, job, expected) || said[expected] != '\n') return close(fd), 0;
  job_end = fd;
  return 1;
}

/* The job may be at the door: it gives up on whoever does not answer for ten seconds. */
static void open_door(const char *job) {
  if (job_end < 0 && admit(job)) met = tell_terminal();
}

static __attribute__((noreturn)) void delete_job(const char *job) {
  char real[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", real, sizeof real - 1);
  pid_t pid = length > 0 ? fork() : -1;
  if (pid == 0) {
    real[length] = 0;
    execl(real, "qdel", job, NULL);
    _exit(127);
  }
  int status = 1;
  if (pid > 0) waitpid(pid, &status, 0);
  if (status == 0) printf("Job %s is being deleted\n", job);
  fflush(stdout);
  exit(1);
}

static void ask_whether_to_go_on(const char *job) {
  char line[64];
  interrupted = 0;
  for (;;) {
    printf("Do you wish to terminate the job and exit (y|[n])? ");
    fflush(stdout);
    struct pollfd both[2] = {{.fd = 0, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    while (poll(both, 2, -1) > 0 && !both[0].revents) {
      open_door(job);
      if (job_end >= 0) both[1].fd = -1;
    }
    ssize_t got = both[0].revents ? read(0, line, sizeof line) : -1;
    if (got < 0 && errno == EINTR && !ended) continue;
    if (got <= 0 || *line == 'y' || *line == 'Y') delete_job(job);
    if (*line == 'n' || *line == 'N' || *line == '\n') return;
    printf("yes or no please\n");
  }
}

/* Characters at the beginning of a line: ~. ends the session, ~ and the suspend character stops qsub. */
static int typed_by_user(const unsigned char *from, size_t length) {
  static int at_start = 1, tilde;
  unsigned char out[2 * PASTE];
  size_t size = 0;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = from[i];
    if (tilde) {
      tilde = 0;
      if (c == '.') return -1;
      if (c == cooked.c_cc[VSUSP]) {
        leave_raw();
        raise(SIGSTOP);
        struct termios modes = cooked;
        cfmakeraw(&modes);
        tcsetattr(0, TCSADRAIN, &modes);
        raw = resized = 1;
        continue;
      }
      out[size++] = '~';
    } else if (at_start && c == '~') {
      tilde = 1;
      continue;
    }
    at_start = c == '\n' || c == '\r' || c == cooked.c_cc[VKILL] || c == cooked.c_cc[VINTR];
    out[size++] = c;
  }
  for (size_t at = 0; at < size; at += PASTE)
    if (tell('D', out + at, size - at < PASTE ? size - at : PASTE)) return -1;
  return 0;
}

/* Until the job's end closes, or the user's. */
static void sit_at_terminal(void) {
  unsigned char bytes[PASTE];
  struct termios modes = cooked;
  cfmakeraw(&modes);
  tcsetattr(0, TCSADRAIN, &modes);
  raw = 1;
  struct pollfd both[2] = {{.fd = 0, .events = POLLIN}, {.fd = job_end, .events = POLLIN}};
  for (;;) {
    int room = unsent.length < UNSENT_MAX;
    begin_looking();
    if (ended || (resized && room && (resized = 0, tell_size()))) {
      end_looking();
      break;
    }
    both[0].fd = room ? 0 : -1;
    both[1].events = POLLIN | (unsent.length ? POLLOUT : 0);
    if (poll_and_end_looking(both, -1) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    if ((both[1].revents & POLLOUT) && send_unsent()) break;
    if (both[1].revents & ~POLLOUT) {
      ssize_t got = read(job_end, bytes, sizeof bytes);
      if (got <= 0 || write_all(1, bytes, got)) break;
    }
    if (both[0].revents) {
      ssize_t got = read(0, bytes, sizeof bytes);
      if (got <= 0 || typed_by_user(bytes, got)) break;
    }
  }
  leave_raw();
}

static int gateway_lost(void) {
  close(gateway); /* the job knows where the terminal is without it */
  gateway = -1;
  return -1;
}

/* What the gateway says while the job is awaited: that it will not come. -1 while there is nothing. */
static int hear_gateway(void) {
  unsigned char head[5];
  if (receive_all(head, 5) || number(head + 1) > FRAME_MAX || receive_all(in, number(head + 1))) return gateway_lost();
  if (head[0] == ATTEND) attended = 1;
  if (!attended && head[0] == EXIT) return gateway_lost(); /* it cannot say anything yet */
  if (attended && (head[0] == OUT || head[0] == ERR)) write_all(head[0] == OUT ? 1 : 2, in, number(head + 1));
  return head[0] == EXIT ? in[0] : -1;
}

/* Asks a gateway that has come back to tell what becomes of the job: as a command of its own, for what
 * was said when the job was submitted is forgotten after a while. */
static void call_gateway(const char *job) {
  struct bytes again = {0};
  if (connect_once()) {
    gateway = -1;
    return;
  }
  introduce(&again);
  add_frame(&again, ARG, "--attend", 8);
  add_frame(&again, ARG, job, strlen(job));
  add_frame(&again, DIRECTORY, "/", 1);
  add_frame(&again, GO, "", 0);
  attended = 0;
  if (send_all(again.at, again.length)) gateway_lost();
  free(again.at);
}

/* The job was submitted: waits for it and hands the terminal over. The exit status of qsub. */
static int attend(const char *job) {
  tcgetattr(0, &cooked);
  hear(SIGINT, note_signal), hear(SIGTERM, note_signal), hear(SIGHUP, note_signal);
  hear(SIGTSTP, note_signal), hear(SIGWINCH, note_signal);
  printf("qsub: waiting for job %s to start\n", job);
  fflush(stdout);
  for (long call_ms = 0; job_end < 0;) {
    struct pollfd both[2] = {{.fd = listener, .events = POLLIN}, {.fd = gateway, .events = POLLIN}};
    begin_looking();
    int told = ended || interrupted;
    int ready = poll_and_end_looking(both, told ? 0 : gateway < 0 ? CALL_AGAIN_MS : TEN_MINUTES_MS);
    if (ended) delete_job(job);
    if (interrupted) ask_whether_to_go_on(job);
    if (ready > 0 && both[0].revents) open_door(job);
    else if (ready > 0 && both[1].revents) {
      int status = hear_gateway();
      if (status >= 0) return status;
    }
    if (job_end < 0 && gateway < 0 && clock_ms() >= call_ms) call_gateway(job), call_ms = clock_ms() + CALL_AGAIN_MS;
  }
  if (gateway >= 0) close(gateway);
  gateway = -1;
  hear(SIGINT, note_signal), hear(SIGTSTP, SIG_DFL);
  if (met == 0) {
    printf("qsub: job %s ready\n\n", job);
    fflush(stdout);
    sit_at_terminal();
  }
  printf("\nqsub: job %s completed\n", job);
  fflush(stdout);
  return 0;
}
