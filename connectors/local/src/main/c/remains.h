/*
 * Ends all that a run, or a supervisor that was killed, has left.
 *
 * Programs that fork and exit at once are gone before a signal that was meant for them comes. Three things
 * end them all the same:
 *   - A process group is signalled as a whole: the kernel lets none of its members fork meanwhile.
 *   - Their dead are not reaped before the last of them is dead. Each counts for RLIMIT_NPROC, so that the
 *     kernel soon refuses them the next fork, and who cannot fork stays until he is found.
 *   - Who ends them goes before them on the processor.
 * The superuser's processes have no RLIMIT_NPROC; of these so many dead are kept and no more.
 */
#define MARK "MILLRACE_RUN_DIRECTORY" /* the variable that is the mark of a run */
#define STEPS "MILLRACE_STEPS" /* given empty: the program will write down how its steps end */
#define STEPS_MOST 16384 /* bytes of it that the executor reads */

enum {
  TABLE_SHARE = 4,       /* a user has this part of the process table, */
  PROCESSES_MAX = 32768, /* and no more than so many, where the site says nothing else */
  REST_MS = 1,
};

static long default_processes_max(void) {
  char *text = read_whole("/proc/sys/kernel/pid_max", NULL);
  long share = text ? number(text, 10) / TABLE_SHARE : 0;
  free(text);
  return share > 0 && share < PROCESSES_MAX ? share : PROCESSES_MAX;
}

/* Whether a child is none of those that are to be ended. */
typedef bool (*spared)(pid_t child);

/* Ends the living children, whose own children come to this process by that. The dead stay, so that no
 * number is used again. Returns how many are seen to live. */
static int shoot_children(spared spare, long dead_max) {
  char *children = read_whole("/proc/thread-self/children", NULL);
  int living = 0;
  long dead = 0;
  for (char *at = children, *end; at && *at; at = end) {
    pid_t child = (pid_t)strtol(at, &end, 10);
    if (end == at) break;
    if (spare && spare(child)) continue;
    kill(child, SIGKILL);
    struct process p;
    if (!look_at(child, &p)) continue;
    if (p.state == 'Z' || p.state == 'X') {
      if (++dead > dead_max) waitpid(child, NULL, WNOHANG);
      continue;
    }
    living++;
    if (p.group > 1 && p.group != getpgrp()) kill(-p.group, SIGKILL);
  }
  free(children);
  return living;
}

struct precedence {
  int policy, niceness;
  struct sched_param param;
};

static struct precedence take_precedence(void) {
  struct precedence before = {.policy = sched_getscheduler(0), .niceness = getpriority(PRIO_PROCESS, 0)};
  sched_getparam(0, &before.param);
  struct sched_param first = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &first) < 0)
    setpriority(PRIO_PROCESS, 0, -20); /* who is not root has no other than he has */
  return before;
}

static void give_way(const struct precedence *before) {
  sched_setscheduler(0, before->policy, &before->param);
  setpriority(PRIO_PROCESS, 0, before->niceness);
}

/* Ends all children but those that are spared; returns how many are seen to live after all. */
static int end_children(spared spare, long dead_max, int64_t deadline) {
  struct precedence before = take_precedence();
  int living = 1;
  for (int quiet = 0; quiet < 2 && now_ms() < deadline;) {
    living = shoot_children(spare, dead_max);
    quiet = living == 0 ? quiet + 1 : 0;
    if (living > 0) pause_ms(REST_MS); /* what was killed needs the processor to die */
  }
  give_way(&before);
  return living;
}

/* How many processes and threads the owner may have on this host as far as runs start them; 0: no limit. */
static long processes_max(const struct job *j) {
  return j->site_processes >= 0 ? j->site_processes : default_processes_max();
}

