/*
 * millrace-supervisor: starts one run of a job, watches it, and writes down how it ended.
 *
 *   millrace-supervisor serve        spawn server: one run directory per line on standard input
 *   millrace-supervisor run DIR      supervise one run directory in the foreground
 *
 * A supervisor belongs to no other process of Millrace: executor, server and broker may be killed
 * at any moment and the run goes on, keeps its walltime limit, and leaves its outcome in the spool.
 *
 * Protocol (see SPOOL.md beside the sources). DIR is <spool>/runs/<jobid>.<run>, of a task of that
 * run <jobid>.<run>-<task>:
 *   request   NUL-ended key=value records, written by the executor
 *   (itself)  flock'ed by the supervisor as long as it lives: held means alive
 *   control   FIFO, made when the run has lasted a moment; each line "signal N" goes to the job
 *   orders    lines "NUMBER WHAT;" of the executor, WHAT a signal's number, suspend, resume,
 *             limitSECONDS, or cputSECONDS that the run has used on all its hosts; a signal whose number is not larger than an earlier one's was sent
 *             before; whether the run stands still, and how long it may last, is what the last
 *             line about that says, whatever its number
 *   tmpdir    name of the temporary directory, noted before the claim
 *   kill      present when the run is to end; looked at before the start, so it cancels too; with the
 *             word "discard" what the run printed is not delivered
 *   started   the claim: linked into place before the user's program is exec'ed, hence at most once
 *   usage     last sample, for readers
 *   outcome   renamed into place when all is over
 * `started` and `outcome` are also linked into <spool>/events, where one inotify watch sees them.
 *
 * Running `run DIR` again is always safe: if another supervisor lives, it does nothing; if there is
 * no claim, it starts the job; if there is a claim but no outcome, the earlier supervisor died: it
 * kills what is left of the job and writes the outcome "lost".
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Exit statuses with PBS's meaning; see "Exit codes" in the PBS guides. */
enum {
  PBS_FAIL1 = -1,          /* could not be started */
  PBS_FAIL2 = -2,          /* the prologue gave it up */
  PBS_RETRY = -3,          /* not now: another try */
  PBS_INITABT = -4,        /* was running when its keeper went away */
  PBS_FAILUID = -10,       /* user or group not valid here */
  PBS_RERUN = -11,         /* was ended for a reason that is not its own: may run again */
  PBS_KILL_VMEM = -26,     /* limit of addresses */
  PBS_KILL_MEM = -27,      /* limit of memory */
  PBS_KILL_CPUT = -28,     /* limit of processor time */
  PBS_KILL_WALLTIME = -29, /* walltime limit */
  OUTPUT_EXCEEDED = -32,   /* it printed too much; not of PBS */
  STAGE_IN_FAILED = -31,   /* the job's files could not be brought: another try, later */
  PBS_SIGNAL_BASE = 256,
  EXEC_FAILED = 254,
};

enum {
  /* A run that is over before needs no announcement of its start; and the watcher, when woken,
   * does not compete with the exec for the processor. */
  ANNOUNCE_MS = 10,
  SAMPLE_FIRST_MS = 100,
  SAMPLE_MAX_MS = 2000,
  YOUNG_MS = 60 * 1000,
  LOOKS_PER_SAMPLE = 5,
  RETRY_FIRST_MS = 50,
  RETRY_MAX_MS = 2000,
  REAP_PATIENCE_MS = 20 * 1000, /* a busy host needs this long to end some thousand processes */
  DELIVER_PATIENCE_MS = 600 * 1000,
  CARRY_PATIENCE_MS = 540 * 1000, /* less: what came to one host is known though another is silent */
  CARRY_LOOK_MS = 10,
  MAX_GROUPS = 1024,
  REAPED_AT_ONCE = 1000,
  STOP_TRIES = 20,
  STRANGERS_MS = 200, /* runs are started in between */
  STRANGERS_AGAIN_MS = 50,
  OUTPUT_LOOK_MS = 20,
  OUTPUT_LOOK_MAX_MS = 1000,
  LOCK_TRIES = 20,
  LOCK_PAUSE_MS = 10,
};

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"

struct request {
  char *bytes; /* the whole file; everything below points into it */
  const char *jobid, *user, *group, *shell, *script, *output, *error, *join, *tmp;
  const char *directory;  /* where the job starts; empty for the home */
  const char *nodes_also; /* one more variable that names the node file; or empty */
  const char *output_host, *error_host; /* where they belong; or empty: here */
  bool homes_shared;      /* a directory that is here as well is taken for the same one */
  const char *direct;     /* letters o and e: written where they belong, not copied there */
  const char *stage;      /* file that tells what comes and goes; or empty */
  const char *node;       /* name of this host in it */
  const char *cpus;       /* processors that it is bound to, as the kernel lists them; or empty */
  const char *terminal;   /* socket of the qsub that waits for an interactive run; or empty */
  const char *name, *queue, *account, *resources; /* for the epilogue */
  char **argv; /* NULL-ended; the command, or what the script is called with */
  char **env;  /* NULL-ended NAME=VALUE */
  bool allow_root, durable, own_directory;
  bool checked; /* what its start needs is looked for before, as Grid Engine does, and it says what is missing */
  bool login; /* where the site wants it a login shell is told to execute the script */
  long run, walltime_s, kill_delay_s, ncpus, umask;
  long soft_walltime_s; /* after so long it is warned with SIGUSR1, once; 0: never */
  long cput_s, pcput_s; /* limits of processor time: of all processes, of each; 0: none */
  long task;       /* number of the task; 0: the run's script */
  long mem_kb, vmem_kb; /* limits of its processes on this host together; 0: none */
  long output_kb; /* the most that lies in the spool of what it prints; 0: no bound */
  long report_max; /* so much output of a task is left for the report of its end; -1: none */
};

struct owner {
  uid_t uid;
  gid_t gid;
  gid_t groups[MAX_GROUPS];
  int group_count;
  char *home, *shell, *name;
};

struct outcome {
  int exit_status, signal;
  const char *reason;
  int64_t cput_ms, walltime_ms, started_ms;
  long mem_kb, vmem_kb;
  int session;
  char message[1024];
};

struct terminal;

struct job {
  struct request request;
  struct owner owner;
  struct outcome outcome;
  char dir[PATH_MAX], spool[PATH_MAX], name[NAME_MAX + 1], tmpdir[PATH_MAX];
  char jobdir[PATH_MAX]; /* PBS_JOBDIR */
  struct stat dir_identity;
  int lock, control, child_signals, gate;
  int out, err; /* spool files, -1 when merged or absent */
  pid_t pid;
  int64_t begin_ms, spool_full_ms; /* monotonic start; time spent waiting for room */
  int64_t output_at_ms, output_seen_ms; /* when to look at its output next; when it was looked at last */
  off_t output_seen;
  bool killing, over_walltime, over_cput, over_mem, over_vmem, over_output, has_tmpdir, staged, suspended;
  bool warned; /* that its soft walltime is over */
  bool discard; /* it was given up: what it printed is not delivered */
  bool buried;  /* by a later supervisor */
  bool grouped;   /* it has a control group */
  bool more_dead; /* that were not reaped yet */
  bool stopped; /* its host goes down: nobody wished the end of this run */
  int64_t suspended_at_ms, suspended_ms; /* the time that it stood still before */
  int signals_sent;  /* the number of the last one */
  off_t orders_read; /* the lines before were carried out */
  char heard[512];   /* what was read from the FIFO and is no whole line yet */
  size_t heard_size;
  int64_t kill_at_ms;
  int64_t announce_at_ms; /* 0 when the start was announced */
  int64_t others_cput_ms; /* what the prologue used */
  struct terminal *terminal; /* of an interactive run, else NULL */
  long site_processes;       /* that the site lets its owner have; -1: it says nothing */
  char **site_env;           /* NULL-ended NAME=VALUE that the site gives to all; or NULL */
};

/* ---- small things ---- */

static int64_t clock_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* No clock comes so far; added to a time of the clock it stays within the range. */
#define FOREVER_S (INT64_MAX / 4000)

static int64_t span_ms(long s) { return (s < FOREVER_S ? (int64_t)s : FOREVER_S) * 1000; }

static int64_t now_ms(void) { return clock_ms(CLOCK_BOOTTIME); }

static void pause_ms(int64_t ms) {
  struct timespec t = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&t, NULL);
}

/* Adds one sentence to the message of the outcome; a message is one line. */
__attribute__((format(printf, 2, 3))) static void say(struct outcome *o, const char *format, ...) {
  size_t used = strlen(o->message);
  if (used > 0 && used + 2 < sizeof o->message) {
    memcpy(o->message + used, "; ", 3);
    used += 2;
  }
  va_list args;
  va_start(args, format);
  vsnprintf(o->message + used, sizeof o->message - used, format, args);
  va_end(args);
  for (char *c = o->message; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
}

static int write_all(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    bytes += n;
    size -= (size_t)n;
  }
  return 0;
}

/* Reads a small file whole into a fresh buffer with a NUL behind it; NULL when unreadable. */
static char *read_whole(const char *path, size_t *size_out) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return NULL;
  size_t size = 0, room = 4096;
  char *bytes = malloc(room + 1);
  for (ssize_t n; bytes && (n = read(fd, bytes + size, room - size)) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      free(bytes);
      bytes = NULL;
      break;
    }
    size += (size_t)n;
    if (size == room) {
      room *= 2;
      char *grown = realloc(bytes, room + 1);
      if (!grown) free(bytes);
      bytes = grown;
    }
  }
  close(fd);
  if (bytes) {
    bytes[size] = 0;
    if (size_out) *size_out = size;
  }
  return bytes;
}

static void boot_id(char *id, size_t size) {
  char *text = read_whole("/proc/sys/kernel/random/boot_id", NULL);
  snprintf(id, size, "%s", text ? text : "unknown");
  id[strcspn(id, "\n")] = 0;
  free(text);
}

/* ---- the request ---- */

static long number(const char *text, int base) { return strtol(text, NULL, base); }

/* Splits the records in place. Returns false when a field is missing, or when it is the request of
 * another run: a released directory may serve again. */
