#!/bin/bash
# oar.sh up OWNER [USER...] | down OWNER | run OWNER COMMAND...: an OAR of one host of eight resources on loopback, of
# Debian's packages, with its REST API on 127.0.0.1:6668, where the password of mralice, mrbob and each USER is his
# name; root only. run starts a command beside it.
# OWNER is the process that uses it: while it lives another one waits; what has no owner is taken down.
# up ends with status 77 when the packages are not there and cannot be installed.
# OAR needs PostgreSQL, Apache and an sshd that are set up for it. So it has a root of its own, laid over that of this
# machine, in which the packages are installed, and processes of its own: nothing of the machine is changed, and down
# leaves nothing. /tmp is shared, so that its jobs see the folders of runs.
set -u
export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
home=/var/cache/millrace-oar mark=/var/run/millrace-oar
owner=${2:-}
die() { echo "oar.sh: $*" >&2; exit 1; }
absent() { echo "oar.sh: $*" >&2; exit 77; }
used() { [ -s $mark/owner ] && [ "$(cat $mark/owner)" != "$owner" ] && kill -0 "$(cat $mark/owner)" 2>/dev/null; }
alive() { [ -s $mark/pid ] && kill -0 "$(cat $mark/pid)" 2>/dev/null; }
taken() { (exec 3<>/dev/tcp/127.0.0.1/"$1") 2>/dev/null; }
case ${1:-} in
up)
  [ "$(id -u)" = 0 ] || die "only root can start it"
  for _ in $(seq 400); do used || break; sleep 1; done
  ! used || die "process $(cat $mark/owner) uses it"
  [ ! -e $mark ] || bash "$0" down "$owner"
  # Of PostgreSQL, OAR's server, its sshd and Apache.
  for port in 5432 6666 6667 6668; do ! taken $port || absent "something else has port $port"; done
  for user in mralice mrbob; do id $user >/dev/null 2>&1 || useradd -m -s /bin/bash $user; done
  unshare --mount true 2>/dev/null || absent "this machine lets nobody have mounts of his own"
  # What was laid over another state of the machine is made anew.
  state=$(md5sum < /var/lib/dpkg/status)
  [ "$state" = "$(cat $home/state 2>/dev/null)" ] || rm -rf $home
  mkdir -p $home/upper $home/work $home/root $mark; printf %s "$state" > $home/state
  printf %s "$owner" > $mark/owner
  shift 2
  getent passwd mralice mrbob "$@" | cut -d: -f1,3,4,6 > $mark/users
  setsid unshare --mount --pid --fork --kill-child --propagation private \
    bash "$0" inside < /dev/null > $mark/log 2>&1 &
  echo $! > $mark/pid
  for _ in $(seq 5400); do [ -e $mark/up ] && exit 0; alive || break; sleep 0.1; done
  if [ -e $mark/absent ]; then why=$(cat $mark/absent); bash "$0" down "$owner"; absent "$why"; fi
  tail -n 3 $mark/log >&2; bash "$0" down "$owner"; die "OAR does not come up" ;;
