#!/bin/bash
# gridengine.sh up|more|down OWNER: a Grid Engine of one host on loopback, of Debian's packages; root only.
# The host has two of the consumable mrgpu, which is counted by slot.
# more adds the hosts mrhost1 and mrhost2, each in a network of its own, and a queue mr.place on them that takes only
# jobs with -l millrace=TRUE, on mrhost1 first.
# gridengine.sh kill|stop|start OWNER master|host: its qmaster or execd, by SIGKILL, or in an orderly way.
# gridengine.sh serves OWNER: waits until both answer. gridengine.sh present OWNER ACCOUNT: numbers of jobs in its queue.
# gridengine.sh redeliver OWNER: has jobs begun again that qmaster takes for handed over to an execd which was killed
# before it had them; by itself it does so after five minutes.
# OWNER is the process that uses it: while it lives another one waits; what has no owner is taken down.
# up ends with status 77 when the packages are not there and cannot be installed.
. "$(dirname "$0")/peer.sh" || exit 1
export SGE_ROOT=/var/lib/gridengine SGE_CELL=default DEBIAN_FRONTEND=noninteractive
host=$(hostname) common=$SGE_ROOT/$SGE_CELL/common spool=/var/spool/gridengine mark=/var/run/millrace-gridengine
unhost() { # takes the networks and names of more away
  for n in 1 2; do
    [ ! -e /etc/netns/mrge$n ] || { ip netns del mrge$n; rm -rf /etc/netns/mrge$n; }
  done
  grep -q ' mrhost[12]$' /etc/hosts && { sed '/ mrhost[12]$/d' /etc/hosts > "$mark.hosts"; cat "$mark.hosts" > /etc/hosts; rm -f "$mark.hosts"; }
}
put() { # qconf's file: VERB FILE
  qconf "$1" "$2" >/dev/null 2>&1
}
daemon() { # sets file and program of one
  case $1 in
  master) file=$spool/qmaster/qmaster.pid program=sge_qmaster ;;
  host) # its folder has the name by which the cell knows this host
    program=sge_execd
    for each in $spool/execd/*/execd.pid; do case $each in */mrhost[12]/*) ;; *) file=$each ;; esac; done ;;
  *) die "master or host" ;;
  esac
}
launch() {
  [ "$program" != sge_qmaster ] || rm -f $spool/qmaster/lock
  "/usr/lib/gridengine/$program" </dev/null >/dev/null 2>&1
}
answers() { qconf -sh >/dev/null 2>&1; }
serves() { qstat -f -q 'mr.q' 2>/dev/null | awk '$1 ~ /^mr.q@/ && NF == 5 {up = 1} END {exit !up}'; }
serve_more() { [ "$(qstat -f -q 'mr.place' 2>/dev/null | awk '$1 ~ /^mr.place@/ && NF == 5' | wc -l)" = 2 ]; }
case ${1:-} in
kill | stop | start) manage "$1" "${3:-}" ;;
serves)
  ours
  await 600 serves || die "it does not serve" ;;
present)
  ours; said=$(/usr/bin/qstat -s prs -u "${3:-}") || exit 1
  echo "$said" | awk 'NR > 2 {print $1}' ;;
redeliver)
  ours; now=$(date +%s)
  qstat -s r -u '*' 2>/dev/null | awk 'NR > 2 && $5 ~ /t/ {print $1, $5, $6, $7}' | while read -r id state day time; do
    [ $((now - $(date -d "$day $time" +%s))) -ge 15 ] || continue
    case $state in d*) qdel -f "$id" ;; *) qmod -f -rj "$id" ;; esac
  done >/dev/null 2>&1
  : ;;
up)
  [ "$(id -u)" = 0 ] || die "only root can start it"
  if ! command -v qping >/dev/null || [ ! -x /usr/lib/gridengine/sge_qmaster ] || ! command -v sudo >/dev/null; then
    printf '%s\n' "gridengine-common shared/gridengineconfig boolean true" \
      "gridengine-common shared/gridenginecell string default" \
      "gridengine-common shared/gridenginemaster string $host" | debconf-set-selections
    packages gridengine-master gridengine-exec gridengine-client sudo
  fi
  take $mark
  await 100 none sge_qmaster || die "a qmaster runs here already"
  accounts mralice mrbob
  echo 'Defaults env_keep += "SGE_ROOT SGE_CELL SGE_QMASTER_PORT"' > /etc/sudoers.d/millrace-test
  getent hosts "$host" >/dev/null || echo "127.0.0.1 $host" >> /etc/hosts
  mkdir -p $common $spool/qmaster/job_scripts $spool/spooldb $spool/execd
  printf '%s localhost localhost.localdomain\n' "$host" > $common/host_aliases
  echo "$host" > $common/act_qmaster
  [ -s $common/bootstrap ] || install -m 644 /usr/share/gridengine/default-bootstrap $common/bootstrap
  chown -R sgeadmin:sgeadmin $SGE_ROOT/$SGE_CELL $spool/qmaster $spool/spooldb $spool/execd
  [ -e $spool/spooldb/sge ] || runuser -u sgeadmin -- /usr/share/gridengine/scripts/init_cluster \
    $SGE_ROOT $SGE_CELL $spool/spooldb sgeadmin >/dev/null || die "no spool database"
  rm -f $spool/qmaster/lock; own
  /usr/lib/gridengine/sge_qmaster </dev/null >/dev/null 2>&1
  await 300 answers || die "qmaster does not answer"
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  for verb in -am -ao; do qconf $verb root >/dev/null 2>&1; done
  qconf -ah "$host" >/dev/null 2>&1; qconf -as "$host" >/dev/null 2>&1
  printf '%s\n' "hostname $host" "load_scaling NONE" "complex_values NONE" "user_lists NONE" "xuser_lists NONE" \
    "projects NONE" "xprojects NONE" "usage_scaling NONE" "report_variables NONE" > "$work/host"
  put -Ae "$work/host"
  qconf -sc > "$work/sc"; grep -q '^mrgpu ' "$work/sc" || echo 'mrgpu mrgpu INT <= YES YES 0 0' >> "$work/sc"; put -Mc "$work/sc"
  qconf -mattr exechost complex_values mrgpu=2 "$host" >/dev/null 2>&1
  qconf -sconf global | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' | grep -v '^#' \
    | sed -e 's/^min_uid .*/min_uid 0/' -e 's/^min_gid .*/min_gid 0/' -e 's#^mailer .*#mailer /bin/true#' \
      -e 's/^load_report_time .*/load_report_time 00:00:05/' \
      -e 's/^reporting_params .*/reporting_params accounting=true reporting=true flush_time=00:00:01 joblog=true sharelog=00:00:00/' \
      -e 's/^gid_range .*/gid_range 65400-65599/' > "$work/global"
  put -Mconf "$work/global"
  printf '%s\n' "group_name @allhosts" "hostlist $host" > "$work/hosts"
  put -Ahgrp "$work/hosts"; put -Mhgrp "$work/hosts"
  printf '%s\n' "pe_name mrsmp" "slots 64" "user_lists NONE" "xuser_lists NONE" "start_proc_args NONE" \
    "stop_proc_args NONE" 'allocation_rule $pe_slots' "control_slaves TRUE" "job_is_first_task TRUE" \
    "urgency_slots min" "accounting_summary TRUE" "qsort_args NONE" > "$work/pe"
  put -Ap "$work/pe"
  for n in 1 2; do # so many slots on each host
    sed -e "s/^pe_name .*/pe_name mrpe.$n/" -e "s/^allocation_rule .*/allocation_rule $n/" "$work/pe" > "$work/pe.$n"
    put -Ap "$work/pe.$n"
  done
  # A queue with the settings of the template that qconf shows.
  qconf -sq 2>/dev/null | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' \
    | sed -e 's/^qname .*/qname mr.q/' -e 's/^hostlist .*/hostlist @allhosts/' -e 's/^slots .*/slots 32/' \
      -e 's/^load_thresholds .*/load_thresholds NONE/' -e 's/^pe_list .*/pe_list mrsmp mrpe.1 mrpe.2/' -e 's#^shell .*#shell /bin/bash#' > "$work/queue"
  put -Aq "$work/queue"; put -Mq "$work/queue"
  qconf -ssconf | sed -e 's/^schedule_interval .*/schedule_interval 0:0:1/' \
    -e 's/^flush_submit_sec .*/flush_submit_sec 1/' -e 's/^flush_finish_sec .*/flush_finish_sec 1/' \
    -e 's/^job_load_adjustments .*/job_load_adjustments NONE/' > "$work/scheduler"
  put -Msconf "$work/scheduler"
  /usr/lib/gridengine/sge_execd </dev/null >/dev/null 2>&1
  await 600 serves || die "the host reports no load" ;;
