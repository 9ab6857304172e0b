/*
 * The control group (v2) of a run, where <spool>/groups leads to a folder in which the executor may make some:
 * the kernel bounds its memory and processes, keeps it on the processors that the executor has chosen for it,
 * counts what it has used, and ends all of it at once.
 *
 *   <spool>/groups/<run>/   made before the run's first process goes on, removed after its last has gone
 *
 * Without that folder, or should a group not come about, the run has none, and what else ends and bounds runs
 * does it alone.
 */
enum { GROUP_LOOKS = 50 };

static void group_file(const struct job *j, const char *file, char *path, size_t size) {
  snprintf(path, size, "%s/groups/%s/%s", j->spool, j->name, file);
}

static bool group_write(const struct job *j, const char *file, const char *text) {
  char path[2 * PATH_MAX];
  group_file(j, file, path, sizeof path);
  int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
  if (fd < 0) return false;
  bool written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  return close(fd) == 0 && written;
}

/* The number behind a word at the beginning of a line, or of the file for an empty word; -1: there is none. */
static long long group_number(const struct job *j, const char *file, const char *word) {
  char path[2 * PATH_MAX];
  group_file(j, file, path, sizeof path);
  char *text = read_whole(path, NULL);
  long long value = -1;
  size_t length = strlen(word);
  for (char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
    if (strncmp(line, word, length) == 0 && sscanf(line + length, "%lld", &value) == 1) break;
  free(text);
  return value;
}

static void leave_group(struct job *j) {
  char path[2 * PATH_MAX];
  group_file(j, "", path, sizeof path);
  /* The dead leave it a moment after they were reaped. */
  for (int looks = 0; rmdir(path) < 0 && errno == EBUSY && looks < GROUP_LOOKS; looks++) pause_ms(LOCK_PAUSE_MS);
  j->grouped = false;
}

/* Makes the group and puts the run's first process in, which has done nothing yet. */
static void enter_group(struct job *j) {
  char path[2 * PATH_MAX], text[32];
  const struct request *r = &j->request;
  snprintf(path, sizeof path, "%s/groups", j->spool);
  if (access(path, F_OK) < 0) return;
  group_file(j, "", path, sizeof path);
  bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
  long most = processes_max(j);
  snprintf(text, sizeof text, "%ld", most);
  made = made && group_write(j, "pids.max", most > 0 ? text : "max");
  if (made && r->mem_kb > 0) {
    bool huge = r->mem_kb > LLONG_MAX / 1024;
    snprintf(text, sizeof text, "%lld", (long long)r->mem_kb * (huge ? 1 : 1024));
    made = group_write(j, "memory.max", huge ? "max" : text) && group_write(j, "memory.oom.group", "1");
    if (made) group_write(j, "memory.swap.max", "0"); /* a kernel that does not count swap has no such file */
  }
  /* It goes on without: who shares the processors of others is slow, and does no harm. */
  if (made && *r->cpus && !group_write(j, "cpuset.cpus", r->cpus))
    say(&j->outcome, "not bound to the processors %s: %s", r->cpus, strerror(errno));
  snprintf(text, sizeof text, "%d", j->pid);
  j->grouped = made && group_write(j, "cgroup.procs", text);
  if (j->grouped) return;
  say(&j->outcome, "no control group %s: %s", path, strerror(errno));
  leave_group(j);
}

/* All at once, whoever they are and whatever they fork. */
static void end_group(const struct job *j) {
  group_write(j, "cgroup.kill", "1"); /* older kernels have no such file: they are ended one by one */
}

/* What the kernel has counted takes the place of what was seen. */
static void count_group(const struct job *j, int64_t *cput_ms, long *mem_kb) {
  if (!j->grouped) return;
  long long used = group_number(j, "cpu.stat", "usage_usec "), peak = group_number(j, "memory.peak", "");
  if (peak < 0) peak = group_number(j, "memory.current", "");
  if (used >= 0) *cput_ms = used / 1000;
  if (peak >= 0) *mem_kb = (long)(peak / 1024);
}

/* Whether the kernel has ended it because it wanted more than it may have. */
static bool group_ran_out(const struct job *j) {
  return j->grouped && j->request.mem_kb > 0 && group_number(j, "memory.events", "oom_kill ") > 0;
}
