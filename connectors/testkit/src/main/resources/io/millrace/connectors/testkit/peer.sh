# What the scripts of the batch systems share: each of them reads this file first.
# A script sets mark, the file that names its owner and when that process began: from another space of processes, or
# later, the number alone may be anybody's. One with daemons has the functions daemon, which sets file and
# program of the one that it is given, and launch, which starts that program.
set -u
owner=${2:-}
die() { echo "${0##*/}: $*" >&2; exit 1; }
absent() { echo "${0##*/}: $*" >&2; exit 77; }
process() { # NUMBER: with the ticks after which it began, where it lives
  local stat number=$1
  stat=$(cat "/proc/$number/stat" 2>/dev/null) || return 1
  set -- ${stat##*) }
  [ "$1" != Z ] && echo "$number ${20}"
}
own() { process "$owner" > "$mark"; }
used() { # by a process that lives, and is not the owner
  local by
  by=$(cat "$mark" 2>/dev/null) && [ -n "$by" ] && [ "$by" != "$(process "$owner")" ] &&
    [ "$by" = "$(process "${by%% *}")" ]
}
ours() { ! used && [ -s "$mark" ] || die "up comes before it"; }
alive() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
is() { # FILE PROGRAM: whether that number is that program's
  alive "$1" && [ "$(cat "/proc/$(cat "$1")/comm" 2>/dev/null)" = "$2" ]
}
runs() { is "$file" "$program"; }
await() { # TENTHS COMMAND...: whether it succeeds within that time
  tenths=$1
  shift
  for _ in $(seq "$tenths"); do "$@" && return 0; sleep 0.1; done
  return 1
}
ended() { ! alive "$1"; }
none() { ! pgrep --ns $$ --nslist pid -x "$1" >/dev/null; } # none of a container; what was killed just now is seen for a moment
stop() { # FILE: ends the process of that number in an orderly way
  alive "$1" || return 0
  kill "$(cat "$1")"
  await 300 ended "$1"
}
end() { # FILE PROGRAM
  ! is "$1" "$2" || stop "$1" || kill -KILL "$(cat "$1")"
}
manage() { # kill|stop|start master|host
  ours
  file='' program=''
  daemon "$2"
  case $1 in
  kill)
    runs || exit 3 # there is nothing to kill
    kill -KILL "$(cat "$file")"
    await 100 ended "$file" || die "$program does not die" ;;
  stop)
    runs && stop "$file"
    ! runs || die "$program does not end" ;;
  start) runs || launch || die "$program does not start" ;;
  esac
}
packages() { # NAME...: installs Debian's packages; their daemons are not started
  policy=/usr/sbin/policy-rc.d mine=
  [ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' > $policy; chmod +x $policy; mine=1; }
  all="apt-get install -qq -y --no-install-recommends $*"
  { $all || { timeout 300 apt-get update -qq && $all; }; } >/dev/null 2>&1
  ok=$?
  [ -z "$mine" ] || rm -f $policy
  [ $ok = 0 ] || absent "the packages $* cannot be installed"
}
take() { # PATH: waits until nobody else uses it, and takes down what has no owner, which the path tells
  for _ in $(seq 400); do used || break; sleep 1; done
  ! used || die "process $(cut -d" " -f1 "$mark") uses it"
  [ ! -e "$1" ] || bash "$0" down "$owner"
}
accounts() {
  for user; do id "$user" >/dev/null 2>&1 || useradd -m -s /bin/bash "$user"; done
}
running() { # VARIABLE up|down: looks whether the system in the folder of that variable answers to qstat
  folder=${!1:-}
  case $2 in
  up)
    [ -n "$folder" ] || absent "no live system: $1 names no folder"
    [ -x "$folder/bin/qstat" ] || absent "no live system: there is no $folder/bin/qstat"
    said=$(timeout 20 "$folder/bin/qstat" -B 2>&1) || absent "no live system: ${said%%$'\n'*}"
    accounts mralice ;;
  down) ;;
  *) die "up or down" ;;
  esac
}
