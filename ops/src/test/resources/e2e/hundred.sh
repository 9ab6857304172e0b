# A hundred jobs of one user. Prints "LABEL ID" for each. $LINES_FILE gets a line from each script that ran.
set -eu
umask 022

submit() { # LABEL, then the arguments of qsub
  local label=$1 id
  shift
  id=$(qsub "$@")
  echo "$label $id"
}

cat >plain.sh <<'X'
#!/bin/sh
printf '%s %s\n' "$PBS_JOBID" "$MILLRACE_RUN" >>"$LINES_FILE"
echo "plain $PBS_JOBNAME"
X
for i in $(seq 1 78); do
  submit "plain$i" -v LINES_FILE -N "plain$i" -l ncpus=1 plain.sh
done
for i in $(seq 1 8); do
  submit "held$i" -h -v LINES_FILE -N "held$i" plain.sh
done

printf 'echo to out; echo to err >&2; exit 3\n' >failing.sh
submit failing -N failing failing.sh
submit walltime -N walltime -l walltime=1 -- /bin/sleep 300
submit deleted -N deleted -- /bin/sleep 300

cat >again.sh <<'X'
echo "run $MILLRACE_RUN"
[ "$MILLRACE_RUN" -gt 1 ] || exec sleep 300
X
submit rerun -N rerun -r y again.sh

cat >nodes.sh <<'X'
sort "$PBS_NODEFILE"
echo "node $PBS_NODENUM of $(wc -l <"$PBS_NODEFILE")"
X
submit chunks -N chunks -l select=2:ncpus=1 -l place=scatter nodes.sh

mkdir -p kept
submit paths -N paths -o kept/stdout -e "$PWD/kept/stderr" failing.sh
submit directory -N directory -o kept/ -e kept/ failing.sh
submit joinoe -N joinoe -j oe failing.sh
submit joineo -N joineo -j eo failing.sh

cat >variables.sh <<'X'
echo "COLOUR=${COLOUR-unset} SIZE=${SIZE-unset} $PBS_O_WORKDIR $PBS_JOBNAME $PBS_QUEUE $(id -un)"
pwd
X
COLOUR=green SIZE=9 submit v -N v -v 'COLOUR,SIZE=1' variables.sh
COLOUR=green SIZE=9 submit V -N V -V variables.sh

cat >directives.sh <<'X'
#!/bin/bash
#PBS -N directed
#PBS -l ncpus=2,walltime=5:00
#PBS -j oe
#PBS -A account7
echo "cpus $NCPUS"
echo late >&2
X
submit directives directives.sh

submit stdin -N stdin <<'X'
echo "from standard input"
X
submit command -N command -- /bin/echo two '$HOME' "words here"
