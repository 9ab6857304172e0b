package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real batch system of this machine, which a test starts and stops; only root can. */
enum OutsidePeer {
  SLURM(
      "c1",
      "slurm.sh",
      List.of(
          "system = slurm",
          "cluster_name = hand",
          "accounting = /var/spool/millrace-slurm/jobcomp"),
      "$SLURM_JOB_ID $SLURM_CPUS_PER_TASK",
      new Commands(
          "squeue -h -t all -o %A -u ",
          "squeue -h -t PD,R,S -o %A -u ",
          "kill $(cat /var/spool/millrace-slurm/ctld/slurmctld.pid)",
          "slurmctld < /dev/null")),

  GRID_ENGINE(
      "c2",
      "gridengine.sh",
      List.of(
          "system = gridengine",
          "sge_root = /var/lib/gridengine",
          "parallel_environment = mrsmp",
          "reporting = /var/lib/gridengine/default/common/reporting"),
      "$JOB_ID $NSLOTS",
      new Commands(
          "grep -h :$0: /var/lib/gridengine/default/common/accounting; /usr/bin/qstat -u ",
          "/usr/bin/qstat -s prs -u ",
          "kill $(cat /var/spool/gridengine/qmaster/qmaster.pid)",
          "/usr/lib/gridengine/sge_qmaster < /dev/null"));

  /** Held by those who have one of this machine. */
  static final String ALL = "io.millrace.ops.e2e.OutsidePeer";

  /** Lines of shell; behind the first two comes an account. */
  private record Commands(String ever, String present, String masterDown, String masterUp) {}

  private static final Duration INSTALLING = Duration.ofMinutes(9);

  /** Exit status of a script whose system is not there and cannot be installed. */
  private static final int ABSENT = 77;

  /** The cluster's name here. */
  final String cluster;

  /** Shell words that are the job's number and its processors there. */
  final String variables;

  private final String script;
  private final List<String> keys;
  private final Commands commands;
  private String absent = "it was not started";

  OutsidePeer(
      String cluster, String script, List<String> keys, String variables, Commands commands) {
    this.cluster = cluster;
    this.script = script;
    this.keys = keys;
    this.variables = variables;
    this.commands = commands;
  }

  /** Starts it; tells loudly where it cannot be installed. */
  void up(Site site) throws IOException, InterruptedException {
    Shell.Answer answer = script(site, "up");
    if (answer.status() == ABSENT) {
      absent = answer.err().strip();
      System.out.println("e2e: SKIPPED with " + this + ": " + absent);
    } else {
      answer.must();
      absent = "";
    }
  }

  /** Adds the hosts and the queue of its script's word more. */
  void more(Site site) throws IOException, InterruptedException {
    script(site, "more").must();
  }

  boolean isUp() {
    return absent.isEmpty();
  }

  void assumeUp() {
    assumeTrue(isUp(), absent);
  }

  void down(Site site) throws IOException, InterruptedException {
    script(site, "down");
  }

  private Shell.Answer script(Site site, String verb) throws IOException, InterruptedException {
    String path = site.checkout() + "/connectors/testkit/src/test/sh/" + script;
    String line = "bash " + path + " " + verb + " " + ProcessHandle.current().pid();
    return new Shell(site.folder()).run(site.folder(), INSTALLING, line);
  }

  /** Writes its cluster file. */
  Path file(Site site, String name, Path spool, Account user) throws IOException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = " + name,
                "spool = " + spool,
                "as = sudo",
                "user." + user.name() + " = " + user.name(),
                "user.root = root"));
    lines.addAll(keys);
    return Files.write(site.folder().resolve(name + ".properties"), lines);
  }

  /** The node that its host is. */
  String node() throws IOException {
    return Installation.host(1) + "@" + cluster;
  }

  /** Name of its process. */
  String part() {
    return "forward-" + cluster;
  }

  /** What it knows of jobs that an account ever had there. */
  String ever(Site site, Account account) throws IOException, InterruptedException {
    return ask(site, commands.ever(), account);
  }

  /** What its queue has of an account. */
  String present(Site site, Account account) throws IOException, InterruptedException {
    return ask(site, commands.present(), account);
  }

  private String ask(Site site, String question, Account account)
      throws IOException, InterruptedException {
    String line = question.replace("$0", account.name()) + account.name();
    return order(site, line).strip();
  }

  void masterDown(Site site) throws IOException, InterruptedException {
    order(site, commands.masterDown());
  }

  void masterUp(Site site) throws IOException, InterruptedException {
    order(site, commands.masterUp());
  }

  private String order(Site site, String line) throws IOException, InterruptedException {
    Shell.Answer answer = site.run("export SGE_ROOT=/var/lib/gridengine; " + line);
    assertEquals(0, answer.status(), answer::toString);
    return answer.out();
  }
}
