/*
 * millrace-outside NAME WORD...: starts one command of a batch system in the name of a user.
 * millrace-outside check [NAME WORD...]: prints what its file says, if it takes these words.
 *
 * sudo has made this process that user's before it begins; it never has more rights than he. The
 * account that may call it gets none of his other commands: which there are, and what words they
 * take, stands below. Scripts come on standard input.
 *
 * FILE (root's, writable for nobody else) has lines
 *   system gridengine|openpbs|slurm|torque
 *   caller ACCOUNT       whose processes may have it started
 *   commands DIR         of the system's commands, root's too
 *   spool DIR            in which runs take their claims
 *   set NAME=VALUE       of the commands' environment, which has nothing else of the caller's
 *
 * What is refused ends with status 126 and one line, on standard error and in the system's log.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#ifndef FILE_OF_ROOT
#define FILE_OF_ROOT "/etc/millrace/outside"
#endif

enum { REFUSED = 126, UID_LEAST = 1000, SETS_MOST = 16, GROUPS_MOST = 4096, NAME_MOST = 200,
       LINKS_MOST = 40 };

static struct {
  char system[32], caller[64], commands[PATH_MAX], spool[PATH_MAX];
  char *sets[SETS_MOST];
  int set_count;
} conf;

static struct passwd *self; /* whose process this is */

/* One line, in which no word of a caller steers a terminal or begins another line. */
static void refuse(const char *format, ...) {
  char said[512];
  va_list more;
  va_start(more, format);
  vsnprintf(said, sizeof said, format, more);
  va_end(more);
  for (char *at = said; *at; at++)
    if ((unsigned char)*at < ' ' || (unsigned char)*at > '~') *at = '?';
  syslog(LOG_WARNING, "refused uid %ld: %s", (long)getuid(), said);
  fprintf(stderr, "millrace-outside: refused: %s\n", said);
  exit(REFUSED);
}

/* Root's, and writable for nobody else. */
static void need_root(const char *what, const struct stat *is) {
  if (is->st_uid != 0 || is->st_mode & 022) refuse("%s is not root's alone", what);
}

/* Takes the last part off a path. */
static void up(char *path) {
  char *last = strrchr(path, '/');
  *(last == path ? path + 1 : last) = 0;
}

/*
 * So is each folder on the way to a path, and each link: who may write to one puts another thing in
 * the place of what is below. In a folder with the sticky bit nobody moves what is root's.
 */
static void need_root_path(const char *path) {
  char done[PATH_MAX] = "/", rest[2 * PATH_MAX], next[2 * PATH_MAX], target[PATH_MAX];
  struct stat is;
  if (*path != '/' || strlen(path) >= PATH_MAX) refuse("%s is no absolute path", path);
  strcpy(rest, path);
  for (int links = 0;;) {
    if (lstat(done, &is)) refuse("%s cannot be looked at: %s", done, strerror(errno));
    if (S_ISLNK(is.st_mode)) {
      ssize_t length = readlink(done, target, sizeof target - 1);
      if (is.st_uid != 0) refuse("%s is not root's alone", done);
      if (length < 0 || ++links > LINKS_MOST) refuse("%s leads nowhere", done);
      target[length] = 0;
      if (snprintf(next, sizeof next, "%s/%s", target, rest) >= (int)sizeof next)
        refuse("%s is too long", path);
      strcpy(rest, next);
      if (*target == '/') done[1] = 0;
      else up(done);
    } else {
      if (S_ISDIR(is.st_mode) && is.st_mode & S_ISVTX) is.st_mode &= ~022;
      need_root(done, &is);
    }
    char *at = rest + strspn(rest, "/");
    if (!*at) return;
    size_t length = strcspn(at, "/");
    if (length == 2 && !strncmp(at, "..", 2)) {
      up(done);
    } else if (length != 1 || *at != '.') {
      const char *slash = done[1] ? "/" : "";
      if (snprintf(next, sizeof next, "%s%s%.*s", done, slash, (int)length, at) >= PATH_MAX)
        refuse("%s is too long", path);
      strcpy(done, next);
    }
    memmove(rest, at + length, strlen(at + length) + 1);
  }
}

static void put(char *into, size_t size, const char *name, const char *value) {
  if (!*value || strlen(value) >= size) refuse(FILE_OF_ROOT ": %s is empty or too long", name);
  strcpy(into, value);
}

