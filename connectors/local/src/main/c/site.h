/*
 * What the site has of its own around each run, as PBS's moms have it: <spool>/site/prologue before
 * it, <spool>/site/epilogue after it (docs/prologue.md), <spool>/site/environment and
 * <spool>/site/login_shell (docs/environment.md).
 */
enum {
  SITE_REFUSED = -1,  /* may not be executed */
  SITE_SIGNALLED = -3,
  SITE_LATE = -4,
  SITE_PATIENCE_S = 30,
  SITE_PATIENCE_MAX_S = 24 * 3600,
  SITE_LOOK_MS = 20,
};

static long site_patience_s(const struct job *j) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/site/prologalarm", j->spool);
  char *text = read_whole(path, NULL);
  long seconds = text ? number(text, 10) : 0;
  free(text);
  return seconds > 0 && seconds <= SITE_PATIENCE_MAX_S ? seconds : SITE_PATIENCE_S;
}

/* What everybody could write has no power over runs. */
static bool site_may_serve(const struct stat *s, mode_t rights) {
  return s->st_uid == geteuid() && S_ISREG(s->st_mode) && (s->st_mode & rights) == rights &&
         !(s->st_mode & (S_IWGRP | S_IWOTH));
}

static bool site_may_run(struct job *j, const char *path, const struct stat *s) {
  if (site_may_serve(s, S_IRUSR | S_IXUSR)) return true;
  say(&j->outcome, "%s is not run: it must be a file of the executor's user that he may read and "
                   "execute and nobody else may write", path);
  return false;
}

/* The owner's variables have no power over what runs with the rights of the host. */
__attribute__((noreturn)) static void become_site_script(const struct job *j, char **argv) {
  setsid();
  sigset_t none;
  sigemptyset(&none);
  for (int s = 1; s < SIGRTMIN; s++) signal(s, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int null = open("/dev/null", O_RDWR);
  int out = j->out >= 0 ? j->out : j->err, err = j->err >= 0 ? j->err : j->out;
  if (out < 0) out = err = null; /* a run without files, whose supervisor died */
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(EXEC_FAILED);
  char id[NAME_MAX + 16], home[PATH_MAX + 16], tmp[PATH_MAX + 16], nodes[PATH_MAX + 32];
  snprintf(id, sizeof id, "PBS_JOBID=%s", j->request.jobid);
  snprintf(home, sizeof home, "PBS_JOBDIR=%s", j->jobdir);
  snprintf(tmp, sizeof tmp, "TMPDIR=%s", j->tmpdir);
  snprintf(nodes, sizeof nodes, "PBS_NODEFILE=%s/nodes", j->dir);
  char *env[] = {"PATH=" DEFAULT_PATH, id, home, tmp, nodes, NULL};
  if (chdir("/") == 0) execve(argv[0], argv, env);
  _exit(EXEC_FAILED);
}

/* Runs one of them to its end: 0 also where there is none, its exit status, or what is above. One
 * that prepares a run is ended with it. */
static int site_script(struct job *j, const char *name, bool before, char **argv) {
  char path[PATH_MAX + 32];
  struct stat s;
  snprintf(path, sizeof path, "%s/site/%s", j->spool, name);
  if (stat(path, &s) < 0 && errno == ENOENT) return 0;
  if (stat(path, &s) < 0 || !site_may_run(j, path, &s)) return SITE_REFUSED;
  argv[0] = path;
  pid_t pid = fork();
  if (pid == 0) become_site_script(j, argv);
  int status = 0;
  int64_t deadline = now_ms() + site_patience_s(j) * 1000;
  bool late = pid < 0;
  while (pid > 0 && waitpid(pid, &status, WNOHANG) == 0) {
    late = now_ms() >= deadline;
    if (late || (before && access("kill", F_OK) == 0)) kill(pid, SIGKILL);
    struct pollfd event = {j->child_signals, POLLIN, 0};
    poll(&event, 1, SITE_LOOK_MS);
    struct signalfd_siginfo info;
    while (read(j->child_signals, &info, sizeof info) == sizeof info) continue;
  }
  if (pid > 0) kill(-pid, SIGKILL); /* what it left in its session's first group */
  int result = late                ? SITE_LATE
               : WIFEXITED(status) ? WEXITSTATUS(status)
                                   : SITE_SIGNALLED;
  if (result != 0) say(&j->outcome, "%s: exit status %d", name, result);
  return result;
}

/* A name that shells can have; the text begins with it. */
static bool is_variable(const char *line) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  size_t length = strspn(line, letters);
  return length > 0 && line[length] == '=' && !(*line >= '0' && *line <= '9');
}

/* True when scripts are to be executed by login shells. */
static bool site_wants_login(const struct job *j) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/site/login_shell", j->spool);
  return access(path, F_OK) == 0;
}

/* Reads the variables that the site gives to all runs; false with the reason. A run without what its
 * site has promised would compute something else, so that it does not begin. */
