#!/bin/bash
# slurm.sh up|more|down OWNER: a Slurm of one host on loopback, of Debian's packages; root only.
# more adds the hosts mrhost1 and mrhost2, each a slurmd of its own on this one, and a partition mrplace of both, which
# takes jobs that name it, from this host only.
# slurm.sh set OWNER NAME VALUE: has its slurmctld take a line of slurm.conf while it runs; - for none.
# slurm.sh kill|stop|start OWNER master|host: its slurmctld or slurmd, by SIGKILL, or in an orderly way.
# slurm.sh serves OWNER: waits until both answer. slurm.sh present OWNER ACCOUNT: numbers of jobs in its queue.
# slurm.sh redeliver OWNER: starts slurmd again where slurmctld shows jobs as running that are over: one that was killed
# before it had noted their end learns of it when slurmd registers, by itself in up to half an hour.
# OWNER is the process that uses it: while it lives another one waits; what has no owner is taken down.
# With MILLRACE_SLURM_DATABASE=1 it keeps its accounting in slurmdbd and a MariaDB of its own, too.
# With MILLRACE_SLURM_REST=1 it has slurmrestd at 127.0.0.1:16820, and tokens of its accounts in the file tokens.
# Its host has two gpus, which are files.
# Its controller has the script millrace-slurm-starts, which lies beside this one, write begins and ends of jobs.
# up ends with status 77 when the packages are not there and cannot be installed.
# What stands in /etc/slurm is kept aside and put back by down.
. "$(dirname "$0")/peer.sh" || exit 1
export DEBIAN_FRONTEND=noninteractive
home=/var/spool/millrace-slurm host=$(hostname)
mark=$home/owner
accounting='AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none' tokens=
daemon() { # sets file and program of one
  case $1 in
  master) file=$home/ctld/slurmctld.pid program=slurmctld ;;
  host) file=$home/slurmd.$host.pid program=slurmd ;;
  *) die "master or host" ;;
  esac
}
launch() {
  if [ "$program" = slurmctld ]; then slurmctld </dev/null; else slurmd -N "$host" </dev/null; fi
}
answers() { scontrol ping 2>/dev/null | grep -q UP; }
has_node() { sinfo -h -n "$host" -o %t 2>/dev/null | grep -qE '^(idle|mix|alloc)$'; }
give_back() { # as an administrator: a slurmctld that was killed may begin a job again that its host has, and drains it
  [ "$(sinfo -h -n "$host" -o %E 2>/dev/null)" != 'Duplicate jobid' ] || scontrol update NodeName="$host" State=RESUME
}
serve_more() { [ "$(sinfo -h -N -p mrplace -o %t 2>/dev/null | grep -cE '^(idle|mix|alloc)$')" = 2 ]; }
serves() { answers && give_back && has_node; }
strays() { # numbers of jobs that are said to run since 15 s and more, and of which this host has no process
  squeue -h -t R -o '%A %S' 2>/dev/null | while read -r id since; do
    [ $(($(date +%s) - $(date -d "$since" +%s))) -ge 15 ] && ! pgrep -f "^slurmstepd: \\[$id\\." >/dev/null && echo "$id"
  done | sort
}
has_database() { mariadb -e 'select 1' >/dev/null 2>&1; }
has_accounting() { sacctmgr -n show cluster >/dev/null 2>&1; }
database() { # the account slurm comes to MariaDB by its socket, without a password
  mkdir -p $home/db /run/mysqld; chown mysql:mysql $home/db /run/mysqld
  mariadb-install-db --user=mysql --datadir=$home/db --skip-test-db >/dev/null 2>&1 || die "no database"
  mariadbd --no-defaults --user=mysql --datadir=$home/db --socket=/run/mysqld/mysqld.sock --skip-networking \
    --pid-file=$home/db/pid </dev/null >$home/db.log 2>&1 &
  await 600 has_database || die "MariaDB does not answer"
  mariadb -e 'create database slurm_acct_db; create user slurm@localhost identified via unix_socket;
    grant all on slurm_acct_db.* to slurm@localhost' || die "no database for slurmdbd"
  cat > /etc/slurm/slurmdbd.conf <<C
AuthType=auth/munge
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=16819
SlurmUser=slurm
LogFile=$home/ctld/dbd.log
PidFile=$home/ctld/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
TrackWCKey=yes
C
  chown slurm:slurm /etc/slurm/slurmdbd.conf; chmod 600 /etc/slurm/slurmdbd.conf
  accounting="AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=16819
AccountingStoreFlags=job_comment
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
TrackWCKey=yes"
}
rest() { # as an account that is nobody's, and tokens of 'scontrol token', which only root and slurm can make
  setpriv --reuid=nobody --regid=nogroup --clear-groups env SLURM_JWT=daemon slurmrestd -a rest_auth/jwt \
    -s openapi/v0.0.38 127.0.0.1:16820 </dev/null >$home/rest.log 2>&1 &
  echo $! > $home/rest.pid
  (umask 077; for user in mralice mrbob; do
    token=$(scontrol token username=$user lifespan=86400) || exit 1
    echo "$user:${token#*=}"
  done > $home/tokens) || die "no tokens"
  await 100 bash -c '(: < /dev/tcp/127.0.0.1/16820) 2>/dev/null' || die "slurmrestd does not answer"
}
case ${1:-} in
kill | stop | start) manage "$1" "${3:-}" ;;
serves)
  ours
  await 600 serves || die "it does not serve: $(scontrol ping 2>&1 | head -1); $(sinfo -h -o '%n is %T: %E' 2>&1 | head -1)" ;;
