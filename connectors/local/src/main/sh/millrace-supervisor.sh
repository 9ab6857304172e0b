#!/bin/bash
# The supervisor for hosts without a C compiler: same verbs, same spool protocol (SPOOL.md) and same
# answers as millrace-supervisor.c. Needs bash 4.4, util-linux (setsid, setpriv, flock) and coreutils.
#
# Differences, all of them of cost or reach: a run takes some eighty milliseconds of processor
# time; samples read the whole process table; processes that left the job's session are found by
# the run's mark in their environment, and not at all without it; what forks for ever in ever new sessions is
# not caught; memory of runs shorter than the first sample is not seen; output that is to be written where it
# belongs (-k d) is copied there after the run.
#
#   millrace-supervisor.sh serve        spawn server: one run directory per line on standard input
#   millrace-supervisor.sh run DIR      supervise one run directory
set -u
shopt -s extglob nullglob
umask 077
export LC_ALL=C
PATH=/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin
# What does not change is found once and handed down: each program started costs a millisecond.
self=${MILLRACE_SELF:-$(readlink -f "${BASH_SOURCE[0]}")}
ticks_per_s=${MILLRACE_TICKS:-$(getconf CLK_TCK 2>/dev/null || echo 100)}
page_kb=${MILLRACE_PAGE_KB:-$(($(getconf PAGESIZE 2>/dev/null || echo 4096) / 1024))}
export MILLRACE_SELF=$self MILLRACE_TICKS=$ticks_per_s MILLRACE_PAGE_KB=$page_kb

readonly STAGE_IN_FAILED=-31 STAGE_PATIENCE_S=86400
readonly FAIL1=-1 FAIL2=-2 RETRY=-3 INITABT=-4 FAILUID=-10 RERUN=-11 KILL_VMEM=-26 KILL_MEM=-27 KILL_CPUT=-28 KILL_WALLTIME=-29 OUTPUT_EXCEEDED=-32 EXEC_FAILED=254
readonly PROCESSES_MAX=32768 FOREVER_S=20000000000000000 PATIENCE_S=600 REAP_PATIENCE_CS=2000 YOUNG_CS=6000 OUTPUT_LOOK_CS=50 LOOKS_PER_SAMPLE=5 STEPS_MOST=16384

# ---- small things ----

