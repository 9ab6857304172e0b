/*
 * Files that come to a run before its start and leave behind it (-W stagein, stageout, sandbox). What
 * is to be copied, and how, is a shell script that the executor wrote; it is read with the owner's
 * rights, in his home.
 */
enum { STAGE_PATIENCE_MS = 24 * 3600 * 1000 };

static void clear_remains(struct job *j, const char *whose);

/* For the supervisor that follows when this one is killed: the script would go on. */
static void note_stager(void) {
  struct process self = {0};
  char boot[64], text[192];
  look_at(getpid(), &self);
  boot_id(boot, sizeof boot);
  snprintf(text, sizeof text, "session=%d\npid_start=%llu\nboot_id=%s\n", getpid(), self.start, boot);
  put_once("stager", text, false, false); /* a full disk only costs that nobody knows of it */
}

static void end_earlier_stager(struct job *j) {
  char *noted = read_whole("stager", NULL);
  int left;
  end_earlier(j, noted, &left);
  free(noted);
}

/* With the owner's rights; file and far are of the verb "deliver". */
__attribute__((noreturn)) static void read_stage_script(const struct job *j, const char *verb,
                                                        const char *file, const char *far) {
  umask((mode_t)j->request.umask);
  char home[PATH_MAX + 16], user[300], node[300], own[PATH_MAX + 32], copy[PATH_MAX + 32],
      list[PATH_MAX + 32], from[2 * PATH_MAX + 16], to[2 * PATH_MAX + 16];
  snprintf(home, sizeof home, "HOME=%s", j->owner.home);
  snprintf(user, sizeof user, "USER=%s", j->owner.name);
  snprintf(node, sizeof node, "NODE=%s", j->request.node);
  snprintf(own, sizeof own, "JOB_DIRECTORY=%s", j->request.own_directory ? j->jobdir : "");
  snprintf(copy, sizeof copy, "COPY=%s/site/copy", j->spool);
  snprintf(list, sizeof list, "STAGED=%s/staged", j->dir);
  snprintf(from, sizeof from, "FILE=%s", file);
  snprintf(to, sizeof to, "FAR=%s", far);
  if (access(copy + 5, X_OK) < 0) copy[5] = 0;
  char id[NAME_MAX + 16]; /* by which what is left of it is known */
  snprintf(id, sizeof id, "PBS_JOBID=%s", j->request.jobid);
  char *buried = j->buried ? "BURIED=1" : "BURIED=";
  char *env[] = {"PATH=" DEFAULT_PATH, "LC_ALL=C", home, user, node, own, copy, list, buried, id,
                 from, to, NULL};
  char *argv[] = {"sh", "-s", (char *)verb, NULL};
  if (chdir(j->owner.home) < 0)
    dprintf(2, "cannot enter the home directory %s: %s", j->owner.home, strerror(errno));
  else execve("/bin/sh", argv, env);
  _exit(EXEC_FAILED);
}