static bool parse_request(struct request *r, const char *name) {
  size_t size = 0;
  r->bytes = read_whole("request", &size);
  if (!r->bytes) return false;
  size_t records = 0;
  for (size_t i = 0; i < size; i++) records += r->bytes[i] == 0;
  r->argv = calloc(records + 1, sizeof *r->argv);
  r->env = calloc(records + 1, sizeof *r->env);
  if (!r->argv || !r->env) return false;
  size_t args = 0, vars = 0;
  r->umask = 077;
  r->kill_delay_s = 10;
  r->tmp = "/tmp";
  r->join = "n";
  r->shell = r->script = r->group = r->output = r->error = r->directory = r->nodes_also = "";
  r->direct = r->stage = r->node = r->output_host = r->error_host = "";
  r->cpus = r->terminal = r->name = r->queue = r->account = r->resources = "";
  for (char *at = r->bytes; at < r->bytes + size; at += strlen(at) + 1) {
    char *value = strchr(at, '=');
    if (!value) return false;
    *value++ = 0;
    if (!strcmp(at, "env")) r->env[vars++] = value;
    else if (!strcmp(at, "arg")) r->argv[args++] = value;
    else if (!strcmp(at, "jobid")) r->jobid = value;
    else if (!strcmp(at, "user")) r->user = value;
    else if (!strcmp(at, "group")) r->group = value;
    else if (!strcmp(at, "shell")) r->shell = value;
    else if (!strcmp(at, "script")) r->script = value;
    else if (!strcmp(at, "output")) r->output = value;
    else if (!strcmp(at, "error")) r->error = value;
    else if (!strcmp(at, "output_host")) r->output_host = value;
    else if (!strcmp(at, "error_host")) r->error_host = value;
    else if (!strcmp(at, "homes_shared")) r->homes_shared = *value == '1';
    else if (!strcmp(at, "join")) r->join = value;
    else if (!strcmp(at, "tmp")) r->tmp = value;
    else if (!strcmp(at, "directory")) r->directory = value;
    else if (!strcmp(at, "nodes_also")) r->nodes_also = value;
    else if (!strcmp(at, "cpus")) r->cpus = value;
    else if (!strcmp(at, "terminal")) r->terminal = value;
    else if (!strcmp(at, "direct")) r->direct = value;
    else if (!strcmp(at, "stage")) r->stage = value;
    else if (!strcmp(at, "node")) r->node = value;
    else if (!strcmp(at, "login")) r->login = *value == '1';
    else if (!strcmp(at, "own_directory")) r->own_directory = *value == '1';
    else if (!strcmp(at, "name")) r->name = value;
    else if (!strcmp(at, "queue")) r->queue = value;
    else if (!strcmp(at, "account")) r->account = value;
    else if (!strcmp(at, "resources")) r->resources = value;
    else if (!strcmp(at, "allow_root")) r->allow_root = *value == '1';
    else if (!strcmp(at, "checked")) r->checked = *value == '1';
    else if (!strcmp(at, "durable")) r->durable = *value == '1';
    else if (!strcmp(at, "run")) r->run = number(value, 10);
    else if (!strcmp(at, "task")) r->task = number(value, 10);
    else if (!strcmp(at, "report_max")) r->report_max = number(value, 10);
    else if (!strcmp(at, "walltime_s")) r->walltime_s = number(value, 10);
    else if (!strcmp(at, "soft_walltime_s")) r->soft_walltime_s = number(value, 10);
    else if (!strcmp(at, "cput_s")) r->cput_s = number(value, 10);
    else if (!strcmp(at, "pcput_s")) r->pcput_s = number(value, 10);
    else if (!strcmp(at, "mem_kb")) r->mem_kb = number(value, 10);
    else if (!strcmp(at, "vmem_kb")) r->vmem_kb = number(value, 10);
    else if (!strcmp(at, "output_kb")) r->output_kb = number(value, 10);
    else if (!strcmp(at, "kill_delay_s")) r->kill_delay_s = number(value, 10);
    else if (!strcmp(at, "ncpus")) r->ncpus = number(value, 10);
    else if (!strcmp(at, "umask")) r->umask = number(value, 8);
    at = value; /* continue behind the value */
  }
  if (!r->jobid || !r->user || (!*r->script && !*r->terminal && args == 0)) return false;
  char own[NAME_MAX + 1];
  if (r->task > 0) snprintf(own, sizeof own, "%s.%ld-%ld", r->jobid, r->run, r->task);
  else snprintf(own, sizeof own, "%s.%ld", r->jobid, r->run);
  return strcmp(own, name) == 0;
}

/* ---- files that appear whole or not at all ---- */

static int put_once(const char *name, const char *text, bool exclusive, bool durable) {
  char temporary[64];
  snprintf(temporary, sizeof temporary, "%s.tmp", name);
  /* No O_TRUNC: a recycled file keeps its block, and ext4 would flush a truncated one at once. */
  int fd = open(temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  struct stat old;
  int failed = write_all(fd, text, strlen(text));
  if (!failed && fstat(fd, &old) == 0 && old.st_size > (off_t)strlen(text))
    failed = ftruncate(fd, (off_t)strlen(text));
  if (!failed && durable) failed = fsync(fd);
  int why = errno;
  if (close(fd) < 0 && !failed) {
    failed = -1;
    why = errno;
  }
  errno = why;
  if (failed) return -1;
  failed = exclusive ? link(temporary, name) : rename(temporary, name);
  if (exclusive) {
    why = errno;
    unlink(temporary);
    errno = why;
  }
  if (!failed && durable) {
    int dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0) {
      failed = fsync(dir);
      close(dir);
    }
  }
  return failed;
}

static bool may_pass(int error) {
  return error == ENOSPC || error == EDQUOT || error == EIO || error == ENOMEM || error == EMFILE ||
         error == ENFILE || error == EINTR;
}

/* Writes a file, waiting for room as long as it takes unless `until` appears. */
static int put(struct job *j, const char *name, const char *text, bool exclusive,
               const char *until) {
  int64_t first = now_ms(), wait = RETRY_FIRST_MS;
  for (;;) {
    if (put_once(name, text, exclusive, j->request.durable) == 0) return 0;
    if (!may_pass(errno) || (until && access(until, F_OK) == 0)) return -1;
    pause_ms(wait);
    wait = wait * 2 > RETRY_MAX_MS ? RETRY_MAX_MS : wait * 2;
    j->spool_full_ms = now_ms() - first;
  }
}

/* Tells the watcher of the spool. A missed event costs only the time until its next sweep. */
static void announce(struct job *j, const char *name) {
  char event[PATH_MAX + NAME_MAX + 32];
  snprintf(event, sizeof event, "%s/events/%s.%s", j->spool, j->name, name);
  if (link(name, event) < 0 && errno != EEXIST) {
    int fd = open(event, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
  }
}

/* The outcome is never given up: while the disk is full it waits, and says so afterwards. */
static void write_outcome(struct job *j) {
  struct outcome *o = &j->outcome;
  int64_t first = now_ms(), wait = RETRY_FIRST_MS, waited = j->spool_full_ms;
  for (;;) {
    char text[2048], delay[128] = "";
    if (waited > 0)
      snprintf(delay, sizeof delay, "%sdisk full: the spool had no room for %.1f s",
               *o->message ? "; " : "", (double)waited / 1000);
    snprintf(text, sizeof text,
             "exit_status=%d\nreason=%s\nsignal=%d\ncput_ms=%lld\nwalltime_ms=%lld\nmem_kb=%ld\n"
             "vmem_kb=%ld\nncpus=%ld\nstarted_ms=%lld\nended_ms=%lld\nsession=%d\nmessage=%s%s\n",
             o->exit_status, o->reason, o->signal, (long long)o->cput_ms, (long long)o->walltime_ms,
             o->mem_kb, o->vmem_kb, j->request.ncpus, (long long)o->started_ms,
             (long long)clock_ms(CLOCK_REALTIME), o->session, o->message, delay);
    if (put_once("outcome", text, false, j->request.durable) == 0) break;
    if (!may_pass(errno)) _exit(1); /* the run directory is gone: nobody waits for this outcome */
    pause_ms(wait);
    wait = wait * 2 > RETRY_MAX_MS ? RETRY_MAX_MS : wait * 2;
    waited = j->spool_full_ms + now_ms() - first;
  }
  flock(j->lock, LOCK_UN); /* the directory may serve another run as soon as this is heard */
  announce(j, "outcome");
}

/* ---- processes of the run ---- */

struct sample {
  int64_t cput_ms;
  long mem_kb, vmem_kb;
  int processes;
};

struct process {
  pid_t pid, group, session;
  unsigned long long ticks, start, vsize;
  long rss;
  char state;
};

static bool look_at(pid_t pid, struct process *p) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  char text[1024];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return false;
  text[size] = 0;
  char *behind_name = strrchr(text, ')');
  unsigned long long user, system;
  long child_user, child_system;
  p->pid = pid;
  if (!behind_name ||
      sscanf(behind_name + 1,
             " %c %*d %d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %ld %ld %*d %*d %*d %*d %llu "
             "%llu %ld",
             &p->state, &p->group, &p->session, &user, &system, &child_user, &child_system, &p->start,
             &p->vsize, &p->rss) != 10)
    return false;
  p->ticks = user + system + (unsigned long long)(child_user + child_system);
  return true;
}

typedef void (*visitor)(const struct process *, void *);

/* Visits the living descendants of a process, deepest last. The supervisor is a subreaper, so that
 * also what the job left behind stays below it, and no other process of the machine is looked at. */
static bool visit_below(pid_t pid, visitor visit, void *context, int depth) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *threads = opendir(path);
  if (!threads) return true;
  bool supported = true;
  for (struct dirent *thread; supported && (thread = readdir(threads));) {
    if (thread->d_name[0] == '.') continue;
    char list[320];
    snprintf(list, sizeof list, "/proc/%d/task/%s/children", pid, thread->d_name);
    char *children = read_whole(list, NULL);
    if (!children) {
      struct stat s;
      if (depth == 0 && stat(list, &s) < 0) supported = false;
      continue;
    }
    for (char *at = children, *end; *at; at = end) {
      pid_t child = (pid_t)strtol(at, &end, 10);
      if (end == at) break;
      struct process p;
      if (look_at(child, &p) && p.state != 'Z') visit(&p, context);
      if (depth < 10000) visit_below(child, visit, context, depth + 1);
    }
    free(children);
  }
  closedir(threads);
  return supported;
}

/* Visits the living members of a session by reading the whole process table. */
static void visit_session(pid_t session, visitor visit, void *context) {
  DIR *table = opendir("/proc");
  if (!table) return;
  for (struct dirent *entry; (entry = readdir(table));) {
    pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
    struct process p;
    if (pid > 0 && look_at(pid, &p) && p.session == session && p.state != 'Z') visit(&p, context);
  }
  closedir(table);
}

static void visit_run(struct job *j, visitor visit, void *context) {
  if (!visit_below(getpid(), visit, context, 0)) visit_session(j->pid, visit, context);
}

/* Memory that processes share counts once: each has its part of it. Takes the kernel longer to tell. */
static void add_proportional(const struct process *p, void *context) {
  char path[64];
  long kb = 0;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", p->pid);
  char *text = read_whole(path, NULL);
  char *line = text ? strstr(text, "\nPss:") : NULL;
  if (!line || sscanf(line, "\nPss: %ld", &kb) != 1) kb = p->rss * (sysconf(_SC_PAGESIZE) / 1024);
  free(text);
  *(long *)context += kb;
}

