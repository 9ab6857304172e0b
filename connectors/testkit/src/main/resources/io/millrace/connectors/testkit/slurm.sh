#!/bin/bash
# slurm.sh up|down OWNER: a Slurm of one host on loopback, of Debian's packages; root only.
# slurm.sh kill|stop|start OWNER master|host: its slurmctld or slurmd, by SIGKILL, or in an orderly way.
# slurm.sh serves OWNER: waits until both answer. slurm.sh present OWNER ACCOUNT: numbers of jobs in its queue.
# slurm.sh redeliver OWNER: as with gridengine.sh.
# OWNER is the process that uses it: while it lives another one waits; what has no owner is taken down.
# up ends with status 77 when the packages are not there and cannot be installed.
# What stands in /etc/slurm is kept aside and put back by down.
. "$(dirname "$0")/peer.sh" || exit 1
export DEBIAN_FRONTEND=noninteractive
home=/var/spool/millrace-slurm host=$(hostname)
mark=$home/owner
daemon() { # sets file and program of one
  case $1 in
  master) file=$home/ctld/slurmctld.pid program=slurmctld ;;
  host) file=$home/slurmd.pid program=slurmd ;;
  *) die "master or host" ;;
  esac
}
launch() {
  if [ "$program" = slurmctld ]; then slurmctld </dev/null; else slurmd -N "$host" </dev/null; fi
}
answers() { scontrol ping 2>/dev/null | grep -q UP; }
has_node() { sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix|alloc)$'; }
serves() { answers && has_node; }
case ${1:-} in
kill | stop | start) manage "$1" "${3:-}" ;;
serves)
  ours
  await 600 serves || die "it does not serve" ;;
present)
  ours; squeue -h -t PD,R,S,CG -o %A -u "${3:-}" ;;
redeliver) ours ;; # slurmctld does so by itself
up)
  [ "$(id -u)" = 0 ] || die "only root can start it"
  if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null || ! command -v sudo >/dev/null; then
    packages slurm-wlm munge sudo
  fi
  take $home
  ! pgrep -x slurmctld >/dev/null || die "a slurmctld runs here already"
  accounts mralice mrbob
  rm -rf $home; mkdir -p $home/{ctld,d,kept} /run/munge /etc/slurm
  printf %s "$owner" > $mark
  cp -a /etc/slurm/. $home/kept/
  [ -s /etc/munge/munge.key ] || { (umask 077; head -c 1024 /dev/urandom > /etc/munge/munge.key); chown munge:munge /etc/munge/munge.key; }
  chown munge:munge /run/munge; chmod 755 /run/munge
  munge -n >/dev/null 2>&1 || { runuser -u munge -- /usr/sbin/munged && touch $home/munged; sleep 0.5; }
  touch $home/jobcomp; chown -R slurm:slurm $home/ctld $home/jobcomp; chmod 755 $home
  cat > /etc/slurm/slurm.conf <<C
ClusterName=hand
SlurmctldHost=$host
SlurmUser=slurm
AuthType=auth/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile=$home/ctld/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$home/ctld
SlurmdSpoolDir=$home/d
SlurmctldLogFile=$home/ctld/log
SlurmdLogFile=$home/slurmd.log
SchedulerType=sched/backfill
SchedulerParameters=defer,batch_sched_delay=1,sched_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$home/jobcomp
JobAcctGatherType=jobacct_gather/none
MinJobAge=300
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=32 State=UNKNOWN
PartitionName=batch Nodes=$host Default=YES MaxTime=INFINITE State=UP
C
  slurmctld -c </dev/null || die "slurmctld does not start"
  await 100 answers
  slurmd -N "$host" </dev/null || die "slurmd does not start"
  await 300 has_node || die "the node does not come up" ;;
down)
  ! used || exit 0
  end $home/slurmd.pid; end $home/ctld/slurmctld.pid
  [ ! -e $home/munged ] || end /run/munge/munged.pid
  [ ! -d $home/kept ] || { rm -f /etc/slurm/slurm.conf; cp -a $home/kept/. /etc/slurm/; }
  rm -rf $home ;;
*) die "up, down, kill, stop, start, serves, present or redeliver" ;;
esac
