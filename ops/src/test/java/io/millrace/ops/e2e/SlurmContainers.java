package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.opentest4j.TestAbortedException;

/** A real Slurm of Debian's packages in two containers: its master in one, its host in another. */
final class SlurmContainers {

  static final String MASTER = "mr-master";
  static final String HOST = "mr-host";

  private static final Duration BUILD = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofSeconds(60);

  private static final String PACKAGES = "slurm-wlm,munge,procps,openssh-sftp-server";

  private static final Pattern UNREACHABLE =
      Pattern.compile("Could not resolve|Temporary failure|Could not connect|Failed to fetch");

  /** The first process of both, which keeps what the master knows when it is begun anew. */
  private static final String BEGIN =
      """
      #!/bin/bash
      useradd -u "$2" -M mrcont 2>/dev/null
      useradd -r -M mrconnect 2>/dev/null
      install -d -o munge -m 755 /run/munge
      install -d -o slurm /var/spool/slurmctld
      install -o munge -m 400 /shared/munge.key /etc/munge/munge.key
      cp /shared/slurm.conf /etc/slurm/slurm.conf
      rm -f /run/slurm*.pid /run/munge/*
      runuser -u munge -- /usr/sbin/munged || exit 1
      case $1 in
      master) touch /var/spool/jobcomp; chown slurm /var/spool/jobcomp; slurmctld || exit 1 ;;
      host) slurmd -N mr-host || exit 1 ;;
      esac
      # A slurmctld that is killed has not written down its jobs of the last seconds.
      end() {
        [ "$1" = host ] || kill "$(cat /run/slurmctld.pid)"
        while pgrep -x slurmctld >/dev/null; do sleep 0.1; done
        exit 0
      }
      trap "end $1" TERM
      while :; do sleep 1; done
      """;

  private static final String CONFIGURATION =
      """
      ClusterName=hand
      SlurmctldHost=mr-master
      SlurmUser=slurm
      AuthType=auth/munge
      MpiDefault=none
      ProctrackType=proctrack/linuxproc
      TaskPlugin=task/none
      ReturnToService=2
      SlurmctldPidFile=/run/slurmctld.pid
      SlurmdPidFile=/run/slurmd.pid
      StateSaveLocation=/var/spool/slurmctld
      SlurmdSpoolDir=/var/spool/slurmd
      SlurmctldLogFile=/var/log/slurmctld
      SlurmdLogFile=/var/log/slurmd
      SchedulerParameters=defer,batch_sched_delay=1,sched_interval=2
      SelectType=select/cons_tres
      SelectTypeParameters=CR_CPU
      SlurmdParameters=config_overrides
      AccountingStorageType=accounting_storage/none
      JobCompType=jobcomp/filetxt
      JobCompLoc=/var/spool/jobcomp
      JobAcctGatherType=jobacct_gather/none
      MinJobAge=300
      KillWait=2
      NodeName=mr-host CPUs=8 State=UNKNOWN
      PartitionName=batch Nodes=mr-host Default=YES MaxTime=INFINITE State=UP
      """;

  private final Site site;
  private final Shell shell;
  private final Path folder;
  private final Path shared;

  /**
   * @param folder for the image and what both containers share
   * @param shared with this host, by the same path
   */
  SlurmContainers(Site site, ContainerEngine engine, Path folder, Path shared) {
    this.site = site;
    this.shell = engine.environment(new Shell(site.folder()));
    this.folder = folder;
    this.shared = shared;
  }

  Shell.Answer docker(String line) throws IOException, InterruptedException {
    return shell.run(site.folder(), SHORT, "/usr/bin/docker " + line);
  }

  /**
   * Makes the image and starts both.
   *
   * @param user of this host, whose account is in them too
   */
  void up(Account user) throws IOException, InterruptedException {
    Path tar = folder.resolve("slurm.tar");
    String make = "mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --include=";
    Shell.Answer made = shell.run(site.folder(), BUILD, make + PACKAGES + " bookworm " + tar);
    if (UNREACHABLE.matcher(made.err()).find()) {
      throw new TestAbortedException("SKIPPED: no packages for an image: " + made.err());
    }
    made.must();
    shell.run(site.folder(), BUILD, "/usr/bin/docker import " + tar + " mr/slurm:1").must();
    Files.writeString(folder.resolve("begin"), BEGIN);
    Files.writeString(folder.resolve("slurm.conf"), CONFIGURATION);
    shell.run(folder, SHORT, "head -c 1024 /dev/urandom > munge.key").must();
    docker("network create mr").must();
    String uid = shell.run(folder, SHORT, "id -u " + user.name()).must().strip();
    start(HOST, "host", uid, "--network mr");
    start(MASTER, "master", uid, "--network mr");
    Site.await(
        Duration.ofSeconds(120), "Slurm serves", () -> in(MASTER, "sinfo -h").contains("idle"));
  }

  /** Starts a container. */
  void start(String name, String part, String uid, String options)
      throws IOException, InterruptedException {
    List<String> words =
        List.of(
            "run --detach --name " + name + " --hostname " + name,
            options,
            "--volume " + folder + ":/shared:ro",
            "--volume " + shared + ":" + shared,
            "mr/slurm:1 /bin/bash /shared/begin " + part + " " + uid);
    docker(String.join(" ", words)).must();
  }

  /** What a command in a container prints. */
  String in(String container, String command) throws IOException, InterruptedException {
    return docker("exec " + container + " " + command).out();
  }
}