static void add_up(const struct process *p, void *context) {
  struct sample *s = context;
  s->cput_ms += (int64_t)(p->ticks * 1000 / (unsigned long long)sysconf(_SC_CLK_TCK));
  s->mem_kb += p->rss * (sysconf(_SC_PAGESIZE) / 1024);
  s->vmem_kb += (long)(p->vsize / 1024);
  s->processes++;
}

struct shot {
  int signal, hit;
};

/* A process id may be used again between the look and the shot; a pidfd may not. */
static void shoot(const struct process *p, void *context) {
  struct shot *shot = context;
  int fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
  if (fd < 0) {
    if (errno == ENOSYS && kill(p->pid, shot->signal) == 0) shot->hit++;
    return;
  }
  struct process again;
  if (look_at(p->pid, &again) && again.start == p->start &&
      syscall(SYS_pidfd_send_signal, fd, shot->signal, NULL, 0) == 0)
    shot->hit++;
  close(fd);
}

static int signal_run(struct job *j, int signal) {
  struct shot shot = {signal, 0};
  visit_run(j, shoot, &shot);
  return shot.hit;
}

static int64_t reaped_cput_ms(struct rusage *usage) {
  getrusage(RUSAGE_CHILDREN, usage);
  return (int64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
         (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
}

/* How long the run has run, without the times for which it was suspended. */
static int64_t ran_ms(const struct job *j) {
  int64_t until = j->suspended ? j->suspended_at_ms : now_ms();
  return until - j->begin_ms - j->suspended_ms;
}

static void count_group(const struct job *j, int64_t *cput_ms, long *mem_kb);

/* Takes the high-water marks, and lets readers see them when asked to. */
static void take_sample(struct job *j, bool publish) {
  struct sample s = {0};
  visit_run(j, add_up, &s);
  struct rusage reaped;
  int64_t cput_ms = reaped_cput_ms(&reaped) + s.cput_ms - j->others_cput_ms;
  struct outcome *o = &j->outcome;
  count_group(j, &cput_ms, &s.mem_kb);
  if (!j->grouped && j->request.mem_kb > 0 && s.mem_kb > j->request.mem_kb) {
    s.mem_kb = 0;
    visit_run(j, add_proportional, &s.mem_kb);
  }
  if (cput_ms > o->cput_ms) o->cput_ms = cput_ms;
  if (s.mem_kb > o->mem_kb) o->mem_kb = s.mem_kb;
  if (s.vmem_kb > o->vmem_kb) o->vmem_kb = s.vmem_kb;
  if (!publish) return;
  char text[160];
  snprintf(text, sizeof text, "cput_ms=%lld\nwalltime_ms=%lld\nmem_kb=%ld\nvmem_kb=%ld\n",
           (long long)o->cput_ms, (long long)ran_ms(j), o->mem_kb, o->vmem_kb);
  put_once("usage", text, false, false); /* no room: the next sample tries again */
}

/* ---- the owner ---- */

static bool find_owner(struct job *j) {
  const struct request *r = &j->request;
  struct owner *w = &j->owner;
  struct outcome *o = &j->outcome;
  o->exit_status = PBS_FAILUID;
  struct passwd *pw = getpwnam(r->user);
  if (!pw) {
    say(o, "Bad UID for job execution: no user %s on this host", r->user);
    return false;
  }
  w->uid = pw->pw_uid;
  w->gid = pw->pw_gid;
  w->home = strdup(pw->pw_dir);
  w->shell = strdup(*pw->pw_shell ? pw->pw_shell : "/bin/sh");
  w->name = strdup(pw->pw_name);
  if (w->uid == 0 && !r->allow_root) {
    say(o, "Bad UID for job execution: jobs of root are not allowed on this host");
    return false;
  }
  if (geteuid() != 0 && w->uid != geteuid()) {
    say(o, "Bad UID for job execution: the executor is not root and runs jobs of its own user only");
    return false;
  }
  w->group_count = MAX_GROUPS;
  if (getgrouplist(w->name, w->gid, w->groups, &w->group_count) < 0) w->group_count = MAX_GROUPS;
  if (*r->group) {
    struct group *gr = getgrnam(r->group);
    bool member = false;
    for (int i = 0; gr && i < w->group_count; i++) member |= w->groups[i] == gr->gr_gid;
    if (!member) {
      say(o, "Bad GID for job execution: user %s is not in group %s", r->user, r->group);
      return false;
    }
    w->gid = gr->gr_gid;
  }
  if (r->own_directory) snprintf(j->jobdir, sizeof j->jobdir, "%s/pbs.%s.x8z", w->home, r->jobid);
  else snprintf(j->jobdir, sizeof j->jobdir, "%s", w->home);
  return true;
}

/* Becomes the owner for good; only in a child. */
static bool become(const struct owner *w) {
  if (geteuid() != 0) return true;
  return setgroups((size_t)w->group_count, w->groups) == 0 && setresgid(w->gid, w->gid, w->gid) == 0 &&
         setresuid(w->uid, w->uid, w->uid) == 0;
}

/* ---- the site's prologue and epilogue ---- */

#include "site.h"

/* ---- the end of all that a run has started ---- */

#include "remains.h"

/* ---- the control group of a run ---- */

#include "group.h"

/* ---- a run that was given up ---- */

/* Whether the run was given up, also when that was said too late to end it. */
static bool discarded(const struct job *j) {
  char *asked = j->discard ? NULL : read_whole("kill", NULL);
  bool so = j->discard || (asked && strstr(asked, "discard"));
  free(asked);
  return so;
}

/* ---- the files that come and go with a run ---- */

#include "stage.h"

/* ---- the terminal of an interactive run ---- */

#include "terminal.h"

/* ---- before the start ---- */

static int open_output(struct job *j, const char *suffix, const char *target) {
  if (!strcmp(target, "/dev/null") && !j->request.report_max) return open(target, O_RDWR | O_APPEND | O_CLOEXEC);
  char path[PATH_MAX + NAME_MAX + 32];
  snprintf(path, sizeof path, "%s/spool/%s.%s", j->spool, j->name, suffix);
  int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) say(&j->outcome, "cannot create %s: %s", path, strerror(errno));
  else if (geteuid() == 0 && fchown(fd, j->owner.uid, j->owner.gid) < 0)
    say(&j->outcome, "cannot hand %s to its owner: %s", path, strerror(errno));
  return fd;
}

/* A supervisor that is killed before its claim is followed by another one, which would not know
 * what it left. A full disk only costs that. */
static void note_tmpdir(const struct job *j) {
  int fd = open("tmpdir", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  dprintf(fd, "%s\n", j->tmpdir);
  close(fd);
}

/* Nothing has run, so that it is empty, or somebody else's by now. */
static void remove_noted_tmpdir(void) {
  char *left = read_whole("tmpdir", NULL);
  if (!left) return;
  left[strcspn(left, "\n")] = 0;
  if (*left == '/') rmdir(left);
  free(left);
}

/* The name that PBS gives it, or, where somebody has that name, one that nobody could guess: another
 * installation may have a job of this id, and anybody may make directories there. */
static bool make_tmpdir(struct job *j) {
  remove_noted_tmpdir();
  snprintf(j->tmpdir, sizeof j->tmpdir, "%s/pbs.%s", j->request.tmp, j->request.jobid);
  bool made = mkdir(j->tmpdir, 0700) == 0;
  if (!made && errno == EEXIST) {
    snprintf(j->tmpdir, sizeof j->tmpdir, "%s/pbs.%s.XXXXXX", j->request.tmp, j->request.jobid);
    made = mkdtemp(j->tmpdir) != NULL;
  }
  if (made) note_tmpdir(j);
  if (!made || (geteuid() == 0 && lchown(j->tmpdir, j->owner.uid, j->owner.gid) < 0)) {
    say(&j->outcome, "cannot create the temporary directory %s: %s", j->tmpdir, strerror(errno));
    if (made) rmdir(j->tmpdir);
    return false;
  }
  j->has_tmpdir = true;
  return true;
}

/* Whether the program will write down how its steps end. */
static bool has_steps(const struct job *j) {
  for (char **env = j->request.env; *env; env++)
    if (!strncmp(*env, STEPS "=", sizeof STEPS)) return true;
  return false;
}

/* The file is its owner's; the executor reads it when the run is over. */
static bool make_steps(struct job *j) {
  if (!has_steps(j)) return true;
  int fd = open("steps", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  bool made = fd >= 0 && (geteuid() != 0 || fchown(fd, j->owner.uid, j->owner.gid) == 0);
  if (!made) say(&j->outcome, "cannot create the file of steps: %s", strerror(errno));
  if (fd >= 0) close(fd);
  return made;
}

static bool prepare(struct job *j) {
  struct request *r = &j->request;
  if (!find_owner(j)) return false;
  j->outcome.exit_status = PBS_FAIL1;
  if (!read_site_environment(j) || !read_site_limits(j)) return false;
  j->request.login = j->request.login && site_wants_login(j);
  if (*r->script && geteuid() == 0 && chown(r->script, j->owner.uid, j->owner.gid) < 0) {
    say(&j->outcome, "cannot hand the script to its owner: %s", strerror(errno));
    return false;
  }
  if (*r->terminal) {
    static struct terminal terminal = {.socket = -1, .master = -1};
    char why[160];
    if (!open_terminal(&terminal, &j->owner, r->terminal, r->jobid, why, sizeof why)) {
      say(&j->outcome, "cannot reach the terminal of qsub -I, which must wait on the host where "
                       "its job starts (%s): %s", r->terminal, why);
      close_terminal(&terminal);
      return false;
    }
    j->terminal = &terminal;
  }
  if (strcmp(r->join, "eo") && (j->out = open_output(j, "OU", r->output)) < 0) return false;
  if (strcmp(r->join, "oe") && (j->err = open_output(j, "ER", r->error)) < 0) return false;
  return make_steps(j) && make_tmpdir(j) && stage_in(j);
}

struct block {
  char **env;
  size_t count;
};

/* Sets NAME=value; `keep` leaves what the request gave. */
static void set_variable(struct block *b, bool keep, const char *name, const char *value) {
  size_t length = strlen(name);
  size_t at = 0;
  while (at < b->count && !(strncmp(b->env[at], name, length) == 0 && b->env[at][length] == '='))
    at++;
  if (at < b->count && keep) return;
  if (asprintf(&b->env[at], "%s=%s", name, value) < 0) _exit(EXEC_FAILED);
  if (at == b->count) b->count++;
}

/* The request's variables, the site's for those that it does not have, then what only this host knows. */
static char **environment(const struct job *j) {
  const struct request *r = &j->request;
  struct block b = {NULL, 0};
  size_t site = 0;
  while (r->env[b.count]) b.count++;
  while (j->site_env && j->site_env[site]) site++;
  b.env = calloc(b.count + site + 16, sizeof *b.env);
  if (!b.env) _exit(EXEC_FAILED);
  memcpy(b.env, r->env, b.count * sizeof *b.env);
  while (site-- > 0) { /* the last line of a name counts */
    char *value = strchr(j->site_env[site], '=');
    *value = 0;
    set_variable(&b, true, j->site_env[site], value + 1);
  }
  char ncpus[32], nodes[PATH_MAX + 8];
  snprintf(ncpus, sizeof ncpus, "%ld", r->ncpus);
  snprintf(nodes, sizeof nodes, "%s/nodes", j->dir);
  set_variable(&b, true, "PATH", DEFAULT_PATH);
  set_variable(&b, false, "HOME", j->owner.home);
  set_variable(&b, false, "LOGNAME", j->owner.name);
  set_variable(&b, false, "USER", j->owner.name);
  set_variable(&b, false, "SHELL", *r->shell ? r->shell : j->owner.shell);
  set_variable(&b, false, "PBS_NODEFILE", nodes);
  if (*r->nodes_also) set_variable(&b, false, r->nodes_also, nodes);
  set_variable(&b, false, "PBS_JOBDIR", j->jobdir);
  set_variable(&b, false, MARK, j->dir);
  set_variable(&b, false, "TMPDIR", j->tmpdir);
  if (has_steps(j)) {
    char steps[PATH_MAX + 8];
    snprintf(steps, sizeof steps, "%s/steps", j->dir);
    set_variable(&b, false, STEPS, steps);
  }
  set_variable(&b, false, "NCPUS", ncpus);
  set_variable(&b, true, "OMP_NUM_THREADS", ncpus);
  if (j->terminal) set_variable(&b, false, "TERM", j->terminal->term);
  return b.env;
}

__attribute__((noreturn, format(printf, 2, 3))) static void refuse(int gate, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int size = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (size > 0) write_all(gate, text, strnlen(text, sizeof text));
  _exit(EXEC_FAILED);
}

/* Where a file belongs; relative to the owner's home, where nobody gave a directory. */
static void target_path(const struct job *j, const char *to, const char *suffix, char *path,
                        size_t size) {
  struct stat s;
  snprintf(path, size, "%s%s%s", *to == '/' ? "" : j->owner.home, *to == '/' ? "" : "/", to);
  size_t length = strlen(path);
  if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
    snprintf(path + length, size - length, "/%s.%s", j->request.jobid, suffix);
}

/* As its owner, before anything of the job runs: a job without its directory, output files or shell is
 * for its owner to mend, in Grid Engine's words. */
static void check_start(const struct job *j, int gate) {
  const struct request *r = &j->request;
  const char *const paths[] = {r->output, r->error}, *const joins[] = {"eo", "oe"},
             *const hosts[] = {r->output_host, r->error_host};
  int uid = (int)getuid(), pid = (int)getpid();
  if (*r->directory && chdir(r->directory) < 0)
    refuse(gate, "[%d:%d]: error: can't chdir to %s: %s", uid, pid, r->directory, strerror(errno));
  for (int i = 0; i < 2; i++) {
    bool copied = *hosts[i] && !r->homes_shared; /* to another host, after the run */
    if (copied || !strcmp(r->join, joins[i])) continue;
    char path[2 * PATH_MAX];
    target_path(j, paths[i], i == 0 ? "OU" : "ER", path, sizeof path);
    /* Nothing is made yet: another task of an array may bring its output there just now. */
    bool writable = access(path, W_OK) == 0;
    if (!writable && errno == ENOENT) {
      char folder[2 * PATH_MAX];
      snprintf(folder, sizeof folder, "%s", path);
      *strrchr(folder, '/') = 0;
      writable = access(*folder ? folder : "/", W_OK | X_OK) == 0;
    }
    if (!writable)
      refuse(gate, "[%d:%d]: error: can't open output file \"%s\": %s", uid, pid, path, strerror(errno));
  }
  /* A command is a shell's, too, with the words behind it. */
  const char *shell = !*r->script ? r->argv[0] : *r->shell ? r->shell : j->owner.shell;
  if (*shell == '/' && access(shell, X_OK) < 0)
    refuse(gate, "[%d:%d]: unable to find shell \"%s\"", uid, pid, shell);
}

static bool open_streams(const struct job *j) {
  int null = open("/dev/null", O_RDWR);
  int out = j->out >= 0 ? j->out : j->err, err = j->err >= 0 ? j->err : j->out;
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) return false;
  if (null > 2) close(null);
  return true;
}

/* With -k d the files are written where they belong, while the job runs. One that cannot be is
 * copied there afterwards, like any other. */
static void write_directly(const struct job *j) {
  const struct request *r = &j->request;
  const char *const paths[] = {r->output, r->error}, *const joins[] = {"eo", "oe"};
  for (int i = 0; i < 2 && !j->terminal; i++) {
    if (!strchr(r->direct, "oe"[i]) || !strcmp(r->join, joins[i])) continue;
    char path[2 * PATH_MAX];
    target_path(j, paths[i], i == 0 ? "OU" : "ER", path, sizeof path);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NONBLOCK | O_NOCTTY, 0666);
    if (fd < 0) continue;
    fcntl(fd, F_SETFL, O_APPEND);
    dup2(fd, 1 + i);
    if (strcmp(r->join, "n")) dup2(fd, 2 - i);
    if (fd > 2) close(fd);
  }
}

/* What a login shell reads from a standard input that ends behind it: whatever its profile did, it
 * goes where the job begins and becomes the script. The kernel goes by #!; what has none is this very
 * shell's, where shells would differ about it but for bash, which hands on what its profile has made. */
static bool tell_shell(const struct job *j, const char *shell, const char *base, const char *script) {
  int line[2], fd = open(script, O_RDONLY | O_CLOEXEC);
  char begins[2] = "", words[4 * PATH_MAX];
  bool own = fd >= 0 && (read(fd, begins, 2) != 2 || memcmp(begins, "#!", 2)) && strcmp(base, "bash");
  if (fd >= 0) close(fd);
  FILE *to = fmemopen(words, sizeof words, "w");
  if (!to) return false;
  const char *const parts[] = {j->request.own_directory ? "cd " : "exec ",
                               j->request.own_directory ? j->jobdir : NULL,
                               j->request.own_directory ? "; exec " : NULL, own ? shell : NULL,
                               own ? " " : NULL, script, NULL};
  for (size_t i = 0; i < sizeof parts / sizeof *parts - 1; i++) {
    bool quoted = i == 1 || i == 3 || i == 5;
    if (!parts[i]) continue;
    if (quoted) fputc('\'', to);
    for (const char *c = parts[i]; *c; c++)
      if (quoted && *c == '\'') fputs("'\\''", to);
      else fputc(*c, to);
    if (quoted) fputc('\'', to);
  }
  fputs(" </dev/null\n", to);
  bool whole = fclose(to) == 0 && memchr(words, '\n', sizeof words);
  if (!whole || pipe(line) < 0) return false;
  bool told = strlen(words) <= PIPE_BUF && write_all(line[1], words, strlen(words)) == 0;
  close(line[1]);
  told = told && dup2(line[0], 0) == 0;
  close(line[0]);
  return told;
}

/* A login shell: at the terminal, or one that is to execute the script. */
__attribute__((noreturn)) static void become_shell(const struct job *j, char **env, const char *script) {
  const char *shell = *j->request.shell ? j->request.shell : j->owner.shell;
  const char *base = strrchr(shell, '/');
  char name[NAME_MAX + 2];
  snprintf(name, sizeof name, "-%s", base ? base + 1 : shell);
  char *argv[] = {name, NULL};
  if (!script || tell_shell(j, shell, name + 1, script)) execve(shell, argv, env);
  dprintf(2, "millrace: cannot execute %s: %s%s\n", shell, strerror(errno), script ? "" : "\r");
  _exit(EXEC_FAILED);
}

/* As PBS does: the kernel ends a process that has used so much. Nobody may have less than that
 * already. */
static bool bound_processes(long pcput_s) {
  struct rlimit limit;
  if (pcput_s <= 0) return true;
  if (getrlimit(RLIMIT_CPU, &limit) < 0) return false;
  if ((rlim_t)pcput_s < limit.rlim_max) limit.rlim_max = (rlim_t)pcput_s;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_CPU, &limit) == 0;
}

