# Brings files to a job before it runs (in) and takes them away behind it (out), or removes what was
# brought for a run that did not begin (back); brings one file of output to another host (deliver). The
# supervisor of the run calls it as the job's owner, in his home: sh -s in|out|back|deliver < this text.
#   NODE             this host, under the name that orders know
#   JOB_DIRECTORY    a directory for this job alone, made and removed here; or empty
#   COPY             the site's command for files of other hosts; or empty: scp
#   STAGED           a file in the directory of the run; standard output is added to it
#   BURIED           not empty: the supervisor of the run, or its host, went away meanwhile
#   FILE, FAR        of deliver: the output, and HOST:PATH for it
# The pairs follow as calls of bring and take. What went wrong is said on standard error.
#
# A copy is made in a directory beside its target and renamed when it is whole: nobody sees a part of
# one, and only what this run wrote is ever removed. What is done is noted, so that who is killed
# is followed by one who goes on there. PAIR is i or o with a number; a | ends each line, since
# names may end in spaces:
#   into PAIR| or as PAIR|    the target was a directory, or is what the copy is called
#   beside PAIR DIRECTORY|    where copies are made
#   whole PAIR|               all that come are there
#   moving PAIR TARGET|       one is renamed; when it is no longer there, it is the target
#   failed PAIR TARGET|       it could not be
#   taken PAIR SOURCE|        it is safe elsewhere
#   done PAIR|
#   unmarked|                 the home cannot be written
#   given up| or over|        the end of "in" that failed, of "out" and of "back"
verb=$1
ours=$(uname -n)
kept=
pairs=0
run=${STAGED%/*}
run=${run##*/}
me=$NODE:$STAGED
mark=$HOME/.millrace-run.${run%.*} # in it: the run of the job whose files those in the home are

say() { printf '%s\n' "$*" >&2; }

# Where the spool is full nothing is brought; but what is to be taken away is.
note() { printf '%s|\n' "$*" 2>/dev/null || [ "$verb" != in ] || { say "cannot write $STAGED" && return 1; }; }

noted() { [ -r "$STAGED" ] && grep -qxF -- "$*|" "$STAGED"; }

there_is() { [ -e "$1" ] || [ -h "$1" ]; }

is_here() { # HOST
  case ${1%%.*} in localhost | "${NODE%%.*}" | "${ours%%.*}") return 0 ;; esac
  return 1
}

not_copied() { # SOURCE TARGET WHY
  say "Unable to copy file $1 to $2: $3"
  return 1
}

# One copy; a host that does not answer is asked again.
copy() { # SOURCE TO HERE|THERE TARGET
  try=1
  while :; do
    if [ "$3" = here ]; then
      why=$(cp -rp -- "$1" "$2" 2>&1 </dev/null) && return 0
      try=4
    elif [ "$COPY" ]; then
      why=$("$COPY" "$1" "$2" 2>&1 </dev/null) && return 0
    else
      why=$(scp -Brp -o ConnectTimeout=15 -o ControlPath=none -- "$1" "$2" 2>&1 </dev/null) && return 0
    fi
    [ $try -lt 4 ] || break
    sleep $try
    try=$((try + 1))
  done
  not_copied "$1" "$4" "${why:-no reason was told}"
}

# Below the owner's home, as on any other host.
at_home() { # PATH
  case $1 in /*) printf '%s\n' "$1" ;; *) printf '%s\n' "$HOME/$1" ;; esac
}

is_pattern() { # PATH
  case ${1##*/} in *[*?]*) return 0 ;; esac
  return 1
}

# Names of what a path with wildcards in its last part stands for, one a line; itself without.
matches() { # PATH
  is_pattern "$1" || { printf '%s\n' "$1" && return 0; }
  case $1 in */*) folder=${1%/*}/ ;; *) folder= ;; esac
  fits=$(printf '%s\n' "${1##*/}" | sed 's/[][\\]/\\&/g') # only * and ? stand for others
  (cd "${folder:-.}" 2>/dev/null || exit 0
    IFS=
    for name in $fits; do
      there_is "$name" || continue
      case $name in *"
"*) say "a name with a line end in ${folder:-$PWD}" && exit 1 ;; esac
      printf '%s\n' "$folder$name"
    done)
}

find_sources() { # PATH OTHER
  found=$(matches "$1") && [ "$found" ] || not_copied "$1" "$2" "no file matches"
}