/* What the host itself allows stays where it is less. */
static bool bound_table(const struct job *j) {
  struct rlimit limit;
  rlim_t most = (rlim_t)processes_max(j);
  if (most == 0) return true;
  if (getrlimit(RLIMIT_NPROC, &limit) < 0) return false;
  if (most < limit.rlim_max) limit.rlim_max = most;
  if (limit.rlim_max < limit.rlim_cur) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NPROC, &limit) == 0;
}

/* ---- what an earlier supervisor left ---- */

static long long field(const char *text, const char *key) {
  size_t length = strlen(key);
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL)
    if (strncmp(line, key, length) == 0 && line[length] == '=') return atoll(line + length + 1);
  return 0;
}

struct remains {
  struct job *job;
  pid_t leader;
  unsigned long long leader_start;
  bool leader_lives;
  int living;
};

/* Whether a variable stands in the environment with which a process was started, or which it was forked with. */
static bool was_given(pid_t pid, const char *name, const char *value) {
  char path[64], *wanted = NULL;
  size_t size = 0;
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  char *env = asprintf(&wanted, "%s=%s", name, value) < 0 ? NULL : read_whole(path, &size);
  bool so = false;
  for (char *at = env; env && at < env + size && !so; at += strlen(at) + 1) so = strcmp(at, wanted) == 0;
  free(env);
  free(wanted);
  return so;
}

/* Whether somebody started it who is the owner, with whatever rights it runs. */
static bool is_owners(const struct job *j, pid_t pid) {
  char path[64];
  unsigned uid;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  char *status = j->owner.home ? read_whole(path, NULL) : NULL;
  char *line = status ? strstr(status, "\nUid:") : NULL;
  bool so = line && sscanf(line, "\nUid: %u", &uid) == 1 && uid == j->owner.uid;
  free(status);
  return so;
}

/* A session's number can be used again: the leader must be the same, or the job's id in the environment. Whoever
 * has the mark, which no other run on this host has, belongs to the run in whatever session, if he is the owner's:
 * anybody may give himself a mark. */
static void shoot_remains(const struct process *p, void *context) {
  struct remains *r = context;
  if (p->pid == getpid() || p->pid == 1) return;
  bool inside = p->session == r->leader;
  bool ours = inside && r->leader_lives;
  if (!ours && inside) ours = was_given(p->pid, "PBS_JOBID", r->job->request.jobid);
  if (!ours) ours = was_given(p->pid, MARK, r->job->dir) && is_owners(r->job, p->pid);
  if (!ours) return;
  struct shot shot = {SIGKILL, 0};
  r->living++;
  if (p->group > 1 && p->group != getpgrp()) kill(-p->group, SIGKILL);
  shoot(p, &shot);
}

static void visit_all(visitor visit, void *context) {
  DIR *table = opendir("/proc");
  if (!table) return;
  for (struct dirent *entry; (entry = readdir(table));) {
    pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
    struct process p;
    if (pid > 0 && look_at(pid, &p) && p.state != 'Z' && p.state != 'X') visit(&p, context);
  }
  closedir(table);
}

/* Ends what is left of a run, or of a session, that an earlier supervisor noted; false when the host was
 * restarted since, and nothing is left of anything. */
static bool end_earlier(struct job *j, const char *noted, int *left) {
  char boot[64];
  boot_id(boot, sizeof boot);
  *left = 0;
  if (!noted || !strstr(noted, boot)) return false;
  struct remains r = {.job = j, .leader = (pid_t)field(noted, "session"),
                      .leader_start = (unsigned long long)field(noted, "pid_start")};
  struct precedence before = take_precedence();
  int64_t deadline = now_ms() + REAP_PATIENCE_MS;
  for (int quiet = 0; quiet < 2 && now_ms() < deadline;) {
    struct process leader;
    r.leader_lives = r.leader > 0 && look_at(r.leader, &leader) && leader.start == r.leader_start;
    r.living = 0;
    visit_all(shoot_remains, &r);
    quiet = r.living == 0 ? quiet + 1 : 0;
    if (r.living > 0) pause_ms(REST_MS);
  }
  give_way(&before);
  *left = r.living;
  return true;
}