/* The child: becomes the job, but waits at the gate until the claim is in place. When the
 * supervisor dies first the gate closes and the child leaves without having run anything. */
__attribute__((noreturn)) static void become_job(struct job *j, int gate) {
  const struct request *r = &j->request;
  setsid();
  sigset_t none;
  sigemptyset(&none);
  for (int s = 1; s < SIGRTMIN; s++) signal(s, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  char **env = environment(j);
  char script[2 * PATH_MAX];
  snprintf(script, sizeof script, "%s/%s", j->dir, r->script);
  if (j->terminal ? !sit_at(j->terminal) : !open_streams(j))
    refuse(gate, "cannot open the standard streams: %s", strerror(errno));
  umask((mode_t)r->umask);
  if (!bound_processes(r->pcput_s)) refuse(gate, "cannot bound processor time: %s", strerror(errno));
  if (!become(&j->owner)) refuse(gate, "cannot become user %s: %s", r->user, strerror(errno));
  /* As the owner: who has as many already may start his shell all the same. */
  if (!bound_table(j)) refuse(gate, "cannot bound processes: %s", strerror(errno));
  if (r->checked && !j->terminal) check_start(j, gate);
  if (*r->directory && chdir(r->directory) < 0)
    refuse(gate, "cannot enter the directory %s: %s", r->directory, strerror(errno));
  if (!*r->directory && chdir(j->jobdir) < 0)
    refuse(gate, "cannot enter the %s directory %s: %s", r->own_directory ? "job's" : "home",
           j->jobdir, strerror(errno));
  write_directly(j);
  if (*r->script && access(script, R_OK) < 0)
    refuse(gate, "user %s cannot read %s (may he enter the spool?): %s", r->user, script,
           strerror(errno));
  char go = 1;
  if (write(gate, &go, 1) != 1 || read(gate, &go, 1) != 1) _exit(EXEC_FAILED);
  if (j->terminal) become_shell(j, env, NULL);
  if (*r->script && r->login) become_shell(j, env, script);
  if (*r->script) {
    const char *shell = *r->shell ? r->shell : j->owner.shell;
    size_t words = 0;
    while (r->argv[words]) words++;
    char **argv = calloc(words + 3, sizeof *argv);
    if (!argv) _exit(EXEC_FAILED);
    argv[0] = (char *)shell;
    argv[1] = script;
    memcpy(argv + 2, r->argv, words * sizeof *argv);
    execve(shell, argv, env);
    dprintf(2, "millrace: cannot execute %s: %s\n", shell, strerror(errno));
  } else {
    environ = env; /* so that the search uses the job's own PATH */
    execvp(r->argv[0], r->argv);
    dprintf(2, "millrace: cannot execute %s: %s\n", r->argv[0], strerror(errno));
  }
  _exit(EXEC_FAILED);
}

/* A released run directory is renamed before it is emptied: nothing may start from one. */
static bool still_there(const struct job *j) {
  struct stat here;
  return stat(j->dir, &here) == 0 && here.st_ino == j->dir_identity.st_ino &&
         here.st_dev == j->dir_identity.st_dev;
}

/* Links `started` into place: the one step after which this run can never start again. */
static bool claim(struct job *j) {
  struct process self = {0}, child = {0};
  char boot[64], text[512 + PATH_MAX];
  look_at(getpid(), &self);
  look_at(j->pid, &child);
  boot_id(boot, sizeof boot);
  j->outcome.started_ms = clock_ms(CLOCK_REALTIME);
  j->outcome.session = j->pid;
  snprintf(text, sizeof text,
           "supervisor_pid=%d\nsupervisor_start=%llu\npid=%d\npid_start=%llu\nsession=%d\n"
           "started_ms=%lld\nboot_id=%s\ntmpdir=%s\n",
           getpid(), self.start, j->pid, child.start, j->pid, (long long)j->outcome.started_ms,
           boot, j->tmpdir);
  if (put(j, "started", text, true, "kill") < 0) return false;
  if (!still_there(j)) {
    unlink("started"); /* the directory serves another run now, which this claim would stop */
    _exit(0);
  }
  return true;
}

/* Brings the job up to its first instruction; false when there is an outcome to write instead. */
static bool launch(struct job *j) {
  int gate[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0) {
    say(&j->outcome, "cannot make a socket pair: %s", strerror(errno));
    return false;
  }
  while ((j->pid = fork()) < 0) {
    if (access("kill", F_OK) == 0) return false;
    pause_ms(RETRY_FIRST_MS); /* out of processes: the run waits */
  }
  if (j->pid == 0) {
    close(gate[0]);
    become_job(j, gate[1]);
  }
  close(gate[1]);
  j->gate = gate[0];
  enter_group(j);
  char answer[513];
  ssize_t size = read(j->gate, answer, sizeof answer - 1);
  if (size != 1 || answer[0] != 1) {
    answer[size > 0 ? size : 0] = 0;
    say(&j->outcome, "%s", size > 0 ? answer : "the job's process ended before its start");
    waitpid(j->pid, NULL, 0);
    return false;
  }
  if (access("kill", F_OK) == 0 || !claim(j) || !prologue(j)) {
    close(j->gate);
    waitpid(j->pid, NULL, 0);
    return false;
  }
  struct rusage before;
  j->others_cput_ms = reaped_cput_ms(&before);
  j->begin_ms = now_ms();
  char go = 1;
  if (write(j->gate, &go, 1) != 1) say(&j->outcome, "the job's process ended before its start");
  close(j->gate);
  j->announce_at_ms = j->begin_ms + ANNOUNCE_MS;
  return true;
}

/* ---- while it runs ---- */

static void go_on(struct job *j) {
  if (j->suspended) {
    j->suspended = false;
    j->suspended_ms += now_ms() - j->suspended_at_ms;
  }
}

/* TERM now and KILL after the delay; KILL is KILL. */
static void end_run(struct job *j, int signal) {
  go_on(j);
  if (signal == SIGKILL && j->grouped) end_group(j);
  signal_run(j, signal);
  if (signal == SIGTERM && !j->killing) {
    j->killing = true;
    j->kill_at_ms = now_ms() + span_ms(j->request.kill_delay_s);
    signal_run(j, SIGCONT); /* a stopped job could not hear it */
  }
}

static void note_in_error_file(struct job *j, const char *text) {
  if (j->terminal) {
    struct piece *shown = &j->terminal->shown;
    if (shown->size + strlen(text) + 4 < sizeof shown->bytes)
      shown->size += (size_t)sprintf(shown->bytes + shown->size, "\r\n%s\r", text);
    return;
  }
  int fd = j->err >= 0 ? j->err : j->out;
  if (write_all(fd, text, strlen(text)) < 0)
    say(&j->outcome, "cannot write to the job's error file: %s", strerror(errno));
}

static bool is_over(const struct job *j) {
  return j->over_walltime || j->over_cput || j->over_mem || j->over_vmem || j->over_output;
}

/* In PBS's words. Nobody has seen how much it was of which the kernel has refused the last. */
static void note_over(struct job *j, const char *what, long used, long limit) {
  bool memory = strstr(what, "mem");
  const char *unit = memory ? "kb" : "";
  char words[96], text[160], amount[32] = "";
  if (used >= 0) snprintf(amount, sizeof amount, "%ld%s ", used, unit);
  snprintf(words, sizeof words, "%s %sexceeded limit %ld%s", what, amount, limit, unit);
  snprintf(text, sizeof text, "=>> PBS: job killed: %s\n", words);
  note_in_error_file(j, text);
  say(&j->outcome, "%s%s", memory ? "job violates resource limits: " : "", words);
}

/* Once: what a run does while it ends is not said again. */
static bool end_over(struct job *j, const char *what, long used, long limit) {
  if (limit <= 0 || used <= limit || is_over(j)) return false;
  note_over(j, what, used, limit);
  /* What it takes meanwhile of memory it takes from its neighbours. */
  end_run(j, strstr(what, "mem") ? SIGKILL : SIGTERM);
  return true;
}

static void check_memory(struct job *j) {
  const struct outcome *o = &j->outcome;
  if (group_ran_out(j) && !is_over(j)) {
    note_over(j, "mem", -1, j->request.mem_kb);
    end_run(j, SIGKILL);
    j->over_mem = true;
  } else if (end_over(j, "mem", o->mem_kb, j->request.mem_kb)) j->over_mem = true;
  if (end_over(j, "vmem", o->vmem_kb, j->request.vmem_kb)) j->over_vmem = true;
  if ((j->over_mem || j->over_vmem) && !j->killing) {
    j->killing = true; /* again for what was forked meanwhile */
    j->kill_at_ms = now_ms() + 1000;
  }
}

static bool awaits_warning(const struct job *j) {
  return j->request.soft_walltime_s > 0 && !j->warned && !j->killing && !j->suspended;
}

static void check_soft_walltime(struct job *j) {
  if (!awaits_warning(j) || ran_ms(j) < span_ms(j->request.soft_walltime_s)) return;
  j->warned = true;
  signal_run(j, SIGUSR1);
}

static void check_walltime(struct job *j) {
  if (end_over(j, "walltime", (long)(ran_ms(j) / 1000), j->request.walltime_s))
    j->over_walltime = true;
}

static void check_cput(struct job *j, long used_s) {
  if (end_over(j, "cput", used_s, j->request.cput_s)) j->over_cput = true;
}

/* What a run leaves in the spool; the file of steps counts, too, as its owner can write anything. */
static off_t output_size(const struct job *j) {
  struct stat s;
  off_t size = lstat("steps", &s) == 0 ? s.st_size : 0;
  if (j->out >= 0 && fstat(j->out, &s) == 0) size += s.st_size;
  if (j->err >= 0 && fstat(j->err, &s) == 0) size += s.st_size;
  return size;
}

static int64_t output_bound(const struct job *j) {
  return j->request.output_kb > INT64_MAX / 1024 ? INT64_MAX : (int64_t)j->request.output_kb * 1024;
}

/* What grows is looked at again when it has come half way to its bound, so that little is printed
 * beyond; what stands still as seldom as all else. The words are written when nobody prints any more. */
static void check_output(struct job *j) {
  if (j->request.output_kb <= 0 || is_over(j)) return;
  int64_t now = now_ms();
  off_t size = output_size(j);
  if (size > output_bound(j)) {
    j->over_output = true;
    end_run(j, SIGKILL); /* what it prints meanwhile others have no room for */
    if (!j->killing) {
      j->killing = true; /* again for what was forked meanwhile */
      j->kill_at_ms = now + 1000;
    }
    return;
  }
  int64_t took = now - j->output_seen_ms, grew = size - j->output_seen, next = now - j->begin_ms;
  double until = grew > 0 ? (double)(output_bound(j) - size) * (double)took / 2 / (double)grew : (double)next;
  if (until < (double)next) next = (int64_t)until;
  if (next < OUTPUT_LOOK_MS) next = OUTPUT_LOOK_MS;
  if (next > OUTPUT_LOOK_MAX_MS) next = OUTPUT_LOOK_MAX_MS;
  j->output_seen = size;
  j->output_seen_ms = now;
  j->output_at_ms = now + next;
}

/* Gives back the room of what is beyond the bound, and says so where the user looks. */
static void cut_output(struct job *j, bool killed) {
  int64_t left = output_bound(j), all = output_size(j);
  const int fds[] = {j->out, j->err};
  for (int i = 0; i < 2; i++) {
    struct stat s;
    if (fds[i] < 0 || fstat(fds[i], &s) < 0) continue;
    if (s.st_size > left && ftruncate(fds[i], left) < 0) say(&j->outcome, "cannot cut the output: %s", strerror(errno));
    left = s.st_size < left ? left - s.st_size : 0;
  }
  struct stat steps;
  if (lstat("steps", &steps) == 0 && steps.st_size > STEPS_MOST && truncate("steps", STEPS_MOST) < 0)
    say(&j->outcome, "cannot cut the file of steps: %s", strerror(errno));
  char words[96], text[160];
  snprintf(words, sizeof words, "output %lldkb exceeded limit %ldkb", (long long)(all + 1023) / 1024, j->request.output_kb);
  snprintf(text, sizeof text, "\n=>> PBS: %s%s\n", killed ? "job killed: " : "", words);
  note_in_error_file(j, text);
  say(&j->outcome, "%s", words);
}

static void count_moving(const struct process *p, void *context) {
  int *moving = context;
  *moving += p->state != 'T' && p->state != 't';
}

/* Until nobody moves: who forks while the others are being stopped leaves a child that runs on. */
static void hold_still(struct job *j) {
  for (int tries = 0; tries < STOP_TRIES; tries++) {
    int moving = 0;
    visit_run(j, count_moving, &moving);
    if (moving == 0) return;
    signal_run(j, SIGSTOP);
    if (tries > 0) pause_ms(1);
  }
}

static void stand_still(struct job *j) {
  if (j->suspended || j->killing) return;
  j->suspended = true;
  j->suspended_at_ms = now_ms();
  hold_still(j);
}

/* Who may send signals may not say that it goes on: it stands again when SIGCONT set it free. */
static void pass_on(struct job *j, int signal) {
  if (signal <= 0 || signal >= NSIG) return;
  signal_run(j, signal);
  if (j->suspended) hold_still(j);
}

/* Digits and nothing else, else what it was. */
static long seconds(const char *text, long otherwise) {
  char *end = NULL;
  long value = strtol(text, &end, 10);
  return *text && !*end ? value : otherwise;
}

/* One line of `orders`. The executor may have written one twice, or have been killed in the middle
 * of one. To stand still is a state and not an event: numbers that count signals say nothing about
 * it, and orders that were lost leave none behind that is taken for an old one. */
static void carry_out(struct job *j, const char *line) {
  int number = 0;
  char what[16], end = 0;
  if (sscanf(line, "%d %15[a-z0-9]%c", &number, what, &end) != 3 || end != ';') return;
  if (!strcmp(what, "suspend")) {
    stand_still(j);
  } else if (!strcmp(what, "resume")) {
    if (!j->suspended) return;
    go_on(j);
    signal_run(j, SIGCONT);
  } else if (!strncmp(what, "limit", 5)) {
    j->request.walltime_s = seconds(what + 5, j->request.walltime_s);
  } else if (!strncmp(what, "cput", 4)) {
    check_cput(j, seconds(what + 4, 0)); /* with what its tasks have used elsewhere */
  } else if (number > j->signals_sent) {
    j->signals_sent = number;
    pass_on(j, atoi(what));
  }
}

/* Carries out the lines that came since the last time; the end of one may still be on its way. */
static void obey_orders(struct job *j) {
  int fd = open("orders", O_RDONLY | O_CLOEXEC);
  char text[4096];
  for (ssize_t size; fd >= 0 && (size = pread(fd, text, sizeof text - 1, j->orders_read)) > 0;) {
    text[size] = 0;
    char *end = memrchr(text, '\n', (size_t)size);
    if (!end && size < (ssize_t)sizeof text - 1) break;
    ssize_t lines = end ? end + 1 - text : size; /* a line as long as that is none */
    if (end) *end = 0;
    j->orders_read += lines;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
      carry_out(j, line);
  }
  if (fd >= 0) close(fd);
}

/* A run that was given up ends at once: another one of its job may be running. */
static void discard_run(struct job *j) {
  j->discard = true;
  end_run(j, SIGKILL);
}

/* The file that asks for the end outlives what was said on the FIFO. */
static void heed_kill(struct job *j) {
  char *asked = access("kill", F_OK) < 0 ? NULL : read_whole("kill", NULL);
  if (asked && strstr(asked, "discard")) discard_run(j);
  else if (asked && !j->killing) end_run(j, atoi(asked) == SIGKILL ? SIGKILL : SIGTERM);
  free(asked);
}

/* Reads what there is; a line whose end is still on its way is kept. */
static void obey(struct job *j) {
  bool told = false;
  for (ssize_t size; (size = read(j->control, j->heard + j->heard_size,
                                  sizeof j->heard - 1 - j->heard_size)) > 0;) {
    j->heard_size += (size_t)size;
    j->heard[j->heard_size] = 0;
    char *line = j->heard;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
      int signal = 0;
      *end = 0;
      if (!strcmp(line, "orders")) told = true;
      else if (!strcmp(line, "discard")) discard_run(j);
      else if (sscanf(line, "signal %d", &signal) != 1) continue;
      else if (signal == SIGTERM || signal == SIGKILL) end_run(j, signal);
      else pass_on(j, signal);
    }
    j->heard_size -= (size_t)(line - j->heard);
    memmove(j->heard, line, j->heard_size);
    if (j->heard_size == sizeof j->heard - 1) j->heard_size = 0; /* no line is that long */
  }
  if (told) obey_orders(j);
}