plain() { # PATH; sets: plain
  plain=$1
  while :; do
    case $plain in ?*/) plain=${plain%/} ;; *) return 0 ;; esac
  done
}

# Where the copies of a pair go, also at a second try; sets: target, inside (a directory), beside.
aim() { # PAIR TARGET
  plain "$2"
  target=$plain
  case $target in /*) ;; *) target=$PWD/$target ;; esac
  noted as "$1" || noted into "$1" || { if [ -d "$target" ]; then note into "$1"; else note as "$1"; fi; }
  inside=
  beside=${target%/*}/.millrace-$run.$1
  if noted into "$1" || { [ -d "$target" ] && ! noted as "$1"; }; then
    inside=1
    beside=$target/.millrace-$run.$1
  fi
}

# Sets: whole, what the copy of a source will be called.
name_for() { # SOURCE
  whole=$target
  [ "$inside" ] || return 0
  plain "$1"
  whole=$target/${plain##*/}
  case ${plain##*/} in '' | . | ..) not_copied "$1" "$target" "it has no name of its own" ;; esac
}

one_or_inside() { # FOUND
  [ "$inside" ] || case $1 in *"
"*) not_copied "$1" "$target" "they are several, and it is no directory" ;; esac
}

not_itself() { # SOURCE
  [ ! "$1" -ef "$whole" ] || not_copied "$1" "$whole" "they are the same file"
}

make_room() { # PAIR
  note beside "$1" "$beside" && rm -rf -- "$beside" &&
    { why=$(mkdir -m 700 -- "$beside" 2>&1) || not_copied "${source:-file}" "$target" "$why"; }
}

# Gives what is beside its name.
put() { # PAIR WHOLE
  note moving "$1" "$2" || return 1
  why=$(mv -fT -- "$beside/${2##*/}" "$2" 2>&1) && return 0
  note failed "$1" "$2"
  not_copied "${source:-file}" "$2" "$why"
}

# Whether an earlier life has given it its name.
was_put() { # PAIR WHOLE
  noted moving "$1" "$2" && ! noted failed "$1" "$2" && ! there_is "${2%/*}/.millrace-$run.$1/${2##*/}"
}

bring() { # PATH HOST SOURCE
  [ "$verb" = in ] || return 0
  pairs=$((pairs + 1))
  noted "done" "i$pairs" || { bring_pair "i$pairs" "$@" && note "done" "i$pairs"; } || give_up
}

bring_pair() { # PAIR PATH HOST SOURCE
  aim "$1" "$2"
  source=$4
  noted whole "$1" || { make_room "$1" && bring_beside "$3" "$4" && note whole "$1"; } || return 1
  source=$4
  for one in "$beside"/* "$beside"/.[!.]* "$beside"/..?*; do
    ! there_is "$one" || put "$1" "${beside%/*}/${one##*/}" || return 1
  done
  rm -rf -- "$beside"
}

bring_beside() { # HOST SOURCE
  if ! is_here "$1"; then
    if [ "$inside" ] && is_pattern "$2"; then
      copy "$USER@$1:$2" "$beside/" there "$target/"
    else
      name_for "$2" && copy "$USER@$1:$2" "$beside/${whole##*/}" there "$whole"
    fi
    return
  fi
  find_sources "$(at_home "$2")" "$target" && one_or_inside "$found" || return 1
  while IFS= read -r source; do
    name_for "$source" && not_itself "$source" && copy "$source" "$beside/${whole##*/}" here "$whole" || return 1
  done <<END
$found
END
}

take() { # PATH HOST TARGET
  [ "$verb" = out ] || return 0
  pairs=$((pairs + 1))
  noted "done" "o$pairs" || { take_pair "o$pairs" "$@" && note "done" "o$pairs"; } || kept=1
}

take_pair() { # PAIR PATH HOST TARGET
  found=$(matches "$2") || return 1
  if is_pattern "$2" && [ ! "$found" ]; then
    grep -qs "^taken $1 " "$STAGED" || not_copied "$2" "$3:$4" "no file matches"
    return
  fi
  if is_here "$3"; then
    aim "$1" "$(through "$(at_home "$4")")"
    one_or_inside "$found" || return 1
  fi
  bad=
  while IFS= read -r source; do
    noted taken "$1" "$source" || { carry "$@" && note taken "$1" "$source"; } || { bad=1 && continue; }
    # What is safe elsewhere is not left here, as with PBS.
    rm -rf -- "$source"
  done <<END
$found
END
  [ ! "$bad" ]
}