static void line(char *text) {
  char *value = strchr(text, ' ');
  text[strcspn(text, "\n")] = 0;
  if (!*text || *text == '#') return;
  if (!value) refuse(FILE_OF_ROOT ": '%s' is not NAME VALUE", text);
  *value++ = 0;
  if (!strcmp(text, "system")) put(conf.system, sizeof conf.system, text, value);
  else if (!strcmp(text, "caller")) put(conf.caller, sizeof conf.caller, text, value);
  else if (!strcmp(text, "commands")) put(conf.commands, sizeof conf.commands, text, value);
  else if (!strcmp(text, "spool")) put(conf.spool, sizeof conf.spool, text, value);
  else if (!strcmp(text, "set") && strchr(value, '=') && conf.set_count < SETS_MOST)
    conf.sets[conf.set_count++] = strdup(value);
  else refuse(FILE_OF_ROOT ": there is no '%s'", text);
}

static void read_file(void) {
  int fd = open(FILE_OF_ROOT, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  struct stat is;
  if (fd < 0 || fstat(fd, &is) || !S_ISREG(is.st_mode)) refuse("%s cannot be read", FILE_OF_ROOT);
  need_root(FILE_OF_ROOT, &is);
  need_root_path(FILE_OF_ROOT);
  FILE *in = fdopen(fd, "r");
  char text[PATH_MAX + 64];
  while (in && fgets(text, sizeof text, in)) {
    if (!strchr(text, '\n') && !feof(in)) refuse(FILE_OF_ROOT ": a line is too long");
    line(text);
  }
  if (!in || ferror(in)) refuse("%s cannot be read", FILE_OF_ROOT);
  fclose(in);
  if (!*conf.system || !*conf.caller || *conf.commands != '/' || *conf.spool != '/')
    refuse(FILE_OF_ROOT " lacks system, caller, or an absolute path of commands or spool");
}

/* Neither this process nor a group of it is one of the machine's own. */
static void need_user(void) {
  uid_t real, effective, saved;
  gid_t group, effective_group, saved_group, all[GROUPS_MOST];
  if (getresuid(&real, &effective, &saved) || getresgid(&group, &effective_group, &saved_group))
    refuse("whose process this is cannot be told");
  if (real != effective || real != saved || group != effective_group || group != saved_group)
    refuse("this program has to be nobody's by its mode");
  if (real < UID_LEAST) refuse("the uid %ld is the machine's", (long)real);
  int count = getgroups(GROUPS_MOST, all);
  if (count < 0 || group == 0) refuse("the group 0 is the machine's");
  for (int i = 0; i < count; i++)
    if (all[i] == 0) refuse("the group 0 is the machine's");
  errno = 0;
  self = getpwuid(real);
  if (!self) refuse("the uid %ld has no account", (long)real);
}

/* sudo says who has called; a process of his or of root's has started this one. */
static void need_caller(void) {
  const char *said = getenv("SUDO_UID");
  struct passwd *caller = getpwnam(conf.caller);
  if (!caller) refuse("there is no account %s", conf.caller);
  char wanted[32], parent[64];
  snprintf(wanted, sizeof wanted, "%ld", (long)caller->pw_uid);
  if (!said || strcmp(said, wanted)) refuse("it was not called by %s through sudo", conf.caller);
  struct stat is;
  snprintf(parent, sizeof parent, "/proc/%ld", (long)getppid());
  if (getppid() <= 1 || stat(parent, &is) || (is.st_uid != 0 && is.st_uid != caller->pw_uid))
    refuse("it was not called by %s through sudo", conf.caller);
  self = getpwuid(getuid()); /* getpwnam has used the same place */
  if (!self) refuse("the uid %ld has no account", (long)getuid());
}

/*
 * Words that commands take. In a form a word is literal but for
 *   @N a number, @T a tag of a run, @Q a name of queues, hosts and the like, @L some of them with
 *   commas, @B numbers and @G tags with commas, @S and @H hosts of an OpenPBS and a Torque with what
 *   they give,
 *   @I a number of a job, with index and server, @J any text of a line, which has to be the rest of
 *   the word, @P the folder of a run of this user's, @R resources, each ":NAME=AMOUNT",
 *   @E generic ones, "NAME:COUNT" or "NAME:TYPE:COUNT", with commas between them.
 * "whole" forms are all words of a command; of the others each may come, in any order.
 */
struct command {
  const char *system, *name;
  bool whole;
  const char *forms[28];
};

#define PBS_SUBMIT \
  { "-A @T", "-P @T", "-v MILLRACE=@T", "-N @Q", "-r n", "-S /bin/bash", "-m n", "-o /dev/null", \
    "-e /dev/null", "-l select=@S", "-l place=scatter", "-l nodes=@H", "-l nodes=@H,mem=@Nkb", \
    "-l walltime=@N", "-q @Q" }
#define PBS_HOLD { "-h u @I" }
#define PBS_ALTER { "-l walltime=@N @I" }
#define PBS_SIGNAL { "-s suspend @I", "-s resume @I", "-s @N @I" }

static const struct command commands[] = {
  { "", "mkdir", true, { "@P" } },
  { "", "rm", false, { "-rf", "--", "@P" } },
  { "slurm", "sbatch", false,
    { "--parsable", "--no-requeue", "--comment=@T", "--wckey=@T", "--job-name=@J", "--ntasks=@N",
      "--ntasks-per-node=@N", "--cpus-per-task=@N", "--mem=@NM", "--mem-per-cpu=@NM", "--gres=@E",
      "--output=/dev/null", "--error=/dev/null", "--chdir=/", "--partition=@Q", "--nodes=@N",
      "--nodelist=@L", "--time=0:@N" } },
  { "slurm", "scancel", true, { "@N", "--full --signal=@N @N" } },
  { "slurm", "squeue", true, { "--json" } },
  { "slurm", "sacct", true,
    { "--json --user=@Q --jobs=@B", "--json --user=@Q --wckeys=@G --starttime=now-@N" } },
  { "slurm", "scontrol", true, { "hold @N", "release @N", "suspend @N", "resume @N",
      "update JobId=@N TimeLimit=0:@N" } },
  { "gridengine", "qsub", false,
    { "-clear", "-terse", "-A @T", "-ac MILLRACE=@T", "-r n", "-b n", "-S /bin/bash", "-wd /",
      "-o /dev/null", "-e /dev/null", "-N @Q", "-q @L", "-l @Q=TRUE", "-pe @Q @N",
      "-l h_rt=@N", "-l @Q=@NK", "-l @Q=@N" } },
  { "gridengine", "qalter", false, { "-l @Q=TRUE", "-l @Q=@NK", "-l @Q=@N", "@N" } },
  { "gridengine", "qdel", true, { "@N" } },
  { "gridengine", "qhold", true, { "@N" } },
  { "gridengine", "qrls", true, { "@N" } },
  { "gridengine", "qmod", true, { "-sj @N", "-usj @N" } },
  { "gridengine", "qresub", true, { "-h u @N" } },
  { "openpbs", "qsub", false, PBS_SUBMIT },
  { "openpbs", "qalter", true, PBS_ALTER },
  { "openpbs", "qdel", true, { "@I" } },
  { "openpbs", "qhold", true, PBS_HOLD },
  { "openpbs", "qrls", true, PBS_HOLD },
  { "openpbs", "qstat", true, { "-f -F json @I", "-x -f -F json @I" } },
  { "openpbs", "qsig", true, PBS_SIGNAL },
  { "torque", "qsub", false, PBS_SUBMIT },
  { "torque", "qalter", true, PBS_ALTER },
  { "torque", "qdel", true, { "@I" } },
  { "torque", "qhold", true, PBS_HOLD },
  { "torque", "qrls", true, PBS_HOLD },
  { "torque", "qstat", true, { "-x @I" } },
  { "torque", "qsig", true, PBS_SIGNAL },
};

/* Of one without commands here "check" would find nothing wrong, and all else would be refused. */
static void need_system(void) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (*commands[i].system && !strcmp(commands[i].system, conf.system)) return;
  refuse(FILE_OF_ROOT ": there is no system '%s'", conf.system);
}

