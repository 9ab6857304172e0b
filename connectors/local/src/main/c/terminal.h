/*
 * The terminal of an interactive run, as millrace-supervisor.c keeps it: the shell has one end of a
 * pseudo terminal, the supervisor the other, and passes on what goes between it and the socket on
 * which qsub -I listens. docs/interactive.md has the protocol.
 */
#include <sys/ioctl.h>
#include <sys/un.h>
#include <termios.h>

enum {
  CONTROL_CHARACTERS = 6,
  TERM_MAX = 64,
  PIECE = 4096,
  GREETING_MS = 10 * 1000,
  FAREWELL_MS = 2 * 1000,
};

struct piece {
  char bytes[PIECE];
  size_t size;
};

struct terminal {
  int socket, master; /* -1: there is none, or it is closed */
  char term[TERM_MAX], slave[64];
  struct winsize size;
  unsigned char controls[CONTROL_CHARACTERS]; /* intr, quit, erase, kill, eof, susp */
  bool sized, controlled;
  bool gone; /* the other end has closed */
  bool hung; /* nobody of the run has the terminal open now */
  unsigned char frame[3 + PIECE];             /* one that has not come whole */
  size_t frame_size;
  struct piece typed, shown;
};

/* Connects with the owner's rights: root may reach sockets that the owner may not. */
static int connect_as(const struct owner *w, const char *path, char *why, size_t room) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    snprintf(why, room, "%s", strerror(ENAMETOOLONG));
    return -1;
  }
  memcpy(address.sun_path, path, strlen(path));
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) {
    snprintf(why, room, "%s", strerror(errno));
    return -1;
  }
  bool root = geteuid() == 0;
  static gid_t own[MAX_GROUPS];
  int count = root ? getgroups(MAX_GROUPS, own) : 0;
  gid_t group = getegid();
  int failed = root && (count < 0 || setgroups((size_t)w->group_count, w->groups) < 0 ||
                        setegid(w->gid) < 0 || seteuid(w->uid) < 0);
  if (!failed) failed = connect(fd, (struct sockaddr *)&address, sizeof address);
  int error = errno;
  if (root && (seteuid(0) < 0 || setegid(group) < 0 || setgroups((size_t)count, own) < 0)) _exit(1);
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (!failed && (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.uid != w->uid)) {
    failed = 1;
    error = EPERM; /* somebody else's */
  }
  if (!failed) return fd;
  snprintf(why, room, "%s", strerror(error));
  close(fd);
  return -1;
}

static unsigned short two(const unsigned char *at) { return (unsigned short)(at[0] << 8 | at[1]); }

/* One whole frame of the client. */
static void take_frame(struct terminal *t, unsigned char type, const unsigned char *at, size_t size) {
  if (type == 'D' && t->typed.size + size <= sizeof t->typed.bytes) {
    memcpy(t->typed.bytes + t->typed.size, at, size);
    t->typed.size += size;
  } else if (type == 'T' && size < sizeof t->term) {
    memcpy(t->term, at, size);
    t->term[size] = 0;
  } else if (type == 'C' && size == sizeof t->controls) {
    memcpy(t->controls, at, size);
    t->controlled = true;
  } else if (type == 'W' && size == 8) {
    t->size = (struct winsize){two(at), two(at + 2), two(at + 4), two(at + 6)};
    t->sized = true;
    if (t->master >= 0) ioctl(t->master, TIOCSWINSZ, &t->size);
  }
}

/* Reads frames while there is room for what they may hold. */
static void hear_client(struct terminal *t) {
  while (t->typed.size == 0 && !t->gone) {
    size_t wanted = 3;
    if (t->frame_size >= 3) wanted += two(t->frame + 1);
    if (wanted > sizeof t->frame) { /* no client of ours */
      t->gone = true;
      return;
    }
    if (t->frame_size == wanted) {
      take_frame(t, t->frame[0], t->frame + 3, wanted - 3);
      t->frame_size = 0;
      continue;
    }
    ssize_t n = read(t->socket, t->frame + t->frame_size, wanted - t->frame_size);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) t->gone = true;
    else t->frame_size += (size_t)n;
    if (t->frame_size == 3 && two(t->frame + 1) == 0) { /* an empty frame says nothing */
      t->frame_size = 0;
    }
  }
}

static void drop(struct piece *p, size_t size) {
  p->size -= size;
  memmove(p->bytes, p->bytes + size, p->size);
}