/* Time until something is due: announcement, sample, soft walltime, walltime, SIGKILL. */
static int64_t next_due(const struct job *j, int64_t sample_at) {
  int64_t due = sample_at;
  if (j->request.walltime_s > 0 && !is_over(j) && !j->suspended) {
    int64_t end = j->begin_ms + j->suspended_ms + span_ms(j->request.walltime_s) + 1000;
    if (end < due) due = end;
  }
  if (awaits_warning(j)) {
    int64_t warning = j->begin_ms + j->suspended_ms + span_ms(j->request.soft_walltime_s);
    if (warning < due) due = warning;
  }
  if (j->killing && j->kill_at_ms < due) due = j->kill_at_ms;
  if (j->announce_at_ms > 0 && j->announce_at_ms < due) due = j->announce_at_ms;
  if (j->request.output_kb > 0 && !is_over(j) && j->output_at_ms < due) due = j->output_at_ms;
  int64_t wait = j->more_dead ? 0 : due - now_ms();
  return wait < 0 ? 0 : wait;
}

/* Collects what ended; true when the job's first process is among it. */
static bool reap(struct job *j, int *status) {
  struct signalfd_siginfo info;
  while (read(j->child_signals, &info, sizeof info) == sizeof info)
    if (info.ssi_signo == SIGTERM) {
      say(&j->outcome, "the supervisor was told to stop");
      if (!j->killing && access("kill", F_OK) < 0) j->stopped = true;
      end_run(j, SIGTERM);
    }
  int one;
  j->more_dead = true; /* who forks faster than they are counted keeps nothing else from its turn */
  for (int i = 0; i < REAPED_AT_ONCE && j->more_dead; i++) {
    pid_t pid = waitpid(-1, &one, WNOHANG);
    j->more_dead = pid > 0;
    if (pid != j->pid) continue;
    *status = one;
    return true;
  }
  return false;
}