static void hear_all_signals(void) {
  sigset_t none;
  sigemptyset(&none);
  for (int s = 1; s < SIGRTMIN; s++) signal(s, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

__attribute__((noreturn)) static void become_stage_script(const struct job *j, const char *verb,
                                                          int script, int staged, int said) {
  setsid();
  note_stager();
  hear_all_signals();
  if (dup2(script, 0) < 0 || dup2(staged, 1) < 0 || dup2(said, 2) < 0) _exit(EXEC_FAILED);
  if (!become(&j->owner)) dprintf(2, "cannot become user %s: %s", j->request.user, strerror(errno));
  else read_stage_script(j, verb, "", "");
  _exit(EXEC_FAILED);
}

/* Begins to bring a file of output to another host; in a process that has the owner's rights
 * already. What copies has a group of its own, which ends when nothing is heard of the host. */
static pid_t carry_away(const struct job *j, int script, const char *suffix, const char *host,
                       const char *to, int answer) {
  char file[2 * PATH_MAX], far[2 * PATH_MAX];
  snprintf(file, sizeof file, "%s/spool/%s.%s", j->spool, j->name, suffix);
  int size = snprintf(far, sizeof far, "%s:%s", host, to);
  if (size > 0 && far[size - 1] == '/')
    snprintf(far + size, sizeof far - (size_t)size, "%s.%s", j->request.jobid, suffix);
  if (script < 0) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    hear_all_signals();
    if (dup2(script, 0) < 0 || dup2(answer, 1) < 0 || dup2(answer, 2) < 0) _exit(EXEC_FAILED);
    read_stage_script(j, "deliver", file, far);
  }
  if (pid > 0) setpgid(pid, pid);
  return pid;
}

/* Whether the file came there; the other host has until then. */
static bool carried(pid_t pid, const char *host, int64_t deadline, int answer) {
  int status = -1;
  while (pid > 0 && waitpid(pid, &status, WNOHANG) != pid) {
    if (now_ms() >= deadline) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
      dprintf(answer, "%s: no answer\n", host);
      return false;
    }
    poll(NULL, 0, CARRY_LOOK_MS);
  }
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs it to its end, or until the run is to end before its start. */
static bool stage(struct job *j, const char *verb) {
  bool before = !strcmp(verb, "in");
  int answer[2];
  end_earlier_stager(j);
  int script = open(j->request.stage, O_RDONLY | O_CLOEXEC);
  /* Added to, since an earlier supervisor may have been killed in the middle. */
  int staged = open("staged", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (staged >= 0) fchmod(staged, 0644); /* the owner reads it again */
  else if (!before) staged = open("/dev/null", O_WRONLY | O_CLOEXEC); /* no room: files go all the same */
  pid_t pid = -1;
  if (script >= 0 && staged >= 0 && pipe2(answer, O_CLOEXEC) == 0) {
    pid = fork();
    if (pid == 0) become_stage_script(j, verb, script, staged, answer[1]);
    close(answer[1]);
  }
  if (script >= 0) close(script);
  if (staged >= 0) close(staged);
  if (pid < 0) {
    say(&j->outcome, "cannot stage files %s: %s", verb, strerror(errno));
    return false;
  }
  char text[768];
  size_t size = 0;
  int64_t deadline = now_ms() + STAGE_PATIENCE_MS;
  int status = -1;
  bool ended = false, reaped = false, over = false;
  while (!ended && !reaped && !over) {
    struct pollfd event = {answer[0], POLLIN, 0};
    if (poll(&event, 1, 100) > 0) {
      char rest[256];
      bool room = size < sizeof text - 1;
      ssize_t n = read(answer[0], room ? text + size : rest, room ? sizeof text - 1 - size : sizeof rest);
      if (n > 0 && room) size += (size_t)n;
      ended = n == 0;
    }
    /* What it leaves behind may hold the pipe. */
    reaped = waitpid(pid, &status, WNOHANG) == pid;
    over = !reaped && (now_ms() >= deadline || (before && access("kill", F_OK) == 0));
  }
  if (over) kill(-pid, SIGKILL);
  while (!reaped && waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  pid_t job = j->pid;
  j->pid = pid;
  clear_remains(j, "what staged files"); /* nothing of it may outlive the run, nor count as the job's own */
  j->pid = job;
  fcntl(answer[0], F_SETFL, O_NONBLOCK);
  for (ssize_t n; size < sizeof text - 1 && (n = read(answer[0], text + size, sizeof text - 1 - size)) > 0;)
    size += (size_t)n;
  close(answer[0]);
  unlink("stager");
  while (size > 0 && text[size - 1] == '\n') size--;
  text[size] = 0;
  bool good = !over && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!good) say(&j->outcome, "cannot stage files %s: %s", verb, size ? text : "no answer");
  else if (size) say(&j->outcome, "%s", text);
  return good;
}

static bool stage_in(struct job *j) {
  if (!*j->request.stage) return true;
  j->staged = true;
  if (stage(j, "in")) return true;
  j->staged = access("kill", F_OK) == 0; /* it was ended before it could clear up */
  j->outcome.exit_status = STAGE_IN_FAILED;
  return false;
}

/* A run that was given up leaves its files: those of that name may be another run's by now. */
static void leave_staged(struct job *j) {
  end_earlier_stager(j);
  say(&j->outcome, "its files stay as they are in %s, since the run was given up", j->jobdir);
}

static void stage_out(struct job *j) {
  if (!*j->request.stage) return;
  if (discarded(j)) leave_staged(j);
  else stage(j, "out");
}

/* Nothing has run: what was brought goes, and there is nothing to take away. */
static void stage_back(struct job *j) {
  if (!discarded(j)) stage(j, "back");
}