# A link that leads to no directory stays, and the copy is what it leads to.
through() { # PATH
  if [ -h "$1" ] && [ ! -d "$1" ]; then readlink -f -- "$1"; else printf '%s\n' "$1"; fi
}

carry() { # PAIR PATH HOST TARGET; of: source
  if ! is_here "$3"; then
    copy "$source" "$USER@$3:$4" there "$3:$4"
    return
  fi
  name_for "$source" && not_itself "$source" || return 1
  ! was_put "$1" "$whole" || return 0
  if [ -d "$whole" ]; then # what is in it already stays
    why=$(cp -rpT -- "$source" "$whole" 2>&1 </dev/null) || not_copied "$source" "$whole" "$why"
  elif [ -e "$whole" ] && [ ! -f "$whole" ]; then # a device
    why=$(cp -- "$source" "$whole" 2>&1 </dev/null) || not_copied "$source" "$whole" "$why"
  else
    make_room "$1" && copy "$source" "$beside/${whole##*/}" here "$whole" && put "$1" "$whole"
    good=$?
    rm -rf -- "$beside"
    return $good
  fi
}

# What this run brought, and what is left of copies that did not become whole.
remove_brought() {
  [ -r "$STAGED" ] || return 0
  sed -n 's/^moving \(i[0-9]* .*\)|$/\1/p' "$STAGED" | while IFS= read -r line; do
    ! was_put "${line%% *}" "${line#* }" || rm -rf -- "${line#* }"
  done
  sed -n 's/^beside i[0-9]* \(.*\)|$/\1/p' "$STAGED" | while IFS= read -r line; do rm -rf -- "$line"; done
}

give_up() {
  note given up
  remove_brought
  [ ! "$JOB_DIRECTORY" ] || { cd "$HOME" && rm -rf -- "$JOB_DIRECTORY"; }
  rm -f -- "$mark"
  exit 1
}

# Where the home cannot be written, nobody else writes there either.
is_ours() { [ "$(cat -- "$mark" 2>/dev/null)" = "$me" ] || { noted unmarked && [ ! "$BURIED" ]; }; }

# An earlier run of the job may be at work with these files still, where nobody hears of it.
take_over() {
  ! is_ours || return 0
  if [ "$JOB_DIRECTORY" ] && there_is "$JOB_DIRECTORY"; then
    n=1
    while there_is "$JOB_DIRECTORY.$n"; do n=$((n + 1)); done
    why=$(mv -T -- "$JOB_DIRECTORY" "$JOB_DIRECTORY.$n" 2>&1) || { say "$why" && exit 1; }
    say "$JOB_DIRECTORY was there and is $JOB_DIRECTORY.$n now"
  fi
  { printf '%s\n' "$me" >"$mark"; } 2>/dev/null || { [ ! "$JOB_DIRECTORY" ] && note unmarked; } ||
    { say "cannot write $mark" && exit 1; }
}

begin() {
  if [ "$verb" = deliver ]; then
    copy "$FILE" "$USER@$FAR" there "$FAR"
    exit
  fi
  ! noted over || exit 0
  if [ "$verb" = in ]; then
    ! noted given up || { say "it failed before" && give_up; }
    take_over
  elif ! is_ours; then
    [ "$verb" != back ] || [ -s "$STAGED" ] || exit 0
    say "nothing was touched, since another run of the job has begun"
    exit 1
  fi
  if [ "$JOB_DIRECTORY" ]; then
    [ "$verb" != back ] || [ -d "$JOB_DIRECTORY" ] || exit 0
    if [ "$verb" = in ] && [ ! -d "$JOB_DIRECTORY" ]; then
      why=$(mkdir -m 700 -- "$JOB_DIRECTORY" 2>&1) || { say "$why" && exit 1; }
    fi
    if [ ! -O "$JOB_DIRECTORY" ] || [ -h "$JOB_DIRECTORY" ] || ! cd "$JOB_DIRECTORY"; then
      say "$JOB_DIRECTORY is not the job's"
      exit 1
    fi
  fi
}

finish() {
  [ "$verb" != in ] || exit 0
  remove_brought
  if [ "$JOB_DIRECTORY" ]; then
    if [ "$kept" ]; then
      say "what was not copied is left in $JOB_DIRECTORY"
    else
      cd "$HOME" && rm -rf -- "$JOB_DIRECTORY"
    fi
  fi
  note over
  rm -f -- "$mark"
  [ ! "$kept" ] || exit 1
  exit 0
}
