package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.outside.peer.LivePeer;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.outside.peer.PeerDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** A real batch system of this machine, which a test starts and stops; only root can. */
public enum OutsidePeer {
  SLURM(
      PeerCluster.SLURM,
      "$SLURM_JOB_ID $SLURM_CPUS_PER_TASK",
      new Commands(
          "squeue -h -t all -o %A -u ",
          "squeue -h -t PD,R,S -o %A -u ",
          "scontrol update PartitionName=batch State=DOWN",
          "scontrol update PartitionName=batch State=UP")),

  GRID_ENGINE(
      PeerCluster.GRID_ENGINE,
      "$JOB_ID $NSLOTS",
      new Commands(
          "grep -h :$0: /var/lib/gridengine/default/common/accounting; /usr/bin/qstat -u ",
          "/usr/bin/qstat -s prs -u ",
          "/usr/bin/qmod -d '*'",
          "/usr/bin/qmod -e '*'"));

  /** Held by those who have one of this machine. */
  public static final String ALL = "io.millrace.ops.e2e.OutsidePeer";

  /** Lines of shell; behind the first two comes an account. */
  private record Commands(String ever, String present, String close, String open) {}

  /** The cluster's name here. */
  final String cluster;

  /** Shell words that are the job's number and its processors there. */
  final String variables;

  private final PeerCluster peer;
  private final Commands commands;
  private LivePeer live;
  private String absent = "it was not started";

  OutsidePeer(PeerCluster peer, String variables, Commands commands) {
    this.cluster = peer.cluster();
    this.peer = peer;
    this.variables = variables;
    this.commands = commands;
  }

  /** Starts it; tells loudly where it cannot be installed. */
  void up() throws IOException, InterruptedException {
    live = new LivePeer(peer);
    absent = live.up().orElse("");
    if (!absent.isEmpty()) {
      System.out.println("e2e: SKIPPED with " + this + ": " + absent);
    }
  }

  /** Adds the hosts and the queue of its script's word more. */
  void more() throws IOException, InterruptedException {
    live.more();
  }

  boolean isUp() {
    return absent.isEmpty();
  }

  void assumeUp() {
    assumeTrue(isUp(), absent);
  }

  void down() throws IOException, InterruptedException {
    if (live != null) {
      live.down();
    }
  }

  /** Writes its cluster file. */
  Path file(Site site, String name, Path spool, Account user) throws IOException {
    List<String> users = List.of("user." + user.name() + " = " + user.name(), "user.root = root");
    return Files.write(site.folder().resolve(name + ".properties"), peer.file(name, spool, users));
  }

  /** The node that its host is. */
  String node() throws IOException {
    return peer.node();
  }

  /** Name of its process. */
  String part() {
    return peer.part();
  }

  /** What it knows of jobs that an account ever had there. */
  String ever(Site site, Account account) throws IOException, InterruptedException {
    return ask(site, commands.ever(), account);
  }

  /** What its queue has of an account. */
  String present(Site site, Account account) throws IOException, InterruptedException {
    return ask(site, commands.present(), account);
  }

  /** Nothing begins there any more, or again. */
  void close(Site site, boolean closed) throws IOException, InterruptedException {
    String line = closed ? commands.close() : commands.open();
    site.run("export SGE_ROOT=/var/lib/gridengine; " + line).must();
  }

  private String ask(Site site, String question, Account account)
      throws IOException, InterruptedException {
    String line = question.replace("$0", account.name()) + account.name();
    Shell.Answer answer = site.run("export SGE_ROOT=/var/lib/gridengine; " + line);
    assertEquals(0, answer.status(), answer::toString);
    return answer.out().strip();
  }

  /** What its own accounting has of the jobs of an account that are over. */
  List<OutsideAccount> accounts(Site site, Account account)
      throws IOException, InterruptedException {
    if (this == GRID_ENGINE) {
      // It says so by its exit status where it has none of the account.
      String question = "export SGE_ROOT=/var/lib/gridengine; qacct -o " + account.name() + " -j";
      return OutsideAccounts.ofQacct(site.told(question));
    }
    return Files.readAllLines(peer.accounting()).stream()
        .map(it -> OutsideAccount.slurm(it, ZoneId.systemDefault()))
        .flatMap(Optional::stream)
        .toList();
  }

  void masterDown() throws IOException, InterruptedException {
    live.stop(PeerDaemon.MASTER);
  }

  void masterUp() throws IOException, InterruptedException {
    live.start(PeerDaemon.MASTER);
  }
}