present)
  ours; squeue -h -t PD,R,S,CG -o %A -u "${3:-}" ;;
redeliver)
  ours; file='' program=''; daemon host
  give_back
  if runs; then
    lost=$(strays)
    [ -n "$lost" ] || exit 0
    sleep 2
    [ -n "$(comm -12 <(echo "$lost") <(strays))" ] || exit 0
    end "$file" "$program"; await 100 ended "$file"
  fi
  launch && await 100 runs || die "slurmd does not start" ;;
up)
  [ "$(id -u)" = 0 ] || die "only root can start it"
  if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null || ! command -v sudo >/dev/null; then
    packages slurm-wlm munge sudo
  fi
  if [ -n "${MILLRACE_SLURM_DATABASE:-}" ] && ! { command -v slurmdbd && command -v mariadbd; } >/dev/null; then
    packages slurmdbd mariadb-server
  fi
  if [ -n "${MILLRACE_SLURM_REST:-}" ] && ! { command -v slurmrestd && ls /usr/lib/*/slurm-wlm/auth_jwt.so; } >/dev/null 2>&1; then
    packages slurmrestd slurm-wlm-jwt-plugin
  fi
  take $home
  await 100 none slurmctld || die "a slurmctld runs here already"
  accounts mralice mrbob
  rm -rf $home; mkdir -p $home/{ctld,d,kept} /run/munge /etc/slurm
  own
  cp -a /etc/slurm/. $home/kept/
  [ -s /etc/munge/munge.key ] || { (umask 077; head -c 1024 /dev/urandom > /etc/munge/munge.key); chown munge:munge /etc/munge/munge.key; }
  chown munge:munge /run/munge; chmod 755 /run/munge
  munge -n >/dev/null 2>&1 || { runuser -u munge -- /usr/sbin/munged && touch $home/munged; sleep 0.5; }
  touch $home/jobcomp; chown -R slurm:slurm $home/ctld $home/jobcomp; chmod 755 $home
  [ -z "${MILLRACE_SLURM_DATABASE:-}" ] || database
  if [ -n "${MILLRACE_SLURM_REST:-}" ]; then
    (umask 077; head -c 32 /dev/urandom > $home/ctld/jwt.key); chown slurm:slurm $home/ctld/jwt.key
    tokens="AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=$home/ctld/jwt.key"
  fi
  sed "s|^file=.*|file=$home/starts|" "$(dirname "$0")/millrace-slurm-starts" > $home/millrace-slurm-starts &&
    chmod 755 $home/millrace-slurm-starts && install -o slurm -m 644 /dev/null $home/starts || die "no script of begins"
  cat > /etc/slurm/slurm.conf <<C
ClusterName=hand
SlurmctldHost=$host
SlurmUser=slurm
AuthType=auth/munge
$tokens
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SlurmctldPidFile=$home/ctld/slurmctld.pid
SlurmdPidFile=$home/slurmd.%n.pid
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$home/ctld
SlurmdSpoolDir=$home/d/%n
SlurmctldLogFile=$home/ctld/log
SlurmdLogFile=$home/slurmd.%n.log
SchedulerType=sched/backfill
SchedulerParameters=defer,batch_sched_delay=1,sched_interval=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
$accounting
JobCompType=jobcomp/filetxt
JobCompLoc=$home/jobcomp
MinJobAge=300
PrologSlurmctld=$home/millrace-slurm-starts
EpilogSlurmctld=$home/millrace-slurm-starts
KillWait=2
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 Port=16818 CPUs=32 RealMemory=32768 Gres=gpu:2 State=UNKNOWN
PartitionName=batch Nodes=$host Default=YES MaxTime=INFINITE State=UP
C
  touch $home/gpu0 $home/gpu1
  echo "NodeName=$host Name=gpu File=$home/gpu[0-1]" > /etc/slurm/gres.conf
  if [ -n "${MILLRACE_SLURM_DATABASE:-}" ]; then
    slurmdbd </dev/null || die "slurmdbd does not start"
    await 300 has_accounting || die "slurmdbd does not answer"
    sacctmgr -i add cluster hand >/dev/null || die "slurmdbd does not take the cluster"
  fi
  slurmctld -c </dev/null || die "slurmctld does not start"
  await 100 answers
  slurmd -N "$host" </dev/null || die "slurmd does not start"
  await 300 has_node || die "the node does not come up"
  [ -z "${MILLRACE_SLURM_REST:-}" ] || rest ;;
more) # slurmctld takes new hosts when it begins only; how it calls this one, as munge's address leads to it, a job says
  ours
  id=$(cd / && sbatch --parsable --hold --output=/dev/null --wrap=true) || die "it takes no job"
  from=$(scontrol show job "$id" | sed -n 's/.*AllocNode:Sid=\([^:]*\):.*/\1/p')
  scancel "$id"
  [ -z "${MILLRACE_SLURM_REST:-}" ] || from=$from,127.0.0.1 # jobs of slurmrestd come from its address
  cat >> /etc/slurm/slurm.conf <<C
NodeName=mrhost1 NodeHostname=$host NodeAddr=127.0.0.1 Port=16821 CPUs=3 State=UNKNOWN
NodeName=mrhost2 NodeHostname=$host NodeAddr=127.0.0.1 Port=16822 CPUs=3 State=UNKNOWN
PartitionName=mrplace Nodes=mrhost1,mrhost2 Default=NO AllocNodes=${from:-$host} MaxTime=INFINITE State=UP
C
  file='' program=''; daemon master; stop "$file"; launch || die "slurmctld does not start"
  await 100 answers
  slurmd -N mrhost1 </dev/null && slurmd -N mrhost2 </dev/null || die "a slurmd does not start"
  scontrol reconfigure # each slurmd registers at once
  await 600 serve_more && await 600 has_node || die "the hosts do not come up: $(sinfo -h -N -o '%N %t' 2>&1 | tr '\n' ' ')" ;;
set)
  ours
  sed -i "/^$3=/d" /etc/slurm/slurm.conf
  [ "$4" = - ] || echo "$3=$4" >> /etc/slurm/slurm.conf
  scontrol reconfigure || die "slurmctld does not take $3" ;;
down)
  ! used || exit 0
  end $home/rest.pid slurmrestd
  for file in $home/slurmd.*.pid; do end "$file" slurmd; done
  end $home/ctld/slurmctld.pid slurmctld
  end $home/ctld/slurmdbd.pid slurmdbd; end $home/db/pid mariadbd
  [ ! -e $home/munged ] || end /run/munge/munged.pid munged
  [ ! -d $home/kept ] || { rm -f /etc/slurm/{slurm,slurmdbd,gres}.conf; cp -a $home/kept/. /etc/slurm/; }
  rm -rf $home ;;
*) die "up, more, set, down, kill, stop, start, serves, present or redeliver" ;;
esac
