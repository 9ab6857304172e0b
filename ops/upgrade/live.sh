#!/usr/bin/env bash
# live.sh OLD NEW: upgrades a Millrace at work, from one build to another, and counts what became of its jobs.
#
# OLD and NEW are checkouts in which the builds are packaged (./mvnw -DskipTests package). OLD is started in a
# home of its own; scripts run and wait; NEW's ./millrace upgrade replaces all parts meanwhile; then every script
# must have begun once, its end and output be recorded once, and those that waited have run. Exit 0 when so.
set -euo pipefail

[ $# = 2 ] || { echo "usage: live.sh OLD NEW" >&2; exit 2; }
for checkout in "$1" "$2"; do
  [ -x "$checkout/ops/target/dist/bin/millrace-supervisor" ] ||
    { echo "live.sh: $checkout has no packaged build (./mvnw -DskipTests package there)" >&2; exit 1; }
done
old=$(cd "$1" && pwd)
new=$(cd "$2" && pwd)
user=mrlive
work=$(mktemp -d)
home=$work/home
jobs=$work/jobs
chmod 755 "$work"
mkdir "$jobs"
export MILLRACE_NO_BUILD=1 PATH=$home/bin:$PATH
say() { echo "live: $*"; }

asking=
finish() {
  touch "$jobs/go"
  [ -z "$asking" ] || kill "$asking" 2>/dev/null || true
  "$new/millrace" down --home "$home" >/dev/null 2>&1 || true
  [ "$(id -u)" != 0 ] || userdel $user 2>/dev/null || true
  if [ -n "${failed:-}" ]; then say "the home stays for a look: $work"; else rm -rf "$work"; fi
}
trap finish EXIT

if [ "$(id -u)" = 0 ]; then
  useradd -M -s /bin/bash -d "$jobs" $user
  chown $user: "$jobs"
  as_user() {
    (cd "$jobs" && setpriv --reuid=$user --regid=$user --init-groups env HOME="$jobs" USER=$user LOGNAME=$user "$@")
  }
else
  as_user() { (cd "$jobs" && "$@"); }
fi

wrong() { say "WRONG: $*"; failed=1; }
await() { # WHAT COMMAND...
  local what=$1 end=$((SECONDS + 120))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || { wrong "not within 120 s: $what"; exit 1; }
    sleep 0.2
  done
}
state() { qstat -xf "$1" | sed -n 's/^ *job_state = //p'; }
is() { [ "$(state "$1")" = "$2" ]; }

# On a busy machine a part may need longer than it is given; the next up starts what is missing.
start() { # CHECKOUT WORD OPTION...
  local checkout=$1 word=$2
  shift 2
  "$checkout/millrace" "$word" --home "$home" "$@" </dev/null && return
  for _ in 1 2 3 4; do
    "$checkout/millrace" up --home "$home" </dev/null && return
  done
  wrong "$checkout/millrace $word"
  exit 1
}

# Begins once, prints while everything around it is replaced, and ends when it is told to; "alone" ends
# when there is no gateway, which is in the middle of the upgrade.
cat >"$jobs/script.sh" <<END
echo "\$PBS_JOBID \$\$" >>$jobs/begun
n=0
until [ -e $jobs/go ] || [ "\$PBS_JOBNAME" = alone -a ! -e $home/run/gateway.pid ] || [ \$n -ge 6000 ]; do
  n=\$((n + 1)); echo "step \$n"; sleep 0.1
done
echo "last \$PBS_JOBID"
exit 5
END
chmod 755 "$jobs/script.sh"

say "old: $old"
say "new: $new"
start "$old" up --resources ncpus=7 >"$work/up.out"
qmgr -c 'set server job_history_enable = True'
declare -A id
submit() { # NAME OPTION...
  local name=$1
  shift
  id[$name]=$(as_user qsub -N "$name" -j oe "$@" "$jobs/script.sh")
}
for name in long1 long2 long3 long4 alone; do
  submit "$name" -l ncpus=1
done
submit array -l ncpus=1 -J 1-3
await "seven scripts run" eval '[ "$(wc -l <"$jobs/begun")" = 7 ]' 2>/dev/null
submit waits -l ncpus=7
submit behind -l ncpus=1 -W "depend=afternotok:${id[long1]}"
submit held -l ncpus=1 -h
cp "$jobs/begun" "$work/before"
say "7 scripts run (2 of them subjobs), 4 wait (1 a subjob): $(qstat | awk 'NR > 2 { printf "%s %s  ", $2, $(NF - 1) }')"

# Somebody asks all the time.
(
  while :; do
    at=$(date +%s.%N)
    if qstat -B >/dev/null 2>&1; then echo "$at $(date +%s.%N) yes"; else echo "$at $(date +%s.%N) no"; fi
    sleep 0.1
  done
) >"$work/asked" &
asking=$!

begin=$SECONDS
start "$new" upgrade 2>&1 | sed -u "s/^/live:   /"
say "the upgrade took $((SECONDS - begin)) s"
kill "$asking"
wait "$asking" 2>/dev/null || true
asking=
awk '$3 == "no" { n++ } $3 == "yes" { if (last && $2 - last > gap) gap = $2 - last; last = $2 }
  END { printf "live: qstat -B was asked %d times, %d times in vain; the longest time without an answer was %.1f s\n", NR, n, gap }' \
  "$work/asked"

while read -r job pid; do
  [ "$job" = "${id[alone]}" ] || kill -0 "$pid" 2>/dev/null || wrong "the script of $job, process $pid, is gone"
done <"$work/before"
await "${id[alone]} has ended" is "${id[alone]}" F
for name in long1 long2 long3 long4; do
  is "${id[$name]}" R || wrong "${id[$name]} is $(state "${id[$name]}")"
done
qrls "${id[held]}"
touch "$jobs/go"
for name in "${!id[@]}"; do
  await "${id[$name]} has ended" is "${id[$name]}" F
done

all=()
for name in long1 long2 long3 long4 alone waits behind held; do
  all+=("${id[$name]}")
done
for index in 1 2 3; do
  all+=("${id[array]/\[\]/[$index]}")
done
account() { cat "$home"/server_priv/accounting/2* | grep -cF ";$2;$1;" || true; }
await "the accounting files have all ends" eval \
  '[ "$(cat "$home"/server_priv/accounting/2* | grep -c ";E;.* Exit_status=5 ")" -ge '${#all[@]}' ]'
printf 'live: %-12s %7s %6s %5s %8s %8s\n' job begun exit runs 'S and E' output
for job in "${all[@]}"; do
  begun=$(grep -cF "$job " "$jobs/begun" || true)
  text=$(qstat -xf "$job")
  exit=$(sed -n 's/^ *Exit_status = //p' <<<"$text")
  runs=$(sed -n 's/^ *run_count = //p' <<<"$text")
  output=$(cat "$jobs"/*.o* | grep -cxF "last $job" || true)
  lines="$(account "$job" S),$(account "$job" E)"
  printf 'live: %-12s %7s %6s %5s %8s %8s\n' "$job" "$begun" "$exit" "$runs" "$lines" "$output"
  [ "$begun $exit $runs $lines $output" = "1 5 1 1,1 1" ] || wrong "$job: each is to be 1, and the exit status 5"
done
# A whole file has each step once, in order.
for file in "$jobs"/*.o*; do
  sed -n 's/^step //p' "$file" | awk '$1 != NR { bad = 1 } END { exit bad }' || wrong "$file has not all steps, once"
done
[ -z "${failed:-}" ] || exit 1
say "each of ${#all[@]} scripts ran once; its end and output are recorded once"