/* False when nobody can take any more. */
static bool pour(int fd, struct piece *p) {
  while (p->size > 0) {
    ssize_t n = write(fd, p->bytes, p->size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    drop(p, (size_t)n);
  }
  return true;
}

/* What the run shows; no terminal is left when all that had it open are gone. */
static void hear_run(struct terminal *t) {
  while (t->master >= 0 && t->shown.size < sizeof t->shown.bytes) {
    ssize_t n = read(t->master, t->shown.bytes + t->shown.size, sizeof t->shown.bytes - t->shown.size);
    if (n < 0 && errno == EINTR) continue;
    t->hung = n <= 0 && !(n < 0 && errno == EAGAIN);
    if (n <= 0) return;
    t->shown.size += (size_t)n;
  }
}

/* Passes on what can be passed on now; closed: poll says that nobody has the other end. */
static void relay(struct terminal *t, bool closed) {
  if (t->socket < 0 || t->gone) return;
  if (closed && t->typed.size > 0) t->gone = true; /* nobody reads what was typed, nor what is shown */
  hear_client(t);
  if (t->master >= 0 && !pour(t->master, &t->typed)) t->typed.size = 0;
  hear_run(t);
  if (!pour(t->socket, &t->shown)) t->gone = true;
}

/* What there is to wait for; poll passes over -1. */
static void await_terminal(const struct terminal *t, struct pollfd *client, struct pollfd *run) {
  bool here = t->socket >= 0 && !t->gone;
  client->fd = here ? t->socket : -1;
  client->events = (short)((t->typed.size == 0 ? POLLIN : 0) | (t->shown.size > 0 ? POLLOUT : 0));
  run->fd = here && !t->hung ? t->master : -1; /* looked at again with the next sample */
  run->events = (short)((t->shown.size < sizeof t->shown.bytes ? POLLIN : 0) |
                        (t->typed.size > 0 ? POLLOUT : 0));
}

static bool open_pty(struct terminal *t, const struct owner *w) {
  t->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (t->master < 0 || grantpt(t->master) < 0 || unlockpt(t->master) < 0 ||
      ptsname_r(t->master, t->slave, sizeof t->slave) != 0)
    return false;
  return geteuid() != 0 || chown(t->slave, w->uid, (gid_t)-1) == 0;
}

/* Says which job it is, and hears what terminal the user has. */
static bool greet(struct terminal *t, const char *jobid) {
  char line[NAME_MAX + 2];
  int size = snprintf(line, sizeof line, "%s\n", jobid);
  if (write(t->socket, line, (size_t)size) != size) return false;
  int64_t deadline = now_ms() + GREETING_MS;
  while (!t->gone && !(t->sized && t->controlled && *t->term) && now_ms() < deadline) {
    struct pollfd client = {t->socket, POLLIN, 0};
    poll(&client, 1, (int)(deadline - now_ms()));
    hear_client(t);
  }
  return t->sized && t->controlled && *t->term;
}

/* Connects with qsub and makes the terminal; false with the reason. */
static bool open_terminal(struct terminal *t, const struct owner *w, const char *path,
                          const char *jobid, char *why, size_t room) {
  t->socket = connect_as(w, path, why, room);
  if (t->socket < 0) return false;
  if (!greet(t, jobid)) {
    snprintf(why, room, "qsub does not answer");
    return false;
  }
  if (!open_pty(t, w)) {
    snprintf(why, room, "no pseudo terminal: %s", strerror(errno));
    return false;
  }
  ioctl(t->master, TIOCSWINSZ, &t->size);
  return true;
}

/* In the child, after setsid: the terminal becomes the session's, and the standard streams. */
static bool sit_at(const struct terminal *t) {
  int fd = open(t->slave, O_RDWR | O_NOCTTY);
  struct termios modes;
  if (fd < 0 || ioctl(fd, TIOCSCTTY, 0) < 0 || tcgetattr(fd, &modes) < 0) return false;
  static const int at[CONTROL_CHARACTERS] = {VINTR, VQUIT, VERASE, VKILL, VEOF, VSUSP};
  for (int i = 0; i < CONTROL_CHARACTERS; i++) modes.c_cc[at[i]] = t->controls[i];
  tcsetattr(fd, TCSANOW, &modes);
  for (int i = 0; i < 3; i++)
    if (dup2(fd, i) < 0) return false;
  if (fd > 2) close(fd);
  return true;
}

/* The shell is over: what it showed last is still brought to the user. */
static void close_terminal(struct terminal *t) {
  int64_t deadline = now_ms() + FAREWELL_MS;
  while (t->socket >= 0 && !t->gone && now_ms() < deadline) {
    hear_run(t);
    if (t->shown.size == 0) break;
    if (!pour(t->socket, &t->shown)) break;
    struct pollfd client = {t->socket, POLLOUT, 0};
    poll(&client, 1, 100);
  }
  if (t->master >= 0) close(t->master);
  if (t->socket >= 0) close(t->socket);
  t->master = t->socket = -1;
}
