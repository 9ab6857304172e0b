package io.millrace.connectors.connect;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.testkit.PeerAdministrator;
import io.millrace.connectors.testkit.PeerAdministrator.AdministratorOrder;
import io.millrace.connectors.testkit.PeerScript;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/**
 * A worker of Kafka Connect that serves a real system; the test starts both, and plays the shards.
 */
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConnectSite {

  static final Duration SOON = Duration.ofSeconds(180);
  static final String STANDALONE = "ConnectStandalone";
  static final Pattern WAITS = Pattern.compile("Job (\\d+)\\S* of cluster \\S+ waits there");

  private PeerScript script;
  RealCluster cluster;
  ConnectWorker worker;
  FakeShards shards;
  FakeShards astray;
  TopicsAsRead topics;
  String host;
  int jobs;

  abstract OutsideKind kind();

  /** Name of the script that starts the system. */
  abstract String script();

  abstract PeerAdministrator administrator();

  /** Name of the command that submits. */
  abstract String submitting();

  /** The settings of this kind. */
  abstract Map<String, String> keys();

  /** Variables of the system: number of the job, and its processors. */
  abstract String variables();

  /** Whether owners may suspend their jobs there, and not send them signals, or the reverse. */
  abstract boolean suspends();

  /** Whether its master, after a kill, has forgotten jobs that run, and breaks them off. */
  abstract boolean breaksOff();

  @BeforeAll
  void up() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root can start it");
    script = PeerScript.of(script(), Map.of());
    OutsideAnswer up = script.call("up");
    assumeTrue(up.status() != PeerScript.ABSENT, up::trouble);
    assertTrue(up.isGood(), up::trouble);
    Path folder = Files.createTempDirectory("millrace-connect");
    cluster = new RealCluster(folder, script, kind(), submitting(), keys());
    cluster.make();
    host = InetAddress.getLocalHost().getHostName();
    shards = new FakeShards(cluster.broker(), host + "@" + RealCluster.RUNS);
    astray = new FakeShards(cluster.broker(), host + "@" + RealCluster.ASTRAY);
    topics = new TopicsAsRead(cluster.broker().client(), cluster.broker().codec());
    worker = cluster.worker();
    worker.start(STANDALONE, cluster.connectors());
    shards.awaitReports(
        0, SOON.multipliedBy(2), all -> all.size() >= 2); // the nodes of both sinks are up
    soon(() -> topics.node(RealCluster.SHOWN, host).isPresent());
  }

  @AfterAll
  void down() throws Exception {
    if (worker != null) {
      worker.close();
    }
    if (shards != null) {
      shards.close();
      astray.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (script != null) {
      script.call("down");
    }
  }

  static void soon(Callable<Boolean> is) {
    await().atMost(SOON).pollInterval(Duration.ofMillis(500)).until(is);
  }

  String id() {
    return ++jobs + ".vm";
  }

  Path output(String id) {
    return cluster.own().resolve("out-" + id);
  }

  StartRun job(String id, String text) {
    return shards.start(id, text, output(id));
  }

  String ordered(String text) {
    String id = id();
    shards.order(job(id, text));
    return id;
  }

  ReportRunFinished end(String id) {
    return shards.awaitEnd(id);
  }

  void assertEnds(int status, String id) {
    ReportRunFinished end = end(id);
    assertEquals(status, end.getExitStatus(), end::toString);
  }

  void delete(String id) {
    KillRun order = new KillRun();
    order.setJobId(id);
    order.setRun(1);
    order.setShard(FakeShards.SHARD);
    order.setHost(host + "@" + RealCluster.RUNS);
    order.setKillDelayS(1);
    order.setExecutor("");
    shards.order(order);
  }

  void signal(String id, int number, String signal) {
    String node = host + "@" + RealCluster.RUNS;
    shards.order(new SignalRun(id, 1, FakeShards.SHARD, node, number, signal, "", 0));
  }

  /** The number that a job has there, once its script has begun. */
  long number(String id) {
    return number(shards, id);
  }

  static long number(FakeShards of, String id) {
    List<SpecificRecord> all =
        of.awaitReports(FakeShards.SHARD, SOON, it -> started(it, id).isPresent());
    return started(all, id).orElseThrow().getSessionId();
  }

  /** The number of a job that waits there. */
  long waits(String id) {
    Matcher said = WAITS.matcher(said(id, WAITS));
    assertTrue(said.lookingAt());
    return Long.parseLong(said.group(1));
  }

  private static Optional<ReportRunStarted> started(List<SpecificRecord> all, String id) {
    return all.stream()
        .filter(it -> it instanceof ReportRunStarted said && said.getJobId().equals(id))
        .map(ReportRunStarted.class::cast)
        .findAny();
  }

  /** Waits until that is the last thing that is said of a job. */
  String said(String id, Pattern wanted) {
    return said(shards, id, wanted);
  }

  static String said(FakeShards of, String id, Pattern wanted) {
    List<SpecificRecord> all =
        of.awaitReports(FakeShards.SHARD, SOON, it -> wanted.matcher(saidLast(it, id)).lookingAt());
    return saidLast(all, id);
  }

  private static String saidLast(List<SpecificRecord> all, String id) {
    return all.stream()
        .filter(it -> it instanceof ReportRunOutside said && said.getJobId().equals(id))
        .map(it -> ((ReportRunOutside) it).getText())
        .reduce("", (before, after) -> after);
  }

  /** Has the script of the system do something. */
  void system(String verb, String... more) throws InterruptedException {
    OutsideAnswer answer = script.call(verb, more);
    assertTrue(answer.isGood(), answer::toString);
  }

  /** What the administrator is told by a command. */
  OutsideAnswer told(List<String> words) throws InterruptedException {
    Duration patience = Duration.ofSeconds(60);
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                words, new byte[0], administrator().environment(), patience, 100_000));
  }

  void must(AdministratorOrder order, long number) throws InterruptedException {
    OutsideAnswer answer = administrator().give(order, number);
    assertTrue(answer.isGood(), answer::toString);
  }
}
