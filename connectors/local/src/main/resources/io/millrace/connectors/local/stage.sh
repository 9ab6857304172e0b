# Brings files to a job before it runs (in) and takes them away behind it (out), or removes what was
# brought for a run that did not begin (back). The supervisor of the run calls it as the job's owner,
# in his home: sh -s in|out|back < this text.
#   NODE             this host, under the name that orders know
#   JOB_DIRECTORY    a directory for this job alone, made and removed here; or empty
#   COPY             the site's command for files of other hosts; or empty: scp
#   STAGED           where the names of what was brought are kept, on standard output of "in"
# The pairs follow as calls of bring and take. What went wrong is said on standard error.
verb=$1
ours=$(uname -n)
kept=

is_here() { # HOST
  case ${1%%.*} in localhost | "${NODE%%.*}" | "${ours%%.*}") return 0 ;; esac
  return 1
}

# One copy; a host that does not answer is asked again.
copy() { # SOURCE TARGET HERE|THERE
  try=1
  while :; do
    if [ "$3" = here ]; then
      why=$(cp -rp -- "$1" "$2" 2>&1 </dev/null) && return 0
      try=4
    elif [ "$COPY" ]; then
      why=$("$COPY" "$1" "$2" 2>&1 </dev/null) && return 0
    else
      why=$(scp -Brp -- "$1" "$2" 2>&1 </dev/null) && return 0
    fi
    [ $try -lt 4 ] || break
    sleep $try
    try=$((try + 1))
  done
  echo "Unable to copy file $1 to $2: ${why:-no reason was told}" >&2
  return 1
}

# Below the owner's home, as on any other host.
at_home() { # PATH
  case $1 in /*) echo "$1" ;; *) echo "$HOME/$1" ;; esac
}

# Names of what a path with wildcards in its last part stands for, one a line; itself without.
matches() { # PATH
  case ${1##*/} in
    *[*?]*)
      case $1 in */*) folder=${1%/*}/ ;; *) folder= ;; esac
      (cd "${folder:-.}" 2>/dev/null || exit 0
        IFS=
        for name in ${1##*/}; do [ ! -e "$name" ] || echo "$folder$name"; done)
      ;;
    *) echo "$1" ;;
  esac
}

remove_brought() {
  [ -r "$STAGED" ] || return 0
  while IFS= read -r brought; do rm -rf -- "$brought"; done <"$STAGED"
}

give_up() {
  remove_brought
  [ ! "$JOB_DIRECTORY" ] || { cd "$HOME" && rm -rf -- "$JOB_DIRECTORY"; }
  exit 1
}

bring() { # PATH HOST SOURCE
  [ "$verb" = in ] || return 0
  if is_here "$2"; then
    found=$(matches "$(at_home "$3")")
    [ "$found" ] || { echo "Unable to copy file $3 to $1: no file matches" >&2 && give_up; }
    while IFS= read -r source; do bring_one "$source" "$1" here || give_up; done <<END
$found
END
  else
    bring_one "$USER@$2:$3" "$1" there || give_up
  fi
}

bring_one() { # SOURCE TARGET HERE|THERE
  target=$2
  [ ! -d "$2" ] || target=$2/${1##*/}
  case $target in /*) echo "$target" ;; *) echo "$PWD/$target" ;; esac
  copy "$1" "$2" "$3"
}

take() { # PATH HOST TARGET
  [ "$verb" = out ] || return 0
  found=$(matches "$1")
  [ "$found" ] || { echo "Unable to copy file $1 to $2:$3: no file matches" >&2 && kept=1 && return 0; }
  while IFS= read -r source; do
    if is_here "$2"; then copy "$source" "$(at_home "$3")" here; else copy "$source" "$USER@$2:$3" there; fi
    # What is safe elsewhere is not left here, as with PBS.
    if [ $? = 0 ]; then rm -rf -- "$source"; else kept=1; fi
  done <<END
$found
END
}

begin() {
  if [ "$JOB_DIRECTORY" ]; then
    [ "$verb" != back ] || [ -d "$JOB_DIRECTORY" ] || exit 0
    if [ "$verb" = in ] && [ ! -d "$JOB_DIRECTORY" ]; then
      why=$(mkdir -m 700 -- "$JOB_DIRECTORY" 2>&1) || { echo "$why" >&2 && exit 1; }
    fi
    if [ ! -O "$JOB_DIRECTORY" ] || [ -h "$JOB_DIRECTORY" ] || ! cd "$JOB_DIRECTORY"; then
      echo "$JOB_DIRECTORY is not the job's" >&2
      exit 1
    fi
  fi
}

finish() {
  [ "$verb" != in ] || exit 0
  remove_brought
  if [ "$JOB_DIRECTORY" ]; then
    if [ "$kept" ]; then
      echo "what was not copied is left in $JOB_DIRECTORY" >&2
    else
      cd "$HOME" && rm -rf -- "$JOB_DIRECTORY"
    fi
  fi
  [ ! "$kept" ] || exit 1
  exit 0
}