inside) # in mounts and processes of its own
  root=$home/root
  mount -t overlay overlay -o lowerdir=/,upperdir=$home/upper,workdir=$home/work $root \
    || { echo 'nothing can be laid over the root of this machine' > $mark/absent; exit 1; }
  mount -t proc proc $root/proc; mount --rbind /sys $root/sys; mount --rbind /dev $root/dev
  mount --bind /tmp $root/tmp; mount -t tmpfs -o mode=755 tmpfs $root/run
  mkdir -p $root/run/lock $root/run/postgresql $root/run/sshd $root/run/oar $root/run/apache2
  cp "$0" $mark/users $root/run/
  chroot $root bash /run/${0##*/} inner || { [ ! -e $root/run/absent ] || cp $root/run/absent $mark/; exit 1; }
  touch $mark/up
  while :; do wait; sleep 3600 & wait; done ;;
inner) # under its own root
  if ! command -v oarsub >/dev/null || ! command -v apache2ctl >/dev/null || [ ! -x /usr/lib/oar/oarapi.pl ]; then
    printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d
    install="apt-get install -qq -y --no-install-recommends oar-server oar-server-pgsql oar-user oar-user-pgsql oar-node \
      oar-restful-api postgresql apache2 sudo openssh-server openssh-client curl openssl iproute2 procps"
    { $install || { timeout 300 apt-get update -qq && $install; }; } || { echo "OAR's packages cannot be installed" > /run/absent; exit 1; }
  fi
  echo "127.0.0.1 localhost $(hostname)" > /etc/hosts
  chown postgres:postgres /run/postgresql; chown oar:oar /run/oar; rm -f /var/lib/postgresql/15/main/postmaster.pid
  sed -i -e 's/^DB_BASE_PASSWD=.*/DB_BASE_PASSWD="oar"/' -e 's/^DB_BASE_PASSWD_RO=.*/DB_BASE_PASSWD_RO="oar_ro"/' \
    -e 's/^JOB_RESOURCE_MANAGER_PROPERTY_DB_FIELD/#&/' -e 's/^SCHEDULER_JOB_SECURITY_TIME=.*/SCHEDULER_JOB_SECURITY_TIME="1"/' \
    -e 's/^#* *API_TRUST_IDENT=.*/API_TRUST_IDENT="0"/' /etc/oar/oar.conf
  sed -i -e '/UsePrivilegeSeparation/d' -e '/^KeepAlive/d' -e '/^ListenAddress/d' -e 's/^Port 6667/&\nListenAddress 127.0.0.1/' /etc/oar/sshd_config
  [ -d /var/lib/postgresql/15/main ] || pg_createcluster 15 main >/dev/null || exit 1
  pg_ctlcluster 15 main start || exit 1
  for _ in $(seq 100); do su postgres -c 'psql -qc "select 1"' >/dev/null 2>&1 && break; sleep 0.1; done
  su postgres -c 'psql -qc "drop database if exists oar"; psql -qc "drop role if exists oar"; psql -qc "drop role if exists oar_ro"'
  oar-database --create --db-is-local >/dev/null || exit 1
  touch /var/log/oar.log; chown oar:oar /var/log/oar.log /etc/oar/oar.conf
  /usr/sbin/sshd -f /etc/oar/sshd_config -o PidFile=/run/oar_sshd.pid || exit 1
  for _ in $(seq 8); do oarnodesetting -a -h localhost >/dev/null; done
  /etc/init.d/oar-server start >/dev/null 2>&1 || exit 1
  # Basic authentication; the API takes the name that Apache has settled.
  a2enmod -q headers rewrite cgi version auth_basic authn_file authz_user env expr >/dev/null 2>&1
  a2disconf -q oar-restful-api >/dev/null 2>&1; a2dissite -q 000-default >/dev/null 2>&1
  while IFS=: read -r user uid gid folder; do
    # The same accounts as outside, whatever those of an earlier life were.
    ! id "$user" >/dev/null 2>&1 || userdel -f "$user" >/dev/null 2>&1
    groupadd -f -o -g "$gid" "$user"
    useradd -M -o -u "$uid" -g "$user" -d "$folder" -s /bin/bash "$user" || exit 1
    echo "$user:$(openssl passwd -apr1 "$user")"
  done < /run/users > /etc/oar/api-users
  sed -i -e 's/^export APACHE_RUN_USER=.*/export APACHE_RUN_USER=oar/' -e 's/^export APACHE_RUN_GROUP=.*/export APACHE_RUN_GROUP=oar/' /etc/apache2/envvars
  echo 'Listen 127.0.0.1:6668' > /etc/apache2/ports.conf
  cat > /etc/apache2/conf-enabled/oar-loopback.conf <<A
ServerName localhost
<VirtualHost 127.0.0.1:6668>
  ScriptAlias /oarapi /usr/lib/cgi-bin/oarapi/oarapi.cgi
  <Directory /usr/lib/cgi-bin/oarapi>
    Options +ExecCGI +FollowSymLinks
    SetEnv OARCONFFILE /etc/oar/oar.conf
    AuthType Basic
    AuthName oar
    AuthUserFile /etc/oar/api-users
    Require valid-user
    RewriteEngine On
    RewriteCond %{REMOTE_USER} (.+)
    RewriteRule .* - [E=AUTHENTICATE_UID:%1]
  </Directory>
</VirtualHost>
A
  apache2ctl start || exit 1
  for _ in $(seq 300); do
    curl -fsu mralice:mralice http://127.0.0.1:6668/oarapi/resources.json 2>/dev/null | grep -q Alive && exit 0
    sleep 0.1
  done
  exit 1 ;;
run) # beside it, under its root
  shift 2
  child=$(pgrep -P "$(cat $mark/pid)" | head -n 1)
  exec nsenter -t "$child" -m -p chroot $home/root "$@" ;;
down)
  ! used || exit 0
  if alive; then
    kill -KILL "$(cat $mark/pid)"
    for _ in $(seq 100); do taken 6668 || break; sleep 0.1; done
  fi
  rm -rf $mark ;;
*) die "up, down or run" ;;
esac