/* What names of resources are made of. */
#define NAMES "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

static bool is_in(const char *set, char c) {
  return c && (isalnum((unsigned char)c) || strchr(set, c));
}

static const char *past(char class, const char *at);

/* The end of what a form's word takes from here on; NULL when it does not fit. */
static const char *along(const char *form, const char *at) {
  while (at && *form && *form != ' ') {
    if (*form == '@') {
      at = past(form[1], at);
      form += 2;
    } else if (*form++ != *at++) {
      return NULL;
    }
  }
  return at;
}

/* The same for what need not be there. */
static const char *maybe(const char *form, const char *at) {
  const char *end = at ? along(form, at) : NULL;
  return end ? end : at;
}

/* The end of what a class takes from here on; NULL when it takes nothing. */
static const char *past(char class, const char *at) {
  const char *from = at;
  char run[PATH_MAX];
  switch (class) {
  case 'N':
    while (isdigit((unsigned char)*at) && at - from < 18) at++;
    break;
  case 'Q': /* never the begin of an option */
    while (is_in(at == from ? "_@" : "_@.+-", *at)) at++;
    break;
  case 'W': /* the same without what stands between two */
    while (is_in(at == from ? "_" : "_.-", *at)) at++;
    break;
  case 'L':
    while ((at = past('Q', at)) && *at == ',') at++;
    return at;
  case 'S':
    do at = maybe(":host=@W", maybe("@R", maybe(":mem=@Nkb", along("@N:ncpus=@N", at))));
    while (at && *at == '+' && at++);
    return at;
  case 'H':
    do at = maybe("@R", along("@W:ppn=@N", at));
    while (at && *at == '+' && at++);
    return at;
  case 'I':
    if (!isdigit((unsigned char)*at)) return NULL;
    while (is_in(".[]-", *at)) at++;
    break;
  case 'B':
  case 'G':
    for (;; at++) {
      const char *end = past(class == 'B' ? 'N' : 'T', at);
      if (!end || *end != ',') return end;
      at = end;
    }
  case 'T':
    if (strncmp(at, "mr.", 3)) return NULL;
    while (is_in(".-", *at)) at++;
    break;
  case 'R': /* the host is the last word of its part */
    while (*at == ':' && isalpha((unsigned char)at[1]) && strncmp(at, ":host=", 6)) {
      const char *value = at + 1 + strspn(at + 1, NAMES);
      if (*value != '=' || !is_in("-", value[1])) return NULL;
      for (at = value + 1; is_in(".-", *at);) at++;
    }
    break;
  case 'E':
    if (!isalpha((unsigned char)*at)) return NULL;
    while (is_in("_.:,-", *at)) at++;
    break;
  case 'J':
    while (*at && !iscntrl((unsigned char)*at) && at - from < 4 * NAME_MOST) at++;
    break;
  case 'P':
    if (snprintf(run, sizeof run, "%s/%s/", conf.spool, self->pw_name) >= (int)sizeof run ||
        strncmp(at, run, strlen(run)))
      return NULL;
    return past('T', at + strlen(run));
  }
  return at > from ? at : NULL;
}

