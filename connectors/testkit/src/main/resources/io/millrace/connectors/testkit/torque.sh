#!/bin/bash
# torque.sh up|down OWNER: looks whether the Torque in the folder MILLRACE_TORQUE runs; root only.
# It is neither installed nor started nor stopped here: up ends with status 77 when it does not answer.
set -u
folder=${MILLRACE_TORQUE:-}
absent() { echo "torque.sh: $*" >&2; exit 77; }
case ${1:-} in
up)
  [ -n "$folder" ] || absent "no live system: MILLRACE_TORQUE names no folder"
  [ -x "$folder/bin/qstat" ] || absent "no live system: there is no $folder/bin/qstat"
  said=$(timeout 20 "$folder/bin/qstat" -B 2>&1) || absent "no live system: ${said%%$'\n'*}"
  id mralice >/dev/null 2>&1 || useradd -m -s /bin/bash mralice ;;
down) ;;
*) echo "torque.sh: up or down" >&2; exit 1 ;;
esac
