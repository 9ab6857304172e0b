#!/bin/bash
# Supervises a run in a process namespace of its own, whose table is small, so that no attack reaches the
# host; and tells what is left of the run.
#
#   unshare --pid --fork --mount-proc --kill-child inside.sh HOW SUPERVISOR DIR TOKEN TABLE
#
# HOW: "run"; "killed", its supervisor is killed when the run has made the file TOKEN/up, and another
# one follows; "forsaken", the spawn server is killed too.
# Prints: peak N (most entries of the table), refused N (how often nobody else could start anything),
# left N (what lives and starts of the run 10 s after its outcome, or 0 as soon as there is nothing).
how=$1 supervisor=$2 dir=$3 token=$4
echo "$5" >/proc/sys/kernel/pid_max || exit 90
peak=0 refused=0

look() {
  local entries=(/proc/[0-9]*)
  ((${#entries[@]} <= peak)) || peak=${#entries[@]}
  { (exit 0); } 2>/dev/null || refused=$((refused + 1))
}

count() { # without starting anything
  local stat line words
  left=0
  for stat in /proc/[0-9]*; do
    words=()
    { mapfile -d '' -t words <"$stat/cmdline"; } 2>/dev/null
    ((${#words[@]} > 0)) || continue
    [[ ${words[-1]} == "$token" && ${words[0]} == */attack ]] || continue
    { IFS= read -r line <"$stat/stat"; } 2>/dev/null || continue
    line=${line##*) }
    [[ $line == Z* ]] || left=$((left + 1))
  done
  local before after # who lives shorter than a look is known by the numbers that are used up
  read -r _ _ _ _ before </proc/loadavg
  nap 0.1
  read -r _ _ _ _ after </proc/loadavg
  left=$((left + after - before))
}

nap() { read -rt "$1" -u 5 _; } # this shell reaps what is left to it meanwhile
mkfifo "$token/never"
exec 5<>"$token/never"

mkfifo "$token/lines"
start_server() {
  "$supervisor" serve <"$token/lines" &
  server=$!
  exec 6>"$token/lines"
}

start_server
echo "$dir" >&6
if [[ $how != run ]]; then
  until [[ -e $token/up ]]; do look; nap 0.02; done
  while IFS='=' read -r key value; do [[ $key != supervisor_pid ]] || victim=$value; done <"$dir/started"
  if [[ $how == forsaken ]]; then
    exec 6>&-
    kill -9 "$server" "$victim"
    start_server
  else
    kill -9 "$victim"
  fi
  nap 0.1
  echo "$dir" >&6
fi
until [[ -e $dir/outcome ]]; do look; nap 0.05; done
for ((tries = 0; tries < 100; tries++)); do
  count
  ((left != 0)) || break
done
echo "peak $peak"
echo "refused $refused"
echo "left $left"
