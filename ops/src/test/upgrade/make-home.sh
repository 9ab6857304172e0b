#!/usr/bin/env bash
# make-home.sh CHECKOUT FILE.tar.gz: the home that UpgradeIT starts again, made by a real earlier build.
#
# CHECKOUT is a folder in which that build is packaged:
#   git worktree add DIR COMMIT; cd DIR; ./mvnw -DskipTests package
# Takes root, since the jobs are an ordinary user's. The host of the jobs is called n1, wherever this runs.
# Beside the home the archive has what the earlier build said of it at its end: jobs.json, server.txt,
# ids (lines NAME ID) and ran (the jobs that have begun, a line for each time).
set -euo pipefail

[ $# = 2 ] || { echo "usage: make-home.sh CHECKOUT FILE.tar.gz" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "make-home.sh: takes root" >&2; exit 1; }
# What this machine's environment holds is nobody else's business, and jobs keep it.
[ -n "${MILLRACE_BARE:-}" ] || exec env -i MILLRACE_BARE=1 LANG=C.UTF-8 PATH="/usr/sbin:/usr/bin:/sbin:/bin" \
  ${JAVA_HOME:+JAVA_HOME="$JAVA_HOME"} "$BASH" "$0" "$@"

checkout=$(cd "$1" && pwd)
file=$(realpath "$2")
user=mrupgrade
work=$(mktemp -d)
home=$work/home
chmod 755 "$work"
export MILLRACE_NO_BUILD=1 PATH=$home/bin:$PATH

executor=
finish() {
  touch "$work"/users/go-{first,second,array}
  [ -z "$executor" ] || kill "$executor" 2>/dev/null || true
  "$checkout/millrace" down --home "$home" >/dev/null 2>&1 || true
  userdel $user || true
  rm -rf "$work"
}
trap finish EXIT

useradd -M -s /bin/bash -d "$work/users" $user
mkdir "$work/users"
chown $user: "$work/users"
as_user() {
  (cd "$work/users" && setpriv --reuid=$user --regid=$user --init-groups \
    env -u MILLRACE_BARE HOME="$work/users" USER=$user LOGNAME=$user SHELL=/bin/bash "$@")
}

await() { # WHAT COMMAND...
  local what=$1 end=$((SECONDS + 90))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || { echo "make-home.sh: not in time: $what" >&2; exit 1; }
    sleep 0.2
  done
}
is() { [ "$(qstat -xf "$1" | sed -n 's/^ *job_state = //p')" = "$2" ]; }
subjobs() { qstat -xt "$array" | grep -c " $1 " || true; }

serve() {
  java -Xmx128m -XX:+UseSerialGC -cp "$checkout/ops/target/dist/lib/*" \
    io.millrace.connectors.local.LocalExecutorMain --bootstrap-servers "$broker" \
    --properties "$home/etc/kafka/executor.properties" --host n1 --spool "$home/spool/n1" \
    --supervisor "$checkout/ops/target/dist/bin/millrace-supervisor" --resources ncpus=4 \
    </dev/null >"$work/executor.log" 2>&1 &
  executor=$!
  await "the executor is ready" grep -q 'millrace-executor: ready' "$work/executor.log"
}

"$checkout/millrace" up --home "$home" --shards 3 --executors 0 </dev/null
broker=$(sed -n 's/^bootstrap.servers=//p' "$home/etc/millrace.properties")
mkdir -p "$home/spool/n1"
# The history is kept for a hundred years: the test comes whenever it comes.
qmgr <<'END'
create node n1 Mom=n1
set server job_history_enable = True
set server job_history_duration = 900000:00:00
set server resources_default.walltime = 01:00:00
set server max_run = "[u:PBS_GENERIC=9]"
create queue second queue_type=execution, enabled=True, started=True, Priority=5
create queue route queue_type=route, route_destinations=second, enabled=True, started=True
create resource licences type=long
create sched night
set sched night partition = P1, scheduling = True
create queue nightq queue_type=execution, enabled=True, started=True, partition=P1
END
serve

# Each writes a line when it begins: one that ran twice would be seen.
cat >"$work/job.sh" <<'END'
echo "$PBS_JOBID" >>"$HOME/ran"
[ "$PBS_JOBNAME" != fails ] || exit 3
case $PBS_JOBNAME$PBS_ARRAY_INDEX in
  first | second | array3)
    n=0
    until [ -e "$HOME/go-$PBS_JOBNAME" ] || [ $n -ge 3000 ]; do n=$((n + 1)); sleep 0.1; done ;;
esac
[ "$PBS_JOBNAME" != first ] || exit 7
END
chmod 755 "$work/job.sh"

: >"$work/ids"
submit() { # NAME OPTION...
  local name=$1
  shift
  id=$(as_user qsub -N "$name" -o /dev/null -e /dev/null "$@" "$work/job.sh")
  echo "$name $id" >>"$work/ids"
}

submit done -l ncpus=1
await "$id ends" is "$id" F
submit fails -l ncpus=1
await "$id ends" is "$id" F
submit first -l ncpus=3
first=$id
await "$id runs" is "$id" R
submit array -l ncpus=1 -J 1-6%1
array=$id
await "two subjobs have ended" eval '[ "$(subjobs X)" = 2 ]'
qhold -h s "$array"
touch "$work/users/go-array"
await "three subjobs have ended" eval '[ "$(subjobs X)" = 3 ]'
submit second -l ncpus=1
second=$id
await "$id runs" is "$id" R
submit held -l ncpus=1 -h
submit later -l ncpus=1 -a 203701010000
submit waits -l ncpus=4
submit behind -l ncpus=1 -W "depend=afterok:$id"
submit onfail -l ncpus=1 -W "depend=afternotok:$first"
submit routed -q route -l ncpus=4
submit night -q nightq -l ncpus=1
submit altered -l ncpus=1 -h
qalter -p 77 -N renamed "$id"
submit removed -l ncpus=1
qdel "$id"
await "all have begun" eval '[ "$(wc -l <"$work/users/ran")" -ge 6 ]'
qstat -xf -F json >"$work/jobs.json"
qmgr -c 'print server' >"$work/server.txt"

# The first ends while nobody is there to hear of it. The second runs on, and where the home is
# unpacked it does not: there its supervisor has died.
kill "$executor"
wait "$executor" || true
executor=
"$checkout/millrace" down --home "$home"
touch "$work/users/go-first"
await "the first has ended" test -e "$home/spool/n1/runs/$first.1/outcome"
[ -e "$home/spool/n1/runs/$second.1/started" ] && [ ! -e "$home/spool/n1/runs/$second.1/outcome" ]
cp "$work/users/ran" "$work/ran"
# What up makes again, and what says nothing of jobs.
rm -rf "$home/run" "$home/log" "$home/bin" "$home/share" "$home/etc/dist"
find "$home/spool" -type p -delete
tar -C "$work" --numeric-owner -c home jobs.json server.txt ids ran | gzip -9 >"$file"
ls -l "$file"
