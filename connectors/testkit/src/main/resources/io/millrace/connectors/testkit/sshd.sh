#!/bin/bash
# sshd.sh up|down OWNER: Debian's sshd at 127.0.0.1:16842, with a configuration, keys and an account of its own; root only.
# sshd.sh cut OWNER: breaks off all connections, as a network may; the sshd goes on.
# OWNER is the process that uses it: while it lives another one waits; what has no owner is taken down.
# The account mrconnect may start Slurm's commands in the names of others, by a line of sudo, and has one key.
# In its home are id, the private key, and known, the host's public one.
# up ends with status 77 when the packages are not there and cannot be installed.
. "$(dirname "$0")/peer.sh" || exit 1
export DEBIAN_FRONTEND=noninteractive
home=/var/spool/millrace-sshd
mark=$home/owner
port=16842 account=mrconnect
line=/etc/sudoers.d/millrace-sshd
answers() { (: < /dev/tcp/127.0.0.1/$port) 2>/dev/null; }
connections() { pgrep -f "^sshd: $account" ; }
case ${1:-} in
up)
  [ "$(id -u)" = 0 ] || die "only root can start it"
  if [ ! -x /usr/sbin/sshd ] || [ ! -x /usr/lib/openssh/sftp-server ] || ! command -v sudo >/dev/null; then
    packages openssh-server openssh-sftp-server sudo
  fi
  # Its package makes it, in an /etc that may be gone.
  id sshd >/dev/null 2>&1 || useradd --system -M -d /run/sshd -s /usr/sbin/nologin sshd
  take $home
  accounts mralice mrbob $account
  usermod -p '*' $account # without a password, and not locked: sshd takes no key of an account that is
  rm -rf $home; mkdir -p $home /run/sshd; chmod 755 $home
  own
  ssh-keygen -q -t ed25519 -N '' -C host -f $home/host && ssh-keygen -q -t ed25519 -N '' -C user -f $home/id ||
    die "no keys"
  printf '[127.0.0.1]:%s %s\n' $port "$(cut -d' ' -f1,2 $home/host.pub)" > $home/known
  printf '%s ALL=(ALL,!root) NOPASSWD: /bin/mkdir, /bin/rm, /usr/bin/sbatch, /usr/bin/scancel, /usr/bin/scontrol, /usr/bin/squeue\n' \
    $account > $line
  chmod 440 $line
  cat > $home/config <<C
Port $port
ListenAddress 127.0.0.1
HostKey $home/host
PidFile $home/sshd.pid
AuthorizedKeysFile $home/id.pub
AllowUsers $account
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
Subsystem sftp /usr/lib/openssh/sftp-server
C
  /usr/sbin/sshd -f $home/config -E $home/log || die "sshd does not start: $(tail -1 $home/log)"
  await 100 answers || die "sshd does not answer" ;;
cut)
  ours
  # shellcheck disable=SC2046 # numbers
  kill -KILL $(connections) 2>/dev/null || exit 3 ;;
down)
  ! used || exit 0
  end $home/sshd.pid sshd
  rm -f $line
  rm -rf $home ;;
*) die "up, cut or down" ;;
esac
