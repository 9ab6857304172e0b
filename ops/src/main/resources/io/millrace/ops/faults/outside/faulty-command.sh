#!/bin/sh
# Starts the command of its own name in another folder, and answers as a network or a daemon in trouble would.
# What becomes of which call stands in state/plan.NAME; calls are counted over all processes and accounts.
name=${0##*/} state=${0%/*}/state
read -r real < "$state/real"
real=$real/$name
[ -e "$state/on" ] || exec "$real" "$@"
note() { # WORD MORE: a line of the log, in one write
  echo "$(date +%s%3N) $name $*" >> "$state/log"
}
if [ -e "$state/outage" ]; then
  note refused
  case " $* " in *" -j "*) [ ! -e "$state/unknown.$name" ] || { cat "$state/unknown.$name"; exit 0; } ;; esac
  [ ! -e "$state/outage.$name" ] || { cat "$state/outage.$name"; exit 0; }
  cat "$state/outage.words" >&2
  exit 1
fi
[ -e "$state/plan.$name" ] || exec "$real" "$@"
# Any account may write the number, and some shells carry out what stands in a variable that they calculate with.
# shellcheck disable=SC2016 # it is another shell's
call=$(flock "$state/lock" sh -c '
  read -r n < "$1"
  case $n in "" | *[!0-9]*) n=0 ;; esac
  n=$((n + 1))
  echo $n > "$1"
  echo $n' sh "$state/calls.$name")
fault=$(sed -n "${call}p" "$state/plan.$name")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT HUP
silence() { # SECONDS: until the one who waits has had enough
  rm -rf "$work"
  exec sleep "$1"
}
tag=-
for word; do
  case $word in
  mr.*.*.*) tag=$word ;;
  --comment=mr.*.*.*) tag=${word#*=} ;;
  esac
done
submits=
if [ -e "$state/submits.$name" ]; then
  submits=yes
  cat > "$work/in"
  [ ! -e "$state/no-claim" ] || sed -i 's#/bin/mkdir "$folder"#/bin/mkdir -p "$folder"#' "$work/in"
else
  : > "$work/in"
fi
carry() { # HOW WORDS...: carries it out, and says so when a job came of it
  how=$1 begun=$(date +%s%3N)
  shift
  "$real" "$@" < "$work/in" > "$work/out.$how" 2> "$work/err.$how"
  status=$?
  number=$(grep -o -m 1 '^[0-9][0-9]*' "$work/out.$how")
  [ -z "$submits" ] || [ $status != 0 ] || [ -z "$number" ] || note "$how" "$tag" "$number" "$begun"
  return $status
}
again() { # WORDS...: carries it out once more, also when who waits for this ends it
  later=$(mktemp -d) && cp "$work/in" "$later/in" || exit 1
  (
    trap '' TERM INT HUP
    work=$later
    (
      carry carried "$@"
      rm -rf "$later"
    ) < /dev/null > /dev/null 2>&1 &
  )
}
[ "$fault" != unsent ] || { note unsent; silence 120; }
carry carried "$@"
answer=$?
case $fault in
swallow)
  note swallowed "$tag"
  # A connector that does not look for it would submit it again like this, when it has waited in vain.
  [ ! -e "$state/no-look-up" ] || again "$@"
  silence 120 ;;
twice)
  # Who waits no longer may end this between the submission and its line.
  note doubling "$tag"
  carry doubled "$@"
  ;;
late*) note late "$tag"; sleep "${fault#late }" ;;
cut)
  note cut "$tag"
  size=$(wc -c < "$work/out.carried")
  head -c $((size / 2)) "$work/out.carried"
  cat "$work/err.carried" >&2
  exit $answer ;;
esac
cat "$work/out.carried"
cat "$work/err.carried" >&2
exit $answer