/* The FIFO is made late: most short runs never need it. Whoever asked for the end before could
 * only leave the file "kill". */
static void open_control(struct job *j) {
  if (mkfifo("control", 0600) < 0 && errno != EEXIST) return; /* no room: the next sample tries */
  j->control = open("control", O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

/* What goes between the user and the shell; a user who is gone leaves nobody to work for. */
static void serve_terminal(struct job *j, bool closed) {
  struct terminal *t = j->terminal;
  relay(t, closed);
  if (!t->gone || t->master < 0) return;
  close(t->master); /* the kernel hangs up on the session */
  t->master = -1;
  say(&j->outcome, "qsub, which had the terminal of the job, has gone");
  end_run(j, SIGTERM);
}

/* Thousands of runs share a host, and one that lasts changes slowly: to look for orders costs little,
 * a sample of the processes ten times that. */
static bool wants_sample(const struct job *j, unsigned looks) {
  bool young = now_ms() - j->begin_ms < YOUNG_MS;
  const struct request *r = &j->request;
  return young || r->cput_s > 0 || r->mem_kb > 0 || r->vmem_kb > 0 || looks % LOOKS_PER_SAMPLE == 0;
}

static int watch(struct job *j) {
  int64_t gap = SAMPLE_FIRST_MS, sample_at = now_ms() + gap;
  unsigned looks = 0;
  j->output_seen_ms = j->begin_ms;
  j->output_at_ms = j->begin_ms + OUTPUT_LOOK_MS;
  struct pollfd events[4] = {{j->child_signals, POLLIN, 0}, {j->control, POLLIN, 0}};
  events[2].fd = events[3].fd = -1;
  int status = 0;
  obey_orders(j); /* those that came before the start */
  while (!reap(j, &status)) {
    events[1].fd = j->control; /* poll passes over -1 */
    if (j->terminal) await_terminal(j->terminal, &events[2], &events[3]);
    poll(events, 4, (int)next_due(j, sample_at));
    if (j->terminal) serve_terminal(j, events[2].revents & (POLLHUP | POLLERR));
    if (j->announce_at_ms > 0 && now_ms() >= j->announce_at_ms) {
      announce(j, "started");
      j->announce_at_ms = 0;
    }
    if (j->control >= 0) obey(j);
    check_soft_walltime(j);
    check_walltime(j);
    if (now_ms() >= j->output_at_ms) check_output(j);
    if (j->killing && now_ms() >= j->kill_at_ms) {
      if (j->grouped) end_group(j);
      signal_run(j, SIGKILL);
      j->kill_at_ms = now_ms() + 1000; /* again for what was forked meanwhile */
    }
    if (now_ms() >= sample_at) {
      if (j->control < 0) open_control(j);
      obey_orders(j); /* should the line on the FIFO have had no room */
      heed_kill(j);
      if (j->suspended) hold_still(j);
      if (wants_sample(j, looks++)) take_sample(j, gap == SAMPLE_MAX_MS);
      check_cput(j, (long)(j->outcome.cput_ms / 1000));
      check_memory(j);
      gap = gap * 2 > SAMPLE_MAX_MS ? SAMPLE_MAX_MS : gap * 2;
      sample_at = now_ms() + gap;
    }
  }
  return status;
}

/* Ends what the job left behind and reaps it, so that its time is counted. */
static void clear_remains(struct job *j, const char *whose) {
  int64_t deadline = now_ms() + REAP_PATIENCE_MS;
  long dead_max = processes_max(j) > 0 ? processes_max(j) : default_processes_max();
  if (j->grouped) end_group(j);
  if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return; /* as most runs end */
  for (;;) {
    int living = end_children(NULL, dead_max, deadline);
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (reaped < 0) break; /* no children at all */
    if (living == 0) signal_run(j, SIGKILL); /* a kernel that lists no children */
    if (now_ms() > deadline) {
      say(&j->outcome, "%s could not be killed", whose);
      break;
    }
    struct pollfd event = {j->child_signals, POLLIN, 0};
    poll(&event, 1, 20);
  }
  struct signalfd_siginfo info;
  while (read(j->child_signals, &info, sizeof info) == sizeof info) continue;
}

static void judge(struct job *j, int status) {
  struct outcome *o = &j->outcome;
  struct rusage reaped;
  o->walltime_ms = ran_ms(j);
  int64_t cput_ms = reaped_cput_ms(&reaped) - j->others_cput_ms;
  long mem_kb = reaped.ru_maxrss;
  count_group(j, &cput_ms, &mem_kb);
  if (cput_ms > o->cput_ms) o->cput_ms = cput_ms;
  if (mem_kb > o->mem_kb) o->mem_kb = mem_kb;
  if (group_ran_out(j) && !is_over(j)) {
    note_over(j, "mem", -1, j->request.mem_kb);
    j->over_mem = true;
  }
  /* It may have ended by itself since it was looked at last. */
  bool killed = j->over_output;
  if (j->request.output_kb > 0 && !is_over(j) && output_size(j) > output_bound(j)) j->over_output = true;
  if (j->over_output) cut_output(j, killed);
  if (j->grouped) leave_group(j);
  if (WIFSIGNALED(status)) {
    o->reason = "signalled";
    o->signal = WTERMSIG(status);
    o->exit_status = PBS_SIGNAL_BASE + o->signal;
  } else {
    o->reason = "exited";
    o->exit_status = WEXITSTATUS(status);
  }
  if (j->over_walltime) {
    o->reason = "walltime";
    o->exit_status = PBS_KILL_WALLTIME;
  } else if (j->over_cput) {
    o->reason = "cput";
    o->exit_status = PBS_KILL_CPUT;
  } else if (j->over_mem || j->over_vmem) {
    o->reason = j->over_mem ? "mem" : "vmem";
    o->exit_status = j->over_mem ? PBS_KILL_MEM : PBS_KILL_VMEM;
  } else if (j->over_output) {
    o->reason = "output";
    o->exit_status = OUTPUT_EXCEEDED;
  } else if (j->stopped) {
    o->exit_status = PBS_RERUN; /* whatever the job made of its SIGTERM: it had not ended before */
  }
}

/* ---- afterwards ---- */

static bool wants_copy(int fd, const char *target) { return fd >= 0 && strcmp(target, "/dev/null"); }

/* Where nothing is in the way and the disk is the same, the spool file itself gets the new name. */
static bool give_name(const struct job *j, int from, const char *path) {
  char link_to[64];
  struct stat s;
  snprintf(link_to, sizeof link_to, "/proc/self/fd/%d", from);
  return lstat(path, &s) < 0 && errno == ENOENT &&
         fchmod(from, 0666 & ~(mode_t)j->request.umask) == 0 &&
         linkat(AT_FDCWD, link_to, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

/* A run whose supervisor died may have been given up meanwhile: what another one has delivered there
 * since is worth more than what this one has printed. */
static bool came_later(const struct job *j, const struct stat *s) {
  int64_t written_ms = (int64_t)s->st_mtim.tv_sec * 1000 + s->st_mtim.tv_nsec / 1000000;
  return j->buried && S_ISREG(s->st_mode) && s->st_size > 0 && written_ms > j->outcome.started_ms;
}

/* Whether a file of another host is to be brought there. Where the site says nothing about other hosts
 * homes are taken for shared, so that a directory that its owner finds here is the same one. */
static bool is_far(const struct job *j, const char *host, const char *to, const char *suffix) {
  if (!*host || !j->request.homes_shared) return *host;
  char path[2 * PATH_MAX];
  struct stat s;
  target_path(j, to, suffix, path, sizeof path);
  *strrchr(path, '/') = 0;
  return stat(*path ? path : "/", &s) < 0 || !S_ISDIR(s.st_mode);
}

/* Brings one spool file to where the user wants it, with the user's own rights. */
static bool deliver(const struct job *j, int from, const char *to, const char *suffix, int answer) {
  char path[2 * PATH_MAX];
  struct stat s;
  target_path(j, to, suffix, path, sizeof path);
  bool direct = strchr(j->request.direct, *suffix == 'O' ? 'o' : 'e') != NULL;
  if (direct && fstat(from, &s) == 0 && s.st_size == 0 && access(path, F_OK) == 0) return true;
  if (!direct && stat(path, &s) == 0 && came_later(j, &s)) {
    dprintf(answer, "%s: written since the run began\n", path);
    return false;
  }
  if (give_name(j, from, path)) return true;
  /* O_NONBLOCK: a FIFO without a reader must not hold the supervisor. What the job wrote there
   * itself stays. */
  int how = direct ? O_APPEND : O_TRUNC;
  int fd = open(path, O_WRONLY | O_CREAT | how | O_NONBLOCK | O_CLOEXEC, 0666);
  bool copied = fd >= 0 && lseek(from, 0, SEEK_SET) == 0;
  char block[65536];
  for (ssize_t n = 1; copied && n != 0;) {
    n = read(from, block, sizeof block);
    copied = n >= 0 && write_all(fd, block, (size_t)n) == 0;
  }
  if (fd >= 0 && close(fd) < 0) copied = false;
  if (!copied) dprintf(answer, "%s: %s\n", path, strerror(errno));
  return copied;
}

static void remove_tree(const char *path) {
  char *roots[] = {(char *)path, NULL};
  FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
  if (!tree) return;
  for (FTSENT *e; (e = fts_read(tree));) {
    if (e->fts_info == FTS_D) chmod(e->fts_accpath, 0700);
    else if (e->fts_info == FTS_DP) rmdir(e->fts_accpath);
    else unlink(e->fts_accpath);
  }
  fts_close(tree);
}

enum { OUT_KEPT = 1, ERR_KEPT = 2 };

__attribute__((noreturn)) static void deliver_as_owner(struct job *j, int answer) {
  const struct request *r = &j->request;
  /* Before the owner's rights are taken on: it is not his. Each of two reads it for itself. */
  const int scripts[] = {*r->output_host ? open("stage", O_RDONLY | O_CLOEXEC) : -1,
                         *r->error_host ? open("stage", O_RDONLY | O_CLOEXEC) : -1};
  setpgid(0, 0); /* what copies to another host ends with it */
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask((mode_t)j->request.umask);
  alarm(DELIVER_PATIENCE_MS / 1000); /* also when the supervisor is gone */
  int kept = 0;
  if (!become(&j->owner)) {
    dprintf(answer, "cannot become user %s: %s\n", j->request.user, strerror(errno));
    _exit(OUT_KEPT | ERR_KEPT);
  }
  if (chdir(j->owner.home) < 0 && chdir("/") < 0) _exit(OUT_KEPT | ERR_KEPT);
  const int fds[] = {j->out, j->err}, kinds[] = {OUT_KEPT, ERR_KEPT};
  const char *const targets[] = {r->output, r->error}, *const suffixes[] = {"OU", "ER"},
             *const hosts[] = {r->output_host, r->error_host};
  int64_t deadline = now_ms() + CARRY_PATIENCE_MS;
  pid_t carriers[2];
  bool far[2] = {false, false};
  for (int i = 0; i < 2; i++)
    far[i] = wants_copy(fds[i], targets[i]) && is_far(j, hosts[i], targets[i], suffixes[i]);
  /* To two hosts at once, so that one that is silent takes no time from the other; to one host in
   * turn, since both may be meant for the same file there. */
  bool in_turn = far[0] && far[1] && strcasecmp(hosts[0], hosts[1]) == 0;
  for (int i = 0; i < 2; i++)
    if (far[i] && !(i == 1 && in_turn))
      carriers[i] = carry_away(j, scripts[i], suffixes[i], hosts[i], targets[i], answer);
  for (int i = 0; i < 2; i++) {
    if (far[i] || !wants_copy(fds[i], targets[i])) continue;
    if (!deliver(j, fds[i], targets[i], suffixes[i], answer)) kept |= kinds[i];
  }
  for (int i = 0; i < 2; i++) {
    if (!far[i]) continue;
    if (i == 1 && in_turn)
      carriers[i] = carry_away(j, scripts[i], suffixes[i], hosts[i], targets[i], answer);
    if (!carried(carriers[i], hosts[i], deadline, answer)) kept |= kinds[i];
  }
  if (j->has_tmpdir) remove_tree(j->tmpdir);
  _exit(kept);
}

/* Removes the spool copy, or keeps it where an administrator finds it. */
static void settle(struct job *j, int fd, const char *suffix, bool kept) {
  if (fd < 0) return;
  char path[PATH_MAX + NAME_MAX + 32], keep[PATH_MAX + NAME_MAX + 32];
  snprintf(path, sizeof path, "%s/spool/%s.%s", j->spool, j->name, suffix);
  snprintf(keep, sizeof keep, "%s/undelivered/%s.%s", j->spool, j->name, suffix);
  close(fd); /* or the room would not be free before this process ends */
  if (!kept) unlink(path);
  else if (rename(path, keep) == 0) say(&j->outcome, "output kept in %s", keep);
  else say(&j->outcome, "output kept in %s", path);
}

/* What a task printed is shown by whoever waits for it: a little goes with the report of the end,
 * and stays in the spool for it. Much is delivered beside the job's own output, and so is what is
 * left of a task that was ended with its run: nobody waits any more. */
static void leave_for_report(struct job *j) {
  struct stat out = {0}, err = {0};
  if (j->out >= 0) fstat(j->out, &out);
  if (j->err >= 0) fstat(j->err, &err);
  const struct request *r = &j->request;
  long size = (long)(out.st_size + err.st_size);
  bool little = size <= r->report_max && !j->killing && access("kill", F_OK) < 0;
  int *fds[] = {&j->out, &j->err};
  const off_t sizes[] = {out.st_size, err.st_size};
  const char *const suffixes[] = {"OU", "ER"}, *const targets[] = {r->output, r->error};
  for (int i = 0; i < 2; i++) {
    if (*fds[i] < 0) continue;
    bool kept = little && sizes[i] > 0;
    if (kept) close(*fds[i]);
    else if (sizes[i] == 0 || !wants_copy(*fds[i], targets[i])) settle(j, *fds[i], suffixes[i], false);
    else {
      say(&j->outcome, "%lld bytes of output are in %s", (long long)sizes[i], targets[i]);
      continue;
    }
    *fds[i] = -1;
  }
}

/* Nothing of it goes to its owner's files, where a later run may have been. */
static void set_aside(struct job *j) {
  int *fds[] = {&j->out, &j->err};
  const char *const suffixes[] = {"OU", "ER"};
  for (int i = 0; i < 2; i++) {
    struct stat s = {0};
    if (*fds[i] >= 0) fstat(*fds[i], &s);
    settle(j, *fds[i], suffixes[i], s.st_size > 0);
    *fds[i] = -1;
  }
}

static void wind_up(struct job *j) {
  if (discarded(j)) set_aside(j);
  else if (j->request.report_max) leave_for_report(j);
  struct statvfs room;
  if (statvfs(".", &room) == 0 && room.f_bavail == 0)
    say(&j->outcome, "disk full: no room in the spool %s, output may be cut short", j->spool);
  stage_out(j);
  if (j->has_tmpdir && rmdir(j->tmpdir) == 0) j->has_tmpdir = false;
  if (!j->has_tmpdir && !wants_copy(j->out, j->request.output) &&
      !wants_copy(j->err, j->request.error))
    return;
  int answer[2];
  if (pipe2(answer, O_CLOEXEC) < 0) return;
  pid_t pid = fork();
  if (pid == 0) deliver_as_owner(j, answer[1]);
  close(answer[1]);
  char text[768];
  size_t size = 0;
  int64_t deadline = now_ms() + DELIVER_PATIENCE_MS;
  bool late = pid < 0;
  while (!late) {
    struct pollfd event = {answer[0], POLLIN, 0};
    int64_t left = deadline - now_ms();
    late = poll(&event, 1, left < 0 ? 0 : (int)left) == 0;
    ssize_t n = late ? 0 : read(answer[0], text + size, sizeof text - 1 - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    size += (size_t)n;
  }
  text[size] = 0;
  if (late && pid > 0) kill(-pid, SIGKILL);
  if (late && pid > 0) kill(pid, SIGKILL); /* should it have no group of its own yet */
  int status = 0;
  if (pid > 0 && !late) waitpid(pid, &status, 0);
  /* What copied to other hosts has groups of its own, and may have left something behind. */
  pid_t job = j->pid;
  j->pid = pid > 0 ? pid : j->pid;
  clear_remains(j, "what brought its output");
  j->pid = job;
  int kept = pid > 0 && !late && WIFEXITED(status) ? WEXITSTATUS(status) : OUT_KEPT | ERR_KEPT;
  if (size > 0 || kept) say(&j->outcome, "cannot deliver output: %s", size ? text : "no answer");
  settle(j, j->out, "OU", kept & OUT_KEPT);
  settle(j, j->err, "ER", kept & ERR_KEPT);
  if (j->has_tmpdir && rmdir(j->tmpdir) < 0 && errno != ENOENT)
    say(&j->outcome, "cannot remove %s: %s", j->tmpdir, strerror(errno));
}

/* ---- an earlier supervisor died ---- */

/* The rest of a line; empty when it is not there or does not fit. */
static void words(const char *text, const char *key, char *to, size_t size) {
  size_t length = strlen(key);
  *to = 0;
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
    if (strncmp(line, key, length) == 0 && line[length] == '=') {
      const char *value = line + length + 1;
      size_t end = strcspn(value, "\n");
      if (end < size) snprintf(to, size, "%.*s", (int)end, value);
      return;
    }
}

static int reopen(struct job *j, const char *suffix) {
  char path[PATH_MAX + NAME_MAX + 32];
  snprintf(path, sizeof path, "%s/spool/%s.%s", j->spool, j->name, suffix);
  return open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
}

static void bury(struct job *j) {
  struct outcome *o = &j->outcome;
  char *started = read_whole("started", NULL), *usage = read_whole("usage", NULL);
  bool known = find_owner(j);
  end_group(j);
  int left;
  if (end_earlier(j, started, &left)) {
    o->session = (int)field(started, "session");
    if (left == 0) say(o, "the supervisor of the run died; what was left of the run was killed");
    else say(o, "the supervisor of the run died; %d processes of the run could not be killed", left);
  } else {
    say(o, "the host was restarted while the run was running");
  }
  leave_group(j);
  o->started_ms = started ? field(started, "started_ms") : 0;
  if (usage) {
    o->cput_ms = field(usage, "cput_ms");
    o->walltime_ms = field(usage, "walltime_ms");
    o->mem_kb = (long)field(usage, "mem_kb");
    o->vmem_kb = (long)field(usage, "vmem_kb");
  }
  if (known) {
    j->out = reopen(j, "OU");
    j->err = reopen(j, "ER");
    words(started, "tmpdir", j->tmpdir, sizeof j->tmpdir);
    if (started && !strstr(started, "\ntmpdir=")) /* it had no other name before that was noted */
      snprintf(j->tmpdir, sizeof j->tmpdir, "%s/pbs.%s", j->request.tmp, j->request.jobid);
    j->has_tmpdir = *j->tmpdir != 0;
    o->exit_status = PBS_INITABT;
    j->buried = true;
    epilogue(j);
    clear_remains(j, "what the epilogue started");
    wind_up(j);
  }
  o->exit_status = PBS_INITABT;
  o->reason = "lost";
  write_outcome(j);
}

/* ---- one run ---- */

static void settle_unstarted(struct job *j) {
  if (j->grouped) leave_group(j);
  if (!j->staged && *j->request.stage && access("staged", F_OK) == 0 && !j->owner.home)
    j->staged = find_owner(j); /* an earlier supervisor was killed while it brought files */
  settle(j, j->out, "OU", false);
  settle(j, j->err, "ER", false);
  if (j->terminal) close_terminal(j->terminal);
  if (j->has_tmpdir) rmdir(j->tmpdir);
  if (j->staged) stage_back(j);
  if (access("kill", F_OK) == 0) {
    j->outcome.exit_status = PBS_SIGNAL_BASE + SIGTERM;
    j->outcome.reason = "cancelled";
    j->outcome.signal = SIGTERM;
    j->outcome.message[0] = 0;
    say(&j->outcome, "deleted before it started");
    if (j->staged && discarded(j)) leave_staged(j);
  } else {
    j->outcome.reason = "refused";
  }
  write_outcome(j);
}

static void hear_signals(struct job *j) {
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  signal(SIGCHLD, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  sigprocmask(SIG_BLOCK, &heard, NULL);
  j->child_signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

static bool enter(struct job *j, const char *dir) {
  memset(j, 0, sizeof *j);
  j->out = j->err = j->control = -1;
  j->outcome.reason = "refused";
  j->outcome.exit_status = PBS_FAIL1;
  j->site_processes = -1;
  if (strlen(dir) >= sizeof j->dir - 16 || chdir(dir) < 0 || stat(".", &j->dir_identity) < 0)
    return false;
  snprintf(j->dir, sizeof j->dir, "%s", dir);
  char *slash = strrchr(j->dir, '/');
  if (!slash || slash == j->dir) return false;
  snprintf(j->name, sizeof j->name, "%s", slash + 1);
  snprintf(j->spool, sizeof j->spool, "%.*s", (int)(slash - j->dir), j->dir);
  slash = strrchr(j->spool, '/'); /* the directory "runs" */
  if (!slash) return false;
  *slash = 0;
  umask(077);
  j->lock = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int tries = 0; j->lock >= 0 && tries < LOCK_TRIES; tries++) {
    if (flock(j->lock, LOCK_EX | LOCK_NB) == 0) return true;
    pause_ms(LOCK_PAUSE_MS); /* perhaps the supervisor of an earlier run here is just leaving */
  }
  return false;
}

static int supervise(const char *dir) {
  static struct job job;
  struct job *j = &job;
  if (!enter(j, dir)) return 3; /* another supervisor lives, or the run was released */
  if (access("outcome", F_OK) == 0) {
    announce(j, "outcome");
    return 0;
  }
  hear_signals(j);
  /* After the look for an outcome: a release spoils the request first, so that whoever missed the
   * outcome finds no request either. */
  bool readable = parse_request(&j->request, j->name);
  if (access("started", F_OK) == 0) {
    if (readable) bury(j);
    return 0;
  }
  if (!readable) {
    if (!still_there(j)) return 0;
    say(&j->outcome, "the request in %s is damaged", j->dir);
    write_outcome(j);
    return 0;
  }
  if (access("kill", F_OK) == 0 || !prepare(j) || !launch(j)) {
    settle_unstarted(j);
    return 0;
  }
  int status = watch(j);
  if (j->terminal) close_terminal(j->terminal);
  clear_remains(j, "processes of the job");
  judge(j, status);
  epilogue(j);
  clear_remains(j, "what the epilogue started");
  wind_up(j);
  write_outcome(j);
  return 0;
}

/* ---- the spawn server ---- */

/* What the caller left open must not reach a job. */
static void close_inherited(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3, ~0U, 0) == 0) return;
#endif
  for (int fd = 3; fd < 1024; fd++) close(fd);
}

/* A supervisor must hold nothing of the executor: own session, own streams. */
__attribute__((noreturn)) static void supervise_detached(const char *dir) {
  setsid();
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3 && null >= 0; fd++) dup2(null, fd);
  close_inherited();
  _exit(supervise(dir));
}

/* The supervisors that live, in no order. */
static struct {
  pid_t *pids;
  size_t count, room;
} supervisors;

static size_t index_of(pid_t pid) {
  size_t i = 0;
  while (i < supervisors.count && supervisors.pids[i] != pid) i++;
  return i;
}

static bool is_supervisor(pid_t pid) { return index_of(pid) < supervisors.count; }

static void note_supervisor(pid_t pid) {
  if (supervisors.count == supervisors.room) {
    size_t room = supervisors.room ? 2 * supervisors.room : 64;
    pid_t *pids = realloc(supervisors.pids, room * sizeof *pids);
    if (!pids) _exit(1); /* the executor starts another one; supervisors live on */
    supervisors.pids = pids;
    supervisors.room = room;
  }
  supervisors.pids[supervisors.count++] = pid;
}

/* Reaps supervisors; true when one was killed or somebody else has ended: there are processes of its run. These stay
 * dead until all are: see remains.h. */
static bool reap_supervisors(bool strangers) {
  for (;;) {
    siginfo_t dead = {0};
    if (waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) < 0 || dead.si_pid == 0) return strangers;
    size_t i = index_of(dead.si_pid);
    bool stranger = i == supervisors.count;
    if (stranger && access("/proc/thread-self/children", R_OK) == 0) return true;
    waitpid(dead.si_pid, NULL, 0);
    if (stranger) continue; /* a kernel that lists no children */
    strangers |= dead.si_code != CLD_EXITED;
    supervisors.pids[i] = supervisors.pids[--supervisors.count];
  }
}

/* A supervisor ends after all of its run. The run of one that was killed comes to this process, whatever
 * its processes have done to be found by nobody, and ends here. True when some of it lives on. */
static bool end_strangers(void) {
  int living = end_children(is_supervisor, default_processes_max(), now_ms() + STRANGERS_MS);
  char *children = read_whole("/proc/thread-self/children", NULL);
  for (char *at = children, *end; living == 0 && at && *at; at = end) {
    pid_t child = (pid_t)strtol(at, &end, 10);
    if (end == at) break;
    if (!is_supervisor(child)) waitpid(child, NULL, WNOHANG);
  }
  free(children);
  return living > 0;
}

static void launch_supervisor(const char *line) {
  pid_t pid;
  while ((pid = fork()) < 0) pause_ms(RETRY_FIRST_MS);
  if (pid == 0) supervise_detached(line);
  note_supervisor(pid);
}

/* Takes lines until there are no more to come. */
static int serve(void) {
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  signal(SIGCHLD, SIG_DFL);
  sigprocmask(SIG_BLOCK, &heard, NULL);
  int child_signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  /* Loads the name services once, here, instead of in each child. */
  struct passwd *self = getpwuid(geteuid());
  gid_t groups[MAX_GROUPS];
  int count = MAX_GROUPS;
  if (self) getgrouplist(self->pw_name, self->pw_gid, groups, &count);
  char text[16 * PATH_MAX];
  size_t size = 0;
  bool strangers = false;
  for (;;) {
    struct pollfd events[] = {{0, POLLIN, 0}, {child_signals, POLLIN, 0}};
    poll(events, 2, strangers ? STRANGERS_AGAIN_MS : -1);
    struct signalfd_siginfo info;
    while (read(child_signals, &info, sizeof info) == sizeof info) continue;
    if (events[0].revents) {
      ssize_t n = read(0, text + size, sizeof text - size);
      if (n == 0 || (n < 0 && errno != EINTR)) return 0;
      size += n > 0 ? (size_t)n : 0;
      char *line = text;
      for (char *end; (end = memchr(line, '\n', size - (size_t)(line - text))); line = end + 1) {
        *end = 0;
        launch_supervisor(line);
      }
      size -= (size_t)(line - text);
      memmove(text, line, size);
      if (size == sizeof text) size = 0; /* no line is that long */
    }
    bool lives = false;
    while (!lives && reap_supervisors(strangers)) {
      strangers = false;
      lives = end_strangers();
    }
    strangers = lives;
  }
}

int main(int argc, char **argv) {
  close_inherited();
  if (argc == 2 && !strcmp(argv[1], "serve")) return serve();
  if (argc == 3 && !strcmp(argv[1], "run") && argv[2][0] == '/') return supervise(argv[2]);
  fprintf(stderr, "usage: millrace-supervisor serve | run DIR (absolute path)\n");
  return 2;
}