static bool read_site_environment(struct job *j) {
  char path[PATH_MAX + 32];
  struct stat s;
  snprintf(path, sizeof path, "%s/site/environment", j->spool);
  if (stat(path, &s) < 0 && errno == ENOENT) return true;
  j->outcome.exit_status = PBS_RETRY;
  size_t size = 0;
  char *text = stat(path, &s) == 0 && site_may_serve(&s, S_IRUSR) ? read_whole(path, &size) : NULL;
  if (!text) {
    say(&j->outcome, "%s is not read: it must be a file of the executor's user that he may read and "
                     "nobody else may write", path);
    return false;
  }
  size_t lines = 2, at = 0;
  for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
  j->site_env = calloc(lines, sizeof *j->site_env);
  if (!j->site_env) return false;
  long number = 1;
  for (char *line = text, *next; line; line = next, number++) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    if (line[strspn(line, " \t\r")] == 0 || *line == '#') continue;
    if (!is_variable(line)) {
      say(&j->outcome, "%s, line %ld: it is not NAME=VALUE", path, number);
      return false;
    }
    j->site_env[at++] = line; /* the text stays as long as the supervisor */
  }
  j->outcome.exit_status = PBS_FAIL1;
  return true;
}

/* What the site says of limits: `processes=N`, which each user may have on this host as far as runs start
 * them, 0 for no limit; `memory=enforced` or `memory=shown`. */
static bool is_size(const char *text) {
  size_t digits = strspn(text, "0123456789");
  const char *unit = text + digits;
  return digits > 0 && digits <= 15 && (!*unit || !strcmp(unit, "b") || (strchr("kmgtp", *unit) && !strcmp(unit + 1, "b")));
}

static bool read_site_limits(struct job *j) {
  char path[PATH_MAX + 32];
  struct stat s;
  snprintf(path, sizeof path, "%s/site/limits", j->spool);
  if (stat(path, &s) < 0 && errno == ENOENT) return true;
  j->outcome.exit_status = PBS_RETRY;
  char *text = stat(path, &s) == 0 && site_may_serve(&s, S_IRUSR) ? read_whole(path, NULL) : NULL;
  if (!text) {
    say(&j->outcome, "%s is not read: it must be a file of the executor's user that he may read and "
                     "nobody else may write", path);
    return false;
  }
  bool good = true;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line && good; line = strtok_r(NULL, "\n", &rest)) {
    char end = 0;
    if (line[strspn(line, " \t\r")] == 0 || *line == '#') continue;
    if (!strcmp(line, "memory=shown")) j->request.mem_kb = j->request.vmem_kb = 0;
    else if (!strncmp(line, "undelivered=", 12)) good = is_size(line + 12); /* the executor's business */
    else if (strcmp(line, "memory=enforced"))
      good = sscanf(line, "processes=%9ld%c", &j->site_processes, &end) == 1 && j->site_processes >= 0;
    if (!good) say(&j->outcome, "%s: not processes=NUMBER, memory=enforced, memory=shown or undelivered=SIZE: %s", path, line);
  }
  free(text);
  if (good) j->outcome.exit_status = PBS_FAIL1;
  return good;
}

static const char *group_name(const struct job *j) {
  struct group *gr = *j->request.group ? NULL : getgrgid(j->owner.gid);
  return gr ? gr->gr_name : j->request.group;
}

/* Whether the run may begin. PBS's meaning: with 1 the job is given up, with any other it is tried again. */
static bool prologue(struct job *j) {
  if (j->request.task > 0) return true;
  char group[256];
  snprintf(group, sizeof group, "%s", group_name(j));
  char *argv[] = {NULL, (char *)j->request.jobid, (char *)j->request.user, group, NULL};
  int status = site_script(j, "prologue", true, argv);
  if (status == 0) return true;
  j->outcome.exit_status = status == 1 ? PBS_FAIL2 : PBS_RETRY;
  return false;
}

static int clock_text(char *to, size_t size, int64_t ms) {
  long s = (long)(ms / 1000);
  return snprintf(to, size, "%02ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

/* After the last process of the run, and before its output is delivered, which has what this one says. */
static void epilogue(struct job *j) {
  const struct request *r = &j->request;
  const struct outcome *o = &j->outcome;
  if (r->task > 0) return;
  char group[256], session[32], status[32], cput[32], walltime[32], used[256];
  snprintf(group, sizeof group, "%s", group_name(j));
  snprintf(session, sizeof session, "%d", o->session);
  snprintf(status, sizeof status, "%d", o->exit_status);
  clock_text(cput, sizeof cput, o->cput_ms);
  clock_text(walltime, sizeof walltime, o->walltime_ms);
  int64_t percent = o->walltime_ms < 1000 ? 0 : o->cput_ms * 100 / o->walltime_ms;
  snprintf(used, sizeof used, "cpupercent=%lld,cput=%s,mem=%ldkb,ncpus=%ld,vmem=%ldkb,walltime=%s",
           (long long)percent, cput, o->mem_kb, r->ncpus, o->vmem_kb, walltime);
  char *argv[] = {NULL, (char *)r->jobid, (char *)r->user, group, (char *)r->name, session,
                  (char *)r->resources, used, (char *)r->queue,
                  *r->account ? (char *)r->account : "null", status, NULL};
  site_script(j, "epilogue", false, argv);
}