more)
  ours
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  qconf -sc > "$work/sc"; echo 'millrace millrace BOOL == FORCED NO 0 0' >> "$work/sc"; put -Mc "$work/sc"
  qconf -ssconf | sed -e 's/^queue_sort_method .*/queue_sort_method seqno/' > "$work/scheduler"; put -Msconf "$work/scheduler"
  for n in 1 2; do
    two=mrhost$n ns=mrge$n
    mkdir -p /etc/netns/$ns
    ip netns add $ns && ip link add mrge${n}a type veth peer name mrge${n}b netns $ns || die "no network for $two"
    ip addr add 10.97.3$n.1/30 dev mrge${n}a; ip link set mrge${n}a up
    ip -n $ns addr add 10.97.3$n.2/30 dev mrge${n}b; ip -n $ns link set mrge${n}b up; ip -n $ns link set lo up
    echo "10.97.3$n.2 $two" >> /etc/hosts
    printf '127.0.0.1 localhost\n10.97.3%s.1 %s\n10.97.3%s.2 %s\n' $n "$host" $n $two > /etc/netns/$ns/hosts
    qconf -ah $two >/dev/null 2>&1
    printf '%s\n' "hostname $two" "load_scaling NONE" "complex_values NONE" "user_lists NONE" "xuser_lists NONE" \
      "projects NONE" "xprojects NONE" "usage_scaling NONE" "report_variables NONE" > "$work/host"
    put -Ae "$work/host"
    low=$((65400 + n * 200))
    printf '%s\n' "gid_range $low-$((low + 199))" "mailer /bin/true" "xterm /bin/true" > "$work/$two"; put -Aconf "$work/$two"
  done
  qconf -sq mr.q | sed -e ':a' -e '/\\$/N; s/\\\n *//; ta' \
    | sed -e 's/^qname .*/qname mr.place/' -e 's/^hostlist .*/hostlist mrhost1 mrhost2/' -e 's/^slots .*/slots 2/' \
      -e 's/^seq_no .*/seq_no 0,[mrhost2=1]/' -e 's/^complex_values .*/complex_values millrace=TRUE/' > "$work/queue"
  put -Aq "$work/queue"
  for n in 1 2; do
    ip netns exec mrge$n unshare -u sh -c "hostname mrhost$n; exec /usr/lib/gridengine/sge_execd" </dev/null >/dev/null 2>&1
  done
  await 600 serve_more || die "the hosts report no load" ;;
down)
  ! used || exit 0
  [ -e $mark ] || exit 0
  timeout 10 qdel -f -u '*' >/dev/null 2>&1
  for file in $spool/execd/*/execd.pid; do [ ! -e "$file" ] || end "$file" sge_execd; done
  end $spool/qmaster/qmaster.pid sge_qmaster
  unhost
  rm -f $mark /etc/sudoers.d/millrace-test
  rm -rf $spool/execd/* $spool/qmaster/* $spool/spooldb/*
  rm -f $common/act_qmaster $common/accounting $common/reporting ;;
*) die "up, more, down, kill, stop, start, serves, present or redeliver" ;;
esac