/* Whether a word is as the form's word says, which ends with a blank or with the form. */
static bool fits(const char *form, const char *word) {
  const char *end = along(form, word);
  return end && !*end;
}

/* How many words a form takes here; 0 when it does not fit. */
static int takes(const char *form, int count, char **words) {
  int taken = 0;
  for (const char *at = form; at; taken++) {
    if (taken == count || !fits(at, words[taken])) return 0;
    at = strchr(at, ' ');
    at = at ? at + 1 : NULL;
  }
  return taken;
}

static void need_words(const struct command *command, int count, char **words) {
  int at = 0;
  do {
    int taken = 0;
    for (int i = 0; i < 28 && command->forms[i] && !taken; i++) {
      taken = takes(command->forms[i], count - at, words + at);
      if (command->whole && taken != count) taken = 0;
    }
    if (!taken)
      refuse("%s does not take '%s' here", command->name, at < count ? words[at] : "nothing");
    at += taken;
  } while (at < count);
}

static const struct command *find(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (!strcmp(commands[i].name, name) &&
        (!*commands[i].system || !strcmp(commands[i].system, conf.system)))
      return &commands[i];
  refuse("'%s' is no command of %s", name, conf.system);
  return NULL;
}

static void clean(void) {
  char user[300], logname[300], home[PATH_MAX + 8];
  snprintf(user, sizeof user, "USER=%s", self->pw_name);
  snprintf(logname, sizeof logname, "LOGNAME=%s", self->pw_name);
  snprintf(home, sizeof home, "HOME=%s", self->pw_dir);
  clearenv();
  putenv(strdup("PATH=/usr/bin:/bin:/usr/sbin:/sbin"));
  putenv(strdup("LC_ALL=C.UTF-8"));
  putenv(strdup(user));
  putenv(strdup(logname));
  putenv(strdup(home));
  for (int i = 0; i < conf.set_count; i++) putenv(conf.sets[i]);
  umask(022);
  if (chdir("/")) refuse("there is no /");
  syscall(SYS_close_range, 3U, ~0U, 0U);
  struct rlimit core; /* a system may hand limits on to jobs, which may raise what is not hard */
  if (!getrlimit(RLIMIT_CORE, &core)) {
    core.rlim_cur = 0;
    setrlimit(RLIMIT_CORE, &core);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
}

int main(int argc, char **argv) {
  openlog("millrace-outside", LOG_PID, LOG_AUTHPRIV);
  if (argc < 2) refuse("a command is missing");
  need_user();
  read_file();
  need_system();
  need_caller();
  if (!strcmp(argv[1], "check")) {
    if (argc > 2) need_words(find(argv[2]), argc - 3, argv + 3);
    printf("system %s\ncommands %s\nspool %s\n", conf.system, conf.commands, conf.spool);
    return 0;
  }
  const struct command *command = find(argv[1]);
  need_words(command, argc - 2, argv + 2);
  char program[PATH_MAX + 64];
  bool own = !*command->system;
  snprintf(program, sizeof program, "%s/%s", own ? "/bin" : conf.commands, command->name);
  struct stat is;
  if (stat(program, &is) || !S_ISREG(is.st_mode)) refuse("there is no program %s", program);
  need_root_path(program);
  clean();
  argv[1] = program;
  execv(program, argv + 1);
  refuse("%s: %s", program, strerror(errno));
}