now_cs() { # hundredths of a second since boot: not moved by anyone who sets the clock
  local up
  read -r up _ </proc/uptime
  now=$((10#${up/./}))
}

wall_ms() { wall=$((${EPOCHREALTIME/[.,]/} / 1000)); }

pause() { read -rt "$1" -u 3 _ || true; } # fd 3 is the control FIFO, open for writing as well

say() {
  message+="${message:+; }${1//[[:cntrl:]]/ }"
  message=${message:0:1000}
}

# whole FILE: sets `text` to all of it, to nothing when it cannot be read. What the kernel tells of a process
# or of a control group is read to its end: bash goes back to behind the line that it took, cannot where the
# process is gone by then, and takes the rest for lines of the next file that it reads.
whole() {
  text=
  { IFS= read -r -d '' text <"$1"; } 2>/dev/null
  [[ $text ]]
}

# Reads key=value lines of a file into the associative array `fields`.
declare -A fields=()
read_fields() {
  local line
  fields=()
  [[ -r $1 ]] || return 1
  while IFS= read -r line; do fields[${line%%=*}]=${line#*=}; done <"$1"
}

# ---- the request ----

declare -a argv=() env=() site_env=()
parse_request() {
  local record key value
  [[ -r request ]] || return 1
  while IFS= read -r -d '' record; do
    key=${record%%=*} value=${record#*=}
    case $key in
      env) env+=("$value") ;;
      arg) argv+=("$value") ;;
      jobid) jobid=$value ;;
      user) user=$value ;;
      group) group=$value ;;
      shell) shell=$value ;;
      script) script=$value ;;
      output) output=$value ;;
      error) error=$value ;;
      output_host) output_host=$value ;;
      error_host) error_host=$value ;;
      homes_shared) homes_shared=$value ;;
      join) join=$value ;;
      tmp) tmp=$value ;;
      directory) directory=$value ;;
      nodes_also) nodes_also=$value ;;
      allow_root) allow_root=$value ;;
      durable) durable=$value ;;
      checked) checked=$value ;;
      walltime_s) walltime_s=$value ;;
      soft_walltime_s) soft_walltime_s=$value ;;
      cput_s) cput_s=$value ;;
      pcput_s) pcput_s=$value ;;
      mem_kb) mem_limit=$value ;;
      vmem_kb) vmem_limit=$value ;;
      output_kb) output_kb=$value ;;
      cpus) cpus=$value ;;
      kill_delay_s) kill_delay_s=$value ;;
      ncpus) ncpus=$value ;;
      umask) mask=$value ;;
      run) run=$value ;;
      task) task=$value ;;
      terminal) terminal=$value ;;
      name) jobname=$value ;;
      queue) queue=$value ;;
      account) account=$value ;;
      resources) resources=$value ;;
      report_max) report_max=$value ;;
      stage) stage=$value ;;
      node) node=$value ;;
      login) by_login=$value ;;
      own_directory) own_directory=$value ;;
    esac
  done <request
  # a released directory may serve again: only the request of this very run counts
  [[ $jobid && $user && ($script || $terminal || ${#argv[@]} -gt 0) && $jobid.$run${task:+-$task} == "${dir##*/}" ]]
}

# ---- files that appear whole or not at all ----

# put_once NAME TEXT [claim]
put_once() {
  { printf '%s' "$2" >"$1.tmp"; } 2>/dev/null || return 1
  if [[ $durable == 1 ]]; then sync "$1.tmp" || return 1; fi
  if [[ ${3:-} == claim ]]; then
    ln "$1.tmp" "$1" 2>/dev/null || return 1
    rm -f "$1.tmp"
  else
    mv -f "$1.tmp" "$1" 2>/dev/null || return 1
  fi
  if [[ $durable == 1 ]]; then sync . || true; fi
}

still_there() { [[ $dir -ef . && -d $dir ]]; }

announce() { # a missed event costs the time until the watcher's next sweep
  # appending nothing: an event that is there already is another name of the file itself
  ln "$1" "$spool/events/$name.$1" 2>/dev/null || : >>"$spool/events/$name.$1" 2>/dev/null || true
}

# write_outcome STATUS REASON SIGNAL: never given up; while the disk is full it waits
write_outcome() {
  local first wait=0.05 delay=''
  now_cs
  first=$now
  until
    wall_ms
    put_once outcome "exit_status=$1
reason=$2
signal=$3
cput_ms=$cput_ms
walltime_ms=$walltime_ms
mem_kb=$mem_kb
vmem_kb=$vmem_kb
ncpus=$ncpus
started_ms=$started_ms
ended_ms=$wall
session=$session
message=$message${message:+${delay:+; }}$delay
"
  do
    still_there || exit 0
    pause $wait
    wait=1
    now_cs
    delay="disk full: the spool had no room for $(((now - first + spool_full_cs) / 100)) s"
  done
  flock -u 9 # the directory may serve another run as soon as this is heard
  announce outcome
}

# ---- processes of the run ----

# Lists "pid state session ticks start vsize rss group" of the living members of a session, and of those that
# have the mark of the run in their environment and are its owner's, in whatever session.
members_of() {
  local file text pid
  local -a f files=(/proc/[0-9]*/environ)
  local -A marked=()
  mapfile -t files < <(grep -lzxsF -- "MILLRACE_RUN_DIRECTORY=$dir" "${files[@]}")
  for file in "${files[@]}"; do
    pid=${file#/proc/} pid=${pid%/environ}
    whole "/proc/$pid/status" || continue
    [[ ! ${uid:-} || $text != *$'\nUid:\t'"$uid"$'\t'* ]] || marked[$pid]=1
  done
  for file in /proc/[0-9]*/stat; do
    whole "$file" || continue
    f=(${text##*) })
    pid=${text%% *}
    [[ ${f[3]:-} == "$1" || ${marked[$pid]:-} ]] && [[ ${f[0]} != [ZX] && $pid != "$$" ]] || continue
    echo "$pid ${f[0]} ${f[3]} $((f[11] + f[12] + f[13] + f[14])) ${f[19]} ${f[20]} ${f[21]} ${f[2]}"
  done
}

signal_run() {
  local pid rest
  hit=0
  while read -r pid rest; do kill -s "$1" "$pid" 2>/dev/null && hit=$((hit + 1)); done < <(members_of "$session")
}

# Ends what lives of a run: those that fork faster than they are found stand still first, which holds their
# places among the owner's processes, so that the others cannot fork. A process group is signalled as a whole:
# none of its members forks meanwhile.
kill_members() { # SESSION
  local pid state sid ticks start vsize rss group text moving=
  local -a f pids=() groups=()
  whole "/proc/$$/stat"
  f=(${text##*) })
  while read -r pid state sid ticks start vsize rss group; do
    pids+=("$pid")
    ((group <= 1 || group == f[2])) || groups+=("-$group")
    [[ $state == [Tt] ]] || moving=1
  done < <(members_of "$1")
  hit=${#pids[@]}
  ((hit > 0)) || return 0
  stops=$((stops + 1))
  if [[ $moving ]] && ((stops > 2 && stops % 30 != 0)); then
    kill -s 19 -- "${pids[@]}" 2>/dev/null
  else
    kill -s 9 -- "${groups[@]}" "${pids[@]}" 2>/dev/null
  fi
  return 0
}

take_sample() {
  local pid state sid ticks start vsize rss rest cput=0 mem=0 vmem=0
  local -a pids=()
  while read -r pid state sid ticks start vsize rss rest; do
    cput=$((cput + ticks * 1000 / ticks_per_s)) mem=$((mem + rss * page_kb)) vmem=$((vmem + vsize / 1024))
    pids+=("$pid")
  done < <(members_of "$session")
  count_group
  if [[ ! $grouped ]] && ((mem_limit > 0 && mem > mem_limit)); then # memory that processes share counts once
    mem=0
    for pid in "${pids[@]}"; do
      while read -r sid rss rest; do [[ $sid != Pss: ]] || mem=$((mem + rss)); done 2>/dev/null <"/proc/$pid/smaps_rollup"
    done
  fi
  ((cput > cput_ms)) && cput_ms=$cput
  ((mem > mem_kb)) && mem_kb=$mem
  ((vmem > vmem_kb)) && vmem_kb=$vmem
  [[ $1 == publish ]] || return 0
  now_cs
  ran
  put_once usage "cput_ms=$cput_ms
walltime_ms=$((ran_cs * 10))
mem_kb=$mem_kb
vmem_kb=$vmem_kb
" || true
}

# ---- the control group (v2) of a run: see group.h ----

group_write() { # FILE TEXT
  { [[ -e $cgroup/$1 ]] && printf '%s' "$2" >"$cgroup/$1"; } 2>/dev/null
}

# group_number FILE WORD: the number behind a word, or of the file for an empty word
group_number() {
  local text
  found=
  [[ $grouped ]] && whole "$cgroup/$1" || return 1
  [[ ! $2 ]] || text=$'\n'$text text=${text#*$'\n'"$2 "}
  found=${text%%$'\n'*}
  [[ $found == +([0-9]) ]]
}

leave_group() {
  local looks
  for ((looks = 0; looks < 50; looks++)); do
    rmdir "$cgroup" 2>/dev/null && break
    group_number cgroup.events populated && ((found > 0)) || break # the dead leave it a moment later
    pause 0.01
  done
  grouped=
}

enter_group() {
  [[ -e $spool/groups ]] || return 0
  local most=$processes
  ((most > 0)) || most=max
  if mkdir -p "$cgroup" 2>/dev/null && group_write pids.max "$most" &&
    { ((mem_limit == 0 || mem_limit > 9007199254740991)) || group_write memory.max $((mem_limit * 1024)); } &&
    { ((mem_limit == 0)) || { group_write memory.oom.group 1 && { group_write memory.swap.max 0 || true; }; }; } &&
    { [[ ! $cpus ]] || group_write cpuset.cpus "$cpus" || say "not bound to the processors $cpus"; } &&
    group_write cgroup.procs "$session"; then
    grouped=1
  else
    say "no control group $cgroup"
    rmdir "$cgroup" 2>/dev/null
  fi
  return 0
}

end_group() { group_write cgroup.kill 1 || true; }

# What the kernel has counted takes the place of what was seen: sets cput and mem.
count_group() {
  [[ $grouped ]] || return 0
  if group_number cpu.stat usage_usec; then cput=$((found / 1000)); fi
  if group_number memory.peak '' || group_number memory.current ''; then mem=$((found / 1024)); fi
}

group_ran_out() { [[ $grouped ]] && ((mem_limit > 0)) && group_number memory.events oom_kill && ((found > 0)); }

# ---- the owner ----

find_owner() {
  local entry
  if ! entry=$(getent passwd -- "$user") || [[ ! $entry ]]; then
    say "Bad UID for job execution: no user $user on this host"
    return 1
  fi
  IFS=: read -r login _ uid gid _ home login_shell <<<"$entry"
  login_shell=${login_shell:-/bin/sh}
  if [[ $uid == 0 && $allow_root != 1 ]]; then
    say "Bad UID for job execution: jobs of root are not allowed on this host"
    return 1
  fi
  if [[ $EUID != 0 && $uid != "$EUID" ]]; then
    say "Bad UID for job execution: the executor is not root and runs jobs of its own user only"
    return 1
  fi
  if [[ $group ]]; then
    local wanted
    wanted=$(getent group -- "$group" | cut -d: -f3)
    if [[ ! $wanted || " $(id -G -- "$login") " != *" $wanted "* ]]; then
      say "Bad GID for job execution: user $user is not in group $group"
      return 1
    fi
    gid=$wanted
  fi
  if must_switch; then
    groups=$(id -G -- "$login")
    groups=${groups// /,}
  fi
  name_owner
}

# Root's own jobs in root's own group need no other rights.
must_switch() { [[ $EUID == 0 && ($uid != 0 || $group) ]]; }

# The prefix of commands that run with the owner's rights.
name_owner() {
  as_owner=()
  must_switch && as_owner=(setpriv "--reuid=$uid" "--regid=$gid" "--groups=$groups")
  name_jobdir
  return 0
}

# ---- before the start ----

open_output() { # SUFFIX
  local path=$spool/spool/$name.$1
  if [[ -L $path ]] || ! { : >"$path"; } 2>/dev/null || { [[ $uid != "$EUID" ]] && ! chown "$uid:$gid" "$path"; }; then
    say "cannot create $path"
    return 1
  fi
  opened=$path
}

# The name that PBS gives it, or, where somebody has that name, one that nobody could guess: another
# installation may have a job of this id, and anybody may make directories there.
make_tmpdir() {
  local wanted=$tmp/pbs.$jobid left=
  # A supervisor that was killed before its claim left one: nothing has run, so that it is empty.
  if [[ -e tmpdir ]]; then read -r left <tmpdir || true; fi
  if [[ $left == /* ]]; then rmdir "$left" 2>/dev/null || true; fi
  if mkdir -m 700 "$wanted" 2>/dev/null; then
    tmpdir=$wanted
  elif ! [[ -e $wanted || -L $wanted ]] || ! tmpdir=$(mktemp -d "$wanted.XXXXXX" 2>/dev/null); then
    say "cannot create the temporary directory $wanted"
    tmpdir=
    return 1
  fi
  { echo "$tmpdir" >tmpdir; } 2>/dev/null || true # a full disk only costs that nobody knows of it
  if [[ $uid != "$EUID" ]] && ! chown -h "$uid:$gid" "$tmpdir"; then
    say "cannot hand the temporary directory $tmpdir to its owner"
    return 1 # whoever settles the run removes it
  fi
}

# The variables that the site gives to all runs. A run without what its site has promised would compute
# something else, so that it does not begin.
read_site_environment() {
  local path=$spool/site/environment line number=0
  local -a lines=()
  [[ -e $path ]] || return 0
  status=$RETRY
  if [[ $(stat -Lc '%u %F %A' "$path" 2>/dev/null) != "$EUID regular "*" -r"[w-][x-][r-]-?[r-]-? ]] ||
    ! mapfile -t lines <"$path"; then
    say "$path is not read: it must be a file of the executor's user that he may read and nobody else may write"
    return 1
  fi
  for line in "${lines[@]}"; do
    number=$((number + 1))
    [[ $line == *[!$' \t\r']* && $line != '#'* ]] || continue
    if [[ ! ${line%%=*} =~ ^[A-Za-z_][A-Za-z_0-9]*$ || $line != *=* ]]; then
      say "$path, line $number: it is not NAME=VALUE"
      return 1
    fi
    site_env+=("$line")
  done
  status=$FAIL1
}

# What the site says of limits, as in the C program.
read_site_limits() {
  local path=$spool/site/limits line
  local -a lines=()
  [[ -e $path ]] || return 0
  status=$RETRY
  if [[ $(stat -Lc '%u %F %A' "$path" 2>/dev/null) != "$EUID regular "*" -r"[w-][x-][r-]-?[r-]-? ]] ||
    ! mapfile -t lines <"$path"; then
    say "$path is not read: it must be a file of the executor's user that he may read and nobody else may write"
    return 1
  fi
  for line in "${lines[@]}"; do
    [[ $line == *[!$' \t\r']* && $line != '#'* ]] || continue
    case $line in
      memory=enforced) ;;
      memory=shown) mem_limit=0 vmem_limit=0 ;;
      undelivered=[0-9]*([0-9])?(?([kmgtp])b)) ;; # the executor's business
      processes=[0-9]*([0-9])) processes=$((10#${line#processes=})) ;;
      *)
        say "$path: not processes=NUMBER, memory=enforced, memory=shown or undelivered=SIZE: $line"
        return 1
        ;;
    esac
  done
  status=$FAIL1
}

# How many processes and threads the owner may have on this host as far as runs start them; 0: no limit.
processes_max() {
  local table=0
  [[ $processes ]] && return 0
  read -r table </proc/sys/kernel/pid_max || true
  processes=$((table / 4))
  ((processes > 0 && processes < PROCESSES_MAX)) || processes=$PROCESSES_MAX
}

# Whether the program will write down how its steps end.
has_steps() {
  local one
  for one in "${env[@]}"; do [[ $one != MILLRACE_STEPS=* ]] || return 0; done
  return 1
}

# The file is its owner's; the executor reads it when the run is over.
make_steps() {
  has_steps || return 0
  if [[ -L steps ]] || ! { : >steps && chmod 600 steps; } 2>/dev/null ||
    { [[ $uid != "$EUID" ]] && ! chown "$uid:$gid" steps; }; then
    say "cannot create the file of steps"
    return 1
  fi
}

prepare() {
  status=$FAILUID
  find_owner || return 1
  status=$FAIL1
  read_site_environment && read_site_limits || return 1
  processes_max
  if [[ $script && $uid != "$EUID" ]]; then chown "$uid:$gid" "$script" || return 1; fi
  if [[ $terminal ]]; then
    say "an interactive job needs the supervisor that is compiled, which this host does not have"
    return 1
  fi
  if [[ $join != eo ]]; then open_output OU && out=$opened || return 1; fi
  if [[ $join != oe ]]; then open_output ER && err=$opened || return 1; fi
  make_steps && make_tmpdir && stage_in
}

# ---- the files that come and go with a run ----

name_jobdir() {
  jobdir=$home
  if [[ $own_directory == 1 ]]; then jobdir=$home/pbs.$jobid.x8z; fi
}

# For the supervisor that follows when this one is killed: the script would go on.
note_stager() {
  local text boot
  whole "/proc/$BASHPID/stat"
  local -a f=(${text##*) })
  read -r boot </proc/sys/kernel/random/boot_id
  printf 'session=%s\npid_start=%s\nboot_id=%s\n' "$BASHPID" "${f[19]}" "$boot" >stager
}

# stage in|out|back: a script that the executor wrote is read with the owner's rights, in his home
stage() {
  local copy='' own='' list=$dir/staged pid first session good
  end_earlier stager
  if [[ -x $spool/site/copy ]]; then copy=$spool/site/copy; fi
  if [[ $own_directory == 1 ]]; then own=$jobdir; fi
  # added to, since an earlier supervisor may have been killed in the middle
  if ! { : >>staged && chmod 644 staged; } 2>/dev/null; then # the owner reads it again
    [[ $1 == in ]] || list=/dev/null                         # no room: files go all the same
  fi
  (
    note_stager 2>/dev/null # a full disk only costs that nobody knows of it
    exec 3>&- 9>&- <"$dir/$stage" >>"$list" 2>"$dir/said"
    cd "$home" || exit 1
    umask "$mask"
    exec setsid --wait "${as_owner[@]}" env -i "PATH=$PATH" LC_ALL=C "HOME=$home" "USER=$login" "NODE=$node" \
      "JOB_DIRECTORY=$own" "COPY=$copy" "STAGED=$dir/staged" "BURIED=$buried" "PBS_JOBID=$jobid" sh -s "$1"
  ) &
  pid=$!
  now_cs
  first=$now
  while kill -0 "$pid" 2>/dev/null; do
    now_cs
    if [[ $1 == in && -e kill ]] || ((now - first > STAGE_PATIENCE_S * 100)); then kill -9 -- "-$pid" 2>/dev/null; fi
    pause 0.05
  done
  wait "$pid" && good=1 || good=
  session=$pid
  clear_remains # nothing of it may outlive the run
  rm -f stager
  if [[ $good ]]; then
    [[ ! -s said ]] || say "$(head -c 700 said)"
    return 0
  fi
  say "cannot stage files $1: $(head -c 700 said)"
  return 1
}

stage_in() {
  [[ $stage ]] || return 0
  staged=1
  stage in && return 0
  [[ -e kill ]] || staged= # it has cleared up itself
  status=$STAGE_IN_FAILED
  return 1
}

# A run that was given up leaves its files: those of that name may be another run's by now.
leave_staged() {
  end_earlier stager
  say "its files stay as they are in $jobdir, since the run was given up"
}

# Sets NAME=value in `env`; with "keep", what the request gave stays.
set_variable() {
  local i
  for i in "${!env[@]}"; do
    [[ ${env[i]} == "$2="* ]] || continue
    [[ $1 == keep ]] || env[i]=$2=$3
    return 0
  done
  env+=("$2=$3")
}

environment() {
  local line
  local -a site_env=()
  mapfile -t site_env <<<"${MILLRACE_SITE_ENVIRONMENT:-}"
  for ((line = ${#site_env[@]} - 1; line >= 0; line--)); do # the last line of a name counts
    [[ ! ${site_env[line]} ]] || set_variable keep "${site_env[line]%%=*}" "${site_env[line]#*=}"
  done
  set_variable keep PATH "$PATH"
  set_variable set HOME "$home"
  set_variable set LOGNAME "$login"
  set_variable set USER "$login"
  set_variable set SHELL "${shell:-$login_shell}"
  set_variable set PBS_NODEFILE "$dir/nodes"
  if [[ $nodes_also ]]; then set_variable set "$nodes_also" "$dir/nodes"; fi
  set_variable set PBS_JOBDIR "$jobdir"
  set_variable set MILLRACE_RUN_DIRECTORY "$dir" # the mark of the run
  set_variable set TMPDIR "$tmpdir"
  if has_steps; then set_variable set MILLRACE_STEPS "$dir/steps"; fi
  set_variable set NCPUS "$ncpus"
  set_variable keep OMP_NUM_THREADS "$ncpus"
}

# ---- the site's prologue and epilogue ----

# site_script NAME ARG...: site_status is 0 also where there is none, its exit status, -1 when it may
# not be run, -3 when a signal ended it, -4 when it took too long
site_script() {
  local path=$spool/site/$1 what=$1 limit=30 facts
  shift
  site_status=0
  [[ -e $path ]] || return 0
  facts=$(stat -Lc '%u %F %A' "$path" 2>/dev/null)
  if [[ $facts != "$EUID regular "*" -r"[w-]x[r-]-?[r-]-? ]]; then
    say "$path is not run: it must be a file of the executor's user that he may read and execute and nobody else may write"
    site_status=-1
    return 0
  fi
  if [[ -r $spool/site/prologalarm ]]; then read -r limit <"$spool/site/prologalarm" || true; fi
  [[ $limit == [1-9]*([0-9]) ]] || limit=30
  (
    cd /
    # no file at all: a run whose supervisor died, and whose files are gone
    exec 3>&- 9>&- >>"${out:-${err:-/dev/null}}" 2>>"${err:-${out:-/dev/null}}" </dev/null
    exec setsid --wait timeout -s KILL "$limit" env -i "PATH=$PATH" "PBS_JOBID=$jobid" "PBS_JOBDIR=$jobdir" \
      "TMPDIR=$tmpdir" "PBS_NODEFILE=$dir/nodes" "$path" "$@"
  )
  site_status=$?
  # timeout itself is killed along with what took too long
  if ((site_status == 137)); then site_status=-4; elif ((site_status > 128)); then site_status=-3; fi
  ((site_status == 0)) || say "$what: exit status $site_status"
}

group_of() { [[ $group ]] && echo "$group" || getent group "$gid" | cut -d: -f1; }

# Whether the run may begin. PBS's meaning: with 1 the job is given up, with any other it is tried again.
prologue() {
  [[ ! $task && -e $spool/site/prologue ]] || return 0
  site_script prologue "$jobid" "$user" "$(group_of)"
  ((site_status != 0)) || return 0
  status=$RETRY
  ((site_status != 1)) || status=$FAIL2
  return 1
}

clock_text() { printf '%02d:%02d:%02d' $(($1 / 3600000)) $(($1 / 60000 % 60)) $(($1 / 1000 % 60)); }

# After the last process of the run, and before its output is delivered, which has what this one says.
epilogue() { # EXIT_STATUS
  [[ ! $task && -e $spool/site/epilogue ]] || return 0
  local percent=0 used
  ((walltime_ms < 1000)) || percent=$((cput_ms * 100 / walltime_ms))
  used="cpupercent=$percent,cput=$(clock_text "$cput_ms"),mem=${mem_kb}kb,ncpus=$ncpus,vmem=${vmem_kb}kb"
  used+=",walltime=$(clock_text "$walltime_ms")"
  site_script epilogue "$jobid" "$user" "$(group_of)" "$jobname" "$session" "$resources" "$used" "$queue" \
    "${account:-null}" "$1"
}

quoted() { printf "'%s'" "${1//\'/\'\\\'\'}"; }

# What a login shell reads from a standard input that ends behind it: whatever its profile did, it goes
# where the job begins and becomes the script. The kernel goes by #!; what has none is this very shell's,
# where shells would differ about it but for bash, which hands on what its profile has made.
line_for_shell() { # SHELL
  local begins=
  if [[ $own_directory == 1 ]]; then printf 'cd %s; ' "$(quoted "$jobdir")"; fi
  IFS= read -r -n 2 begins <"$dir/$script"
  if [[ $begins == '#!' || ${1##*/} == bash ]]; then
    printf 'exec %s </dev/null' "$(quoted "$dir/$script")"
  else
    printf 'exec %s %s </dev/null' "$(quoted "$1")" "$(quoted "$dir/$script")"
  fi
}

# why_not PATH: what the kernel would say of it
why_not() {
  if ! "${as_owner[@]}" test -e "$1"; then echo "No such file or directory"
  elif [[ ${2:-} ]] && ! "${as_owner[@]}" test -d "$1"; then echo "Not a directory"
  else echo "Permission denied"; fi
}

# A job without its directory, output files or shell is for its owner to mend, in Grid Engine's words.
missing_at_start() {
  local i path paths=("$output" "$error") joins=(eo oe) hosts=("$output_host" "$error_host") ends=(OU ER)
  if [[ $directory ]] && ! "${as_owner[@]}" test -d "$directory" -a -x "$directory"; then
    echo "error: can't chdir to $directory: $(why_not "$directory" directory)"
    return
  fi
  for i in 0 1; do
    [[ $join != "${joins[i]}" && ( ! ${hosts[i]} || $homes_shared == 1 ) ]] || continue
    path=${paths[i]}
    [[ $path == /* ]] || path=$home/$path
    "${as_owner[@]}" test -d "$path" && path+=/$jobid.${ends[i]}
    # Nothing is made yet: another task of an array may bring its output there just now.
    local needed=$path
    "${as_owner[@]}" test -e "$path" || needed=${path%/*}/.
    if ! "${as_owner[@]}" test -w "$needed"; then
      local of=$path
      [[ -e $path ]] || of=${path%/*}
      echo "error: can't open output file \"$path\": $(why_not "$of")"
      return
    fi
  done
  # A command is a shell's, too, with the words behind it.
  path=${shell:-$login_shell}
  [[ $script ]] || path=${argv[0]}
  [[ $path != /* ]] || "${as_owner[@]}" test -x "$path" || echo "unable to find shell \"$path\""
}

# Runs as the leader of the job's session; standard input is the gate. When the supervisor dies
# before it has made the claim the gate ends, and nothing is run.
become_job() {
  local go problem=''
  local -a program
  trap - INT HUP TERM
  if [[ $script ]]; then program=("${shell:-$login_shell}" "$dir/$script" "${argv[@]}"); else program=("${argv[@]}"); fi
  local place=${directory:-$jobdir}
  if [[ $checked == 1 && ! $terminal ]]; then
    problem=$(missing_at_start)
    [[ ! $problem ]] || problem="[${uid:-$EUID}:$BASHPID]: $problem"
  fi
  if [[ $problem ]]; then :; elif ! "${as_owner[@]}" test -x "$place"/. || ! cd "$place" 2>/dev/null; then
    problem="cannot enter the ${directory:+directory $directory}"
    [[ $directory ]] || problem="cannot enter the home directory $jobdir"
  elif [[ $script ]] && ! "${as_owner[@]}" test -r "$dir/$script"; then
    problem="user $user cannot read $dir/$script (may he enter the spool?)"
  fi
  echo "ready $BASHPID $problem" >&3
  [[ ! $problem ]] || exit $EXEC_FAILED
  exec 3>&-
  read -r go && [[ $go == go ]] || exit $EXEC_FAILED
  umask "$mask"
  # As PBS does: the kernel ends a process that has used so much. The host's own limit may be less.
  local most
  most=$(ulimit -Ht)
  if ((pcput_s > 0)) && [[ $most == unlimited || pcput_s -lt most ]]; then
    ulimit -t "$pcput_s" || exit $EXEC_FAILED
  fi
  # As the owner: who has as many already may start his shell all the same. The host's own limit may be less.
  as_owner+=(bash -c '((!$1)) || { [[ $(ulimit -Hu) != unlimited ]] && (($(ulimit -Hu) < $1)); } || ulimit -u "$1"; shift; exec "$@"'
    bash "${MILLRACE_PROCESSES:-0}")
  exec >>"${out:-$err}" 2>>"${err:-$out}" </dev/null
  # env's own failures (126, 127) must not be taken for the job's
  if [[ $script && ! -x ${program[0]} ]]; then
    echo "millrace: cannot execute ${program[0]}: not an executable file" >&2
    exit $EXEC_FAILED
  fi
  local i path=
  for i in "${env[@]}"; do [[ $i == PATH=* ]] && path=${i#PATH=}; done
  if [[ ! $script ]] && ! PATH=$path type -P -- "${program[0]}" >/dev/null; then
    echo "millrace: cannot execute ${program[0]}: No such file or directory" >&2
    exit $EXEC_FAILED
  fi
  if [[ $script && $by_login == 1 && -e $spool/site/login_shell ]]; then
    exec "${as_owner[@]}" env -i "${env[@]}" "${program[0]}" -l <<<"$(line_for_shell "${program[0]}" 2>/dev/null)"
  fi
  exec "${as_owner[@]}" env -i "${env[@]}" "${program[@]}"
}

# `started` is linked into place: the one step after which this run can never start again.
claim() {
  local text boot wait=0.05 first
  local -a s c
  whole "/proc/$BASHPID/stat"
  s=(${text##*) })
  whole "/proc/$session/stat"
  c=(${text##*) })
  read -r boot </proc/sys/kernel/random/boot_id
  wall_ms
  started_ms=$wall
  now_cs
  first=$now
  until put_once started "supervisor_pid=$BASHPID
supervisor_start=${s[19]}
pid=$session
pid_start=${c[19]:-0}
session=$session
started_ms=$started_ms
boot_id=$boot
tmpdir=$tmpdir
" claim; do
    [[ ! -e started && ! -e kill ]] && still_there || return 1
    pause $wait
    wait=1
    now_cs
    spool_full_cs=$((now - first))
  done
  if ! still_there; then
    rm -f started # the directory serves another run now, which this claim would stop
    exit 0
  fi
}

# Starts the job's process up to the gate. One line on the control FIFO tells when it is ready,
# another one how it ended: setsid waits for it, and complains when it was ended by a signal.
launch() {
  local word problem line
  [[ -p gate ]] || mkfifo gate || return 1
  exec 7<>gate 8<gate
  rm -f gate
  (
    exec 7>&- 9>&-
    export MILLRACE_OWNER="$login:$uid:$gid:$groups:$home:$login_shell"
    export MILLRACE_PROCESSES=$processes MILLRACE_TMPDIR=$tmpdir MILLRACE_SITE_ENVIRONMENT
    printf -v MILLRACE_SITE_ENVIRONMENT '%s\n' "${site_env[@]}"
    setsid --fork --wait bash "$self" child "$dir" <&8 8<&- 2>signalled >/dev/null
    code=$?
    times >times
    echo "ended $code" >&3
  ) &
  waiter=$!
  exec 8<&-
  while read -r -u 3 line; do
    read -r word session problem <<<"$line"
    [[ $word == ready || $word == ended ]] && break
  done
  if [[ $word == ended || $problem ]]; then
    say "${problem:-the process of the job ended before its start}"
    session=0
    exec 7>&-
    return 1
  fi
  enter_group
  if [[ -e kill ]] || ! claim || ! prologue; then
    exec 7>&-
    session=0
    return 1
  fi
  announce started
  now_cs
  begin=$now
  echo go >&7
  exec 7>&-
}

# ---- while it runs ----

# ran_cs: how long the run has run, without the times for which it was suspended
ran() { ran_cs=$(((${suspended_at:-$now}) - begin - suspended_cs)); }

go_on() {
  [[ $suspended_at ]] || return 0
  now_cs
  suspended_cs=$((suspended_cs + now - suspended_at)) suspended_at=
}

# Until nobody moves: who forks while the others are being stopped leaves a child that runs on.
hold_still() {
  local pid state rest tries moving
  for tries in 1 2 3 4 5; do
    moving=0
    while read -r pid state rest; do [[ $state == [Tt] ]] || moving=1; done < <(members_of "$session")
    ((moving)) || return 0
    signal_run 19
  done
}

stand_still() {
  [[ ! $suspended_at && ! $kill_at ]] || return 0
  now_cs
  suspended_at=$now
  hold_still
}

# Who may send signals may not say that it goes on: it stands again when SIGCONT set it free.
pass_on() {
  signal_run "$1"
  [[ ! $suspended_at ]] || hold_still
}

# carry_out NUMBER WHAT. The executor may have written a line twice, or have been killed in the
# middle of one. To stand still is a state and not an event: numbers that count signals say nothing
# about it, and orders that were lost leave none behind that is taken for an old one.
carry_out() {
  [[ $1 == +([0-9]) ]] || return 0
  case $2 in
    'suspend;') stand_still ;;
    'resume;')
      [[ $suspended_at ]] || return 0
      go_on
      signal_run 18
      ;;
    limit[0-9]*';')
      what=${2#limit} what=${what%;}
      [[ $what != +([0-9]) ]] || walltime_s=$((10#$what))
      ;;
    cput[0-9]*';') # with what its tasks have used elsewhere
      what=${2#cput} what=${what%;}
      [[ $what != +([0-9]) ]] || check_cput $((10#$what))
      ;;
    [1-9]*';')
      ((10#$1 > signals_sent)) || return 0
      signals_sent=$((10#$1))
      pass_on "${2%;}"
      ;;
  esac
}

# Carries out lines that came since the last time: where the file is open is how far they were read.
# A signal takes a look at all processes, so that after some the FIFO has its turn.
obey_orders() {
  local line number what done_now
  orders_left=
  if [[ ! $orders_open ]]; then
    { exec 6<orders; } 2>/dev/null || return 0
    orders_open=1
  fi
  for ((done_now = 0; done_now < 20; done_now++)); do
    if ! IFS= read -r -u 6 line; then
      orders_begun+=$line # its end may still be on its way
      return 0
    fi
    read -r number what <<<"$orders_begun$line"
    orders_begun=
    carry_out "$number" "$what"
  done
  orders_left=1
}

# The file that asks for the end outlives what was said on the FIFO.
heed_kill() {
  [[ -e kill ]] || return 0
  local asked='' how=''
  read -r asked how <kill
  if [[ $how == discard ]]; then
    discard_run
  elif [[ ! $kill_at ]]; then
    [[ $asked == 9 ]] || asked=15
    end_run "$asked"
  fi
}

# A run that was given up ends at once: another one of its job may be running.
discard_run() {
  discard=1
  end_run 9
}

# Its host goes down: nobody wished the end of this run.
heed_shutdown() {
  [[ $told ]] || return 0
  told=
  say "the supervisor was told to stop"
  [[ $kill_at || -e kill ]] || stopped=1
  end_run 15
}

# span SECONDS: no clock comes to the longest one, and added to a time of the clock it stays within the range
span() { span_cs=$((($1 < FOREVER_S ? $1 : FOREVER_S) * 100)); }

end_run() {
  go_on
  if [[ $1 == 9 && $grouped ]]; then end_group; fi
  signal_run "$1"
  if [[ $1 == 15 && ! $kill_at ]]; then
    now_cs
    span "$kill_delay_s"
    kill_at=$((now + span_cs))
    signal_run 18 # a stopped job could not hear it
  fi
}

# end_over WHAT USED LIMIT: in PBS's words, and once: what it does while it ends is not said again
end_over() {
  (($3 > 0 && $2 > $3)) && [[ ! $over ]] || return 0
  local unit= signal=15
  # what it takes meanwhile it takes from its neighbours
  if [[ $1 == *mem ]]; then unit=kb signal=9; fi
  note_over "$1" "$2$unit " "$3" "$unit"
  end_run $signal
}

# note_over WHAT USED LIMIT UNIT: nobody has seen how much it was of which the kernel has refused the last
note_over() {
  local words="$1 $2exceeded limit $3$4"
  echo "=>> PBS: job killed: $words" >>"${err:-$out}" || say "cannot write to the job's error file"
  say "${4:+job violates resource limits: }$words"
  over=$1
}

check_memory() {
  if group_ran_out && [[ ! $over ]]; then
    note_over mem '' "$mem_limit" kb
    end_run 9
  fi
  end_over mem "$mem_kb" "$mem_limit"
  end_over vmem "$vmem_kb" "$vmem_limit"
  if [[ $over == *mem && ! $kill_at ]]; then kill_at=$((now + 100)); fi # again for what was forked meanwhile
}

# Sets size: of what lies in the spool of its output, in bytes; the file of steps counts, too, as its
# owner can write anything.
output_size() {
  local one
  size=0
  while read -r one; do size=$((size + one)); done < <(stat -c %s -- "$out" "$err" steps 2>/dev/null)
}

# The words are written when nobody prints any more: see cut_output.
check_output() {
  local size
  ((output_kb > 0 && now >= output_at)) && [[ ! $over ]] || return 0
  output_at=$((now + OUTPUT_LOOK_CS))
  output_size
  ((size > output_kb * 1024)) || return 0
  over=output
  end_run 9 # what it prints meanwhile others have no room for
  [[ $kill_at ]] || kill_at=$((now + 100))
}

# cut_output WORDS: gives back the room of what is beyond the bound, and says so where the user looks
cut_output() {
  local left=$((output_kb * 1024)) file one size words
  output_size
  words="output $(((size + 1023) / 1024))kb exceeded limit ${output_kb}kb"
  for file in "$out" "$err"; do
    [[ -f $file ]] || continue
    one=$(stat -c %s -- "$file") || continue
    ((one <= left)) || truncate -s "$left" -- "$file" || say "cannot cut the output"
    left=$((one < left ? left - one : 0))
  done
  if one=$(stat -c %s steps 2>/dev/null) && ((one > STEPS_MOST)); then
    truncate -s "$STEPS_MOST" steps || say "cannot cut the file of steps"
  fi
  printf '\n=>> PBS: %s%s\n' "$1" "$words" >>"${err:-$out}" || say "cannot write to the job's error file"
  say "$words"
}

awaits_warning() { ((soft_walltime_s > 0)) && [[ ! $warned && ! $kill_at && ! $suspended_at ]]; }

# The soft walltime warns a run with SIGUSR1, once.
check_soft_walltime() {
  awaits_warning || return 0
  ran
  span "$soft_walltime_s"
  ((ran_cs >= span_cs)) || return 0
  warned=1
  signal_run 10
}

check_walltime() {
  ran
  end_over walltime $((ran_cs / 100)) "$walltime_s"
}

check_cput() { end_over cput "$1" "$cput_s"; }

# next_wait: seconds until something is due, as a decimal number
next_wait() {
  local due=$sample_at
  if ((walltime_s > 0)) && [[ ! $over && ! $suspended_at ]]; then
    span "$walltime_s"
    local end=$((begin + suspended_cs + span_cs + 100))
    ((end < due)) && due=$end
  fi
  if awaits_warning; then
    span "$soft_walltime_s"
    local warning=$((begin + suspended_cs + span_cs))
    ((warning < due)) && due=$warning
  fi
  [[ $kill_at ]] && ((kill_at < due)) && due=$kill_at
  ((output_kb > 0 && output_at < due)) && [[ ! $over ]] && due=$output_at
  local cs=$((due > now ? due - now : 1))
  printf -v wait_s '%d.%02d' $((cs / 100)) $((cs % 100))
}

# Thousands of runs share a host, and one that lasts changes slowly: to look for orders costs little, a
# sample of the processes much.
wants_sample() { ((now - begin < YOUNG_CS || cput_s + mem_limit + vmem_limit > 0 || looks++ % LOOKS_PER_SAMPLE == 0)); }

watch() {
  local gap=25 line begun='' looks=0
  now_cs
  sample_at=$((now + gap)) output_at=$((now + 10))
  obey_orders # those that came before the start
  while :; do
    heed_shutdown
    now_cs
    next_wait
    [[ ! $orders_left ]] || wait_s=0.01
    line=
    if ! read -r -t "$wait_s" -u 3 line; then
      begun+=$line # the time was up in the middle of a line
    else
      line=$begun$line begun=
      case $line in
        "ended "*)
          code=${line#ended }
          heed_shutdown # told of both at once: a host that goes down asks all its processes to end
          return
          ;;
        orders) obey_orders ;;
        discard) discard_run ;;
        "signal 15" | "signal 9") end_run "${line#signal }" ;;
        "signal "[1-9]*) pass_on "${line#signal }" ;;
      esac
    fi
    [[ ! $orders_left ]] || obey_orders
    now_cs
    check_soft_walltime
    check_walltime
    check_output
    if [[ $kill_at ]] && ((now >= kill_at)); then
      [[ ! $grouped ]] || end_group
      signal_run 9
      kill_at=$((now + 100))
    fi
    if ((now >= sample_at)); then
      if ! kill -0 "$waiter" 2>/dev/null && ! read -r -t 0 -u 3; then
        say "the process that waits for the job was killed"
        code=137
        return
      fi
      obey_orders # should the line on the FIFO have had no room
      heed_kill
      [[ $suspended_at ]] && hold_still
      if wants_sample; then take_sample "$([[ $gap == 200 ]] && echo publish || echo note)"; fi
      check_cput $((cput_ms / 1000))
      check_memory
      gap=$((gap * 2 > 200 ? 200 : gap * 2))
      now_cs
      sample_at=$((now + gap))
    fi
  done
}

clear_remains() {
  local deadline
  now_cs
  deadline=$((now + REAP_PATIENCE_CS)) stops=0
  [[ ! $grouped ]] || end_group
  ((session == 0)) || kill -s 9 -- "-$session" 2>/dev/null # also who lives shorter than a look takes
  while kill_members "$session" && ((hit > 0)); do
    now_cs
    if ((now > deadline)); then
      say "processes of the job could not be killed"
      break
    fi
    ((stops > 2)) || pause 0.02
  done
}

judge() {
  local user_time system_time part
  now_cs
  ran
  walltime_ms=$((ran_cs * 10))
  status=$code reason=exited signal=0
  if [[ -s signalled ]] && grep -q 'did not exit normally' signalled; then
    reason=signalled
    signal=$((code & 127))
    status=$((256 + signal))
  fi
  if group_ran_out && [[ ! $over ]]; then note_over mem '' "$mem_limit" kb; fi
  if ((output_kb > 0)); then # it may have ended by itself since it was looked at last
    local size
    output_size
    if [[ $over == output ]]; then
      cut_output 'job killed: '
    elif [[ ! $over ]] && ((size > output_kb * 1024)); then
      over=output
      cut_output ''
    fi
  fi
  # Whatever the job made of its SIGTERM: it had not ended before.
  [[ $stopped ]] && status=$RERUN
  case $over in
    walltime) reason=walltime status=$KILL_WALLTIME ;;
    cput) reason=cput status=$KILL_CPUT ;;
    mem) reason=mem status=$KILL_MEM ;;
    vmem) reason=vmem status=$KILL_VMEM ;;
    output) reason=output status=$OUTPUT_EXCEEDED ;;
  esac
  { read -r _; read -r user_time system_time; } <times || user_time=0m0.000s system_time=0m0.000s
  local total=0
  for part in "$user_time" "$system_time"; do # such as 1m2.345s
    part=${part%s}
    local minutes=${part%m*} seconds=${part#*m}
    total=$((total + minutes * 60000 + 10#${seconds/./}))
  done
  local cput=$total mem=0
  count_group
  ((cput > cput_ms)) && cput_ms=$cput
  ((mem > mem_kb)) && mem_kb=$mem
  [[ ! $grouped ]] || leave_group
  return 0
}

# ---- afterwards ----

keep() { # FILE
  if mv -f "$1" "$spool/undelivered/" 2>/dev/null; then
    say "output kept in $spool/undelivered/${1##*/}"
  else
    say "output kept in $1"
  fi
}

# Whether the run was given up, also when that was said too late to end it.
discarded() { [[ $discard ]] || grep -qs discard kill; }

# Nothing of it goes to its owner's files, where a later run may have been.
set_aside() {
  local file
  for file in "$out" "$err"; do
    if [[ $file && -s $file ]]; then keep "$file"; elif [[ $file ]]; then rm -f "$file"; fi
  done
  out= err=
}

# Whether a file of another host is to be brought there. Where the site says nothing about other hosts
# homes are taken for shared, so that a directory that its owner finds here is the same one.
is_far() { # HOST PATH
  [[ $1 ]] || return 1
  [[ $homes_shared == 1 ]] || return 0
  ! "${as_owner[@]}" bash -c 'cd "$1" || cd /; case $2 in */*) at=${2%/*}/ ;; *) at=. ;; esac; [[ -d $2 || -d $at ]]' \
    bash "$home" "$2" 2>/dev/null
}

carry_away() { # FILE HOST PATH SUFFIX
  local copy='' to=$2:$3
  [[ $to != */ ]] || to+=$jobid.$4
  if [[ -x $spool/site/copy ]]; then copy=$spool/site/copy; fi
  timeout $PATIENCE_S "${as_owner[@]}" env -i "PATH=$PATH" LC_ALL=C "HOME=$home" "USER=$login" "NODE=$node" \
    JOB_DIRECTORY= "COPY=$copy" "STAGED=$dir/staged" "BURIED=$buried" "PBS_JOBID=$jobid" "FILE=$1" "FAR=$to" \
    sh -s deliver <"$dir/stage" 2>&1
}

# The error output goes beside the output to another host: one that is silent takes no time from the
# other. To the same host they go in turn, since both may be meant for the same file there.
carrying=
begin_carrying() { # FILE HOST PATH SUFFIX
  [[ $1 && $3 != /dev/null && ${2,,} != "${output_host,,}" ]] && is_far "$2" "$3" || return 0
  rm -f "$dir/carried.status"
  {
    carry_away "$@" >"$dir/carried"
    echo $? >"$dir/carried.status"
  } &
  carrying=$!
}

# Whether the file came to the other host; what was said about it is in `answer`.
carried() { # FILE HOST PATH SUFFIX
  local status=0
  if [[ $4 == ER && $carrying ]]; then
    # A signal to this process ends a wait, and not what is waited for.
    until wait "$carrying" || (($? <= 128)); do :; done
    status=$(cat "$dir/carried.status" 2>/dev/null) || status=1
    answer=$(<"$dir/carried")
  else
    answer=$(carry_away "$@") || status=$?
  fi
  return $status
}

# Copies with the owner's rights; leaves the file in "undelivered" when that fails. A run whose
# supervisor died may have been given up meanwhile: what another one has delivered there since is
# worth more than what this one has printed.
deliver() { # FILE TO SUFFIX HOST
  [[ $1 ]] || return 0
  local answer
  if [[ $2 != /dev/null ]] && is_far "$4" "$2"; then
    if carried "$1" "$4" "$2" "$3"; then
      rm -f "$1"
    else
      say "cannot deliver output: $answer"
      keep "$1"
    fi
  elif answer=$(timeout $PATIENCE_S "${as_owner[@]}" bash -c '
      umask "$1"; cd "$2" || cd /
      to=$3
      [[ -d $to ]] && to=$to/$4
      [[ ! -p $to ]] || { echo "$to: a FIFO" >&2; exit 1; }
      if [[ $5 && -f $to && -s $to ]] && (($(stat -c %Y "$to") > $5)); then
        echo "$to: written since the run began" >&2; exit 1
      fi
      { cat >"$to"; } 2>&1' bash "$mask" "$home" "$2" "$jobid.$3" "$buried" <"$1" 2>&1); then
    rm -f "$1"
  else
    say "cannot deliver output: ${answer//bash: line +([0-9]): /}"
    keep "$1"
  fi
}

# What a task printed is shown by whoever waits for it: a little goes with the report of the end, and
# stays in the spool for it. Much is delivered beside the job's own output, and so is what is left of
# a task that was ended with its run: nobody waits any more.
leave_for_report() {
  local outs=0 errs=0
  if [[ $out ]]; then outs=$(stat -c %s "$out" 2>/dev/null || echo 0); fi
  if [[ $err ]]; then errs=$(stat -c %s "$err" 2>/dev/null || echo 0); fi
  if ((outs + errs <= report_max)) && [[ ! $kill_at && ! -e kill ]]; then
    if [[ $out ]] && ((outs == 0)); then rm -f "$out"; fi
    if [[ $err ]] && ((errs == 0)); then rm -f "$err"; fi
    out= err=
    return
  fi
  if ((outs > 0)); then say "$outs bytes of output are in $output"; else rm -f "$out"; out=; fi
  if ((errs > 0)); then say "$errs bytes of output are in $error"; else rm -f "$err"; err=; fi
}

wind_up() {
  if discarded; then
    set_aside
  elif ((report_max > 0)); then
    leave_for_report
  fi
  local free
  free=$(stat -f -c %a . 2>/dev/null || echo 1)
  [[ $free != 0 ]] || say "disk full: no room in the spool $spool, output may be cut short"
  if [[ $stage ]]; then
    if discarded; then leave_staged; else stage out; fi
  fi
  begin_carrying "$err" "$error_host" "$error" ER
  deliver "$out" "$output" OU "$output_host"
  deliver "$err" "$error" ER "$error_host"
  [[ $tmpdir && -d $tmpdir ]] || return 0
  if ! rmdir "$tmpdir" 2>/dev/null; then
    "${as_owner[@]}" rm -rf --one-file-system -- "$tmpdir"/* "$tmpdir"/.[!.]* 2>/dev/null
    rmdir "$tmpdir" 2>/dev/null || say "cannot remove $tmpdir"
  fi
}

# end_earlier FILE: ends what is left of the session that an earlier supervisor noted there, and of whoever has
# the mark of the run; false when the host was restarted since, and nothing is left of anything. hit: what lives
end_earlier() {
  local boot text deadline pid state sid ticks start vsize rss group
  hit=0
  read -r boot </proc/sys/kernel/random/boot_id
  read_fields "$1" && [[ ${fields[boot_id]:-} == "$boot" ]] || return 1
  local session=${fields[session]:-0} same
  now_cs
  deadline=$((now + REAP_PATIENCE_CS))
  while :; do
    # a session number can be used again: same leader, or the job id in the environment
    same=
    whole "/proc/$session/stat"
    local -a f=(${text##*) })
    [[ ! ${f[19]:-} || ${f[19]} != "${fields[pid_start]:-}" ]] || same=1
    hit=0
    while read -r pid state sid ticks start vsize rss group; do
      [[ $sid != "$session" || $same ]] || grep -qzxsF "PBS_JOBID=$jobid" "/proc/$pid/environ" || continue
      hit=$((hit + 1))
      if ((group > 1)); then kill -s 9 -- "-$group" 2>/dev/null; fi
      kill -9 "$pid" 2>/dev/null
    done < <(members_of "$session")
    now_cs
    ((hit > 0 && now < deadline)) || return 0
    pause 0.02
  done
}

# An earlier supervisor died after its claim: kill what is left, write "lost".
bury() {
  local kept_in
  read_fields started
  kept_in=${fields[tmpdir]-$tmp/pbs.$jobid} # it had no other name before that was noted
  started_ms=${fields[started_ms]:-0} session=${fields[session]:-0}
  local known=
  find_owner && known=1
  grouped=1
  end_group
  if end_earlier started; then
    if ((hit == 0)); then
      say "the supervisor of the run died; what was left of the run was killed"
    else
      say "the supervisor of the run died; $hit processes of the run could not be killed"
    fi
  else
    say "the host was restarted while the run was running"
  fi
  leave_group
  if read_fields usage; then
    cput_ms=${fields[cput_ms]} walltime_ms=${fields[walltime_ms]}
    mem_kb=${fields[mem_kb]} vmem_kb=${fields[vmem_kb]}
  fi
  if [[ $known ]]; then
    [[ -f $spool/spool/$name.OU ]] && out=$spool/spool/$name.OU
    [[ -f $spool/spool/$name.ER ]] && err=$spool/spool/$name.ER
    tmpdir=$kept_in
    buried=$((started_ms / 1000))
    epilogue $INITABT
    wind_up
  fi
  write_outcome $INITABT lost 0
}

# ---- one run ----

settle_unstarted() {
  if [[ $stage && ! $staged && ! $jobdir && -e staged ]]; then
    find_owner && staged=1 # an earlier supervisor was killed while it brought files
  fi
  [[ ! $grouped ]] || leave_group
  rm -f "$out" "$err"
  [[ $tmpdir ]] && rmdir "$tmpdir" 2>/dev/null
  if [[ $staged ]] && ! discarded; then stage back; fi
  if [[ -e kill ]]; then
    message=
    say "deleted before it started"
    if [[ $staged ]] && discarded; then leave_staged; fi
    write_outcome 271 cancelled 15
  else
    write_outcome "$status" refused 0
  fi
}

defaults() {
  by_login= stage= node= own_directory= staged= jobdir=
  groups= jobid= run= task= report_max=0 user= group= shell= script= output= error= join=n tmp=/tmp allow_root=0 durable=0
  output_host= error_host= homes_shared= checked=
  directory= nodes_also= terminal= jobname= queue= account= resources= walltime_s=0 soft_walltime_s=0 warned= cput_s=0 pcput_s=0 mem_limit=0 vmem_limit=0 output_kb=0 cpus= processes= kill_delay_s=10 ncpus=0 mask=077
  out= err= tmpdir= message= kill_at= over= reason= code=0 status=$FAIL1 signal=0 hit=0 suspended_at=
  cput_ms=0 walltime_ms=0 mem_kb=0 vmem_kb=0 started_ms=0 session=0 spool_full_cs=0 begin=0 suspended_cs=0 ran_cs=0
  signals_sent=0 stops=0 grouped= orders_open= orders_begun= orders_left= discard= buried= stopped= told=
}

supervise() {
  dir=$1 name=${1##*/}
  spool=${dir%/*} spool=${spool%/*}
  cgroup=$spool/groups/$name
  cd "$dir" 2>/dev/null || exit 3
  exec 9<. || exit 3 # the lock is on the directory itself
  flock -w 0.2 9 || exit 3 # the supervisor of an earlier run here may just be leaving
  defaults
  trap '' INT HUP PIPE
  [[ -p control ]] || mkfifo control || exit 1
  exec 3<>control
  if [[ -e outcome ]]; then
    announce outcome
    exit 0
  fi
  # After the look for an outcome: a release spoils the request first, so that whoever missed the
  # outcome finds no request either.
  local readable=
  parse_request && readable=1
  if [[ -e started ]]; then
    [[ $readable ]] && bury
    exit 0
  fi
  if [[ ! $readable ]]; then
    still_there || exit 0
    say "the request in $dir is damaged"
    write_outcome $FAIL1 refused 0
    exit 0
  fi
  # Only notes it and wakes who watches: a `read` in a trap takes away the time limit of the one that
  # it interrupts, which then waits for ever.
  trap 'told=1; echo told >&3' TERM
  if [[ -e kill ]] || ! prepare || ! launch; then
    settle_unstarted
    exit 0
  fi
  watch
  clear_remains
  judge
  epilogue "$status"
  wind_up
  write_outcome "$status" "$reason" "$signal"
}

case ${1:-} in
  serve)
    while IFS= read -r line; do
      setsid --fork bash "$self" run "$line" </dev/null >/dev/null 2>&1 3>&- 9>&-
    done
    ;;
  run)
    if [[ $# != 2 || $2 != /* ]]; then
      echo "usage: millrace-supervisor.sh serve | run DIR (absolute path)" >&2
      exit 2
    fi
    supervise "$2"
    ;;
  child) # started by launch() in a session of its own
    dir=$2
    cd "$dir" || exit $EXEC_FAILED
    defaults
    parse_request || exit $EXEC_FAILED
    IFS=: read -r login uid gid groups home login_shell <<<"$MILLRACE_OWNER"
    name_owner
    tmpdir=$MILLRACE_TMPDIR
    spool=${dir%/*/*}
    [[ $join != eo ]] && out=$spool/spool/${dir##*/}.OU
    [[ $join != oe ]] && err=$spool/spool/${dir##*/}.ER
    environment
    become_job
    ;;
  *)
    echo "usage: millrace-supervisor.sh serve | run DIR (absolute path)" >&2
    exit 2
    ;;
esac
