package io.millrace.connectors.connect;

import static org.awaitility.Awaitility.await;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.local.FakeShards;
import io.millrace.connectors.local.RealBroker;
import io.millrace.connectors.testkit.PeerScript;
import io.millrace.schemas.Topics;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A batch system of this machine and a broker, and the files of a worker of Kafka Connect that
 * serves the one for the other.
 */
final class RealCluster implements AutoCloseable {

  /** The cluster of the runs. */
  static final String RUNS = "k1";

  /** The same system, only looked at. */
  static final String SHOWN = "k2";

  /** The same system, in a queue that is not there. */
  static final String ASTRAY = "k3";

  static final String ACCOUNT = "mralice";

  /** A user here whose account there is not there. */
  static final String GHOST = "ghost";

  /** The command that asks for the queue, by the kind of system. */
  private static final Map<String, String> ASKING =
      Map.of("slurm", "squeue", "gridengine", "qstat");

  private final Path folder;
  private final PeerScript script;
  private final OutsideKind kind;
  private final String submitting;
  private final Map<String, String> keys;
  private RealBroker broker;
  private LyingCommands commands;

  /**
   * @param folder empty, which everybody may enter
   * @param submitting name of the command that submits
   * @param keys of this kind of cluster
   */
  RealCluster(
      Path folder,
      PeerScript script,
      OutsideKind kind,
      String submitting,
      Map<String, String> keys) {
    this.folder = folder;
    this.script = script;
    this.kind = kind;
    this.submitting = submitting;
    this.keys = keys;
  }

  /** Starts the broker, and makes folders and commands. */
  void make() throws Exception {
    LyingCommands.open(folder);
    LyingCommands.open(Files.createDirectory(spool()));
    commands = commands("commands", own());
    broker = new RealBroker(Files.createDirectory(folder.resolve("broker")));
    try (Admin admin = Admin.create(broker.client())) {
      List<NewTopic> topics = new ArrayList<>();
      for (String one : List.of(Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES)) {
        topics.add(new NewTopic(one, 1, (short) 1).configs(Map.of("cleanup.policy", "compact")));
      }
      topics.add(new NewTopic(Topics.HEARTBEATS, 1, (short) 1));
      admin.createTopics(topics).all().get();
    }
  }

  /**
   * The system's own commands, of which two may fail.
   *
   * @param name of the folder, which may be there
   * @param own what they are told
   */
  private LyingCommands commands(String name, Path own) throws IOException {
    LyingCommands commands = new LyingCommands(folder.resolve(name), own, ACCOUNT);
    commands.make(kind.programs(), submitting, ASKING.get(kind.name()));
    return commands;
  }

  /** Those of all connectors that have none of their own. */
  LyingCommands commands() {
    return commands;
  }

  RealBroker broker() {
    return broker;
  }

  private Path spool() {
    return folder.resolve("spool");
  }

  /** The folder of the account. */
  Path own() {
    return spool().resolve(ACCOUNT);
  }

  /** A worker that has stored nothing yet. */
  ConnectWorker worker() throws IOException {
    Path offsets = folder.resolve("offsets");
    return new ConnectWorker(
        folder.resolve("worker"),
        broker.address(),
        Map.of("offset.storage.file.filename", offsets.toString()));
  }

  /** The files of all connectors. */
  Path[] connectors() throws IOException {
    Map<String, String> runs = sink(RUNS);
    Map<String, String> astray = sink(ASTRAY);
    astray.put("cluster.queue", "nosuch");
    Map<String, String> shown = ConnectorSettingsTest.source();
    shown.put("connector.class", OutsideSourceConnector.class.getName());
    return new Path[] {file(RUNS, runs), file(ASTRAY, astray), file(SHOWN, shown)};
  }

  private Map<String, String> sink(String name) {
    Map<String, String> settings = ConnectorSettingsTest.sink();
    settings.put("connector.class", OrderSinkConnector.class.getName());
    settings.remove("cluster.user.alice");
    settings.put("cluster.as", "sudo");
    settings.put("cluster.user." + System.getProperty("user.name"), ACCOUNT);
    settings.put("cluster.user." + GHOST, "mrnosuch");
    settings.put("cluster.spool", spool().toString());
    settings.put("cluster.command_limit_s", "20");
    settings.put("millrace.spool", folder.resolve("remembered-" + name).toString());
    return settings;
  }

  private Path file(String name, Map<String, String> settings) throws IOException {
    return ConnectWorker.properties(
        folder.resolve(name + "-connector.properties"), complete(name, settings));
  }

  private Map<String, String> complete(String name, Map<String, String> settings)
      throws IOException {
    Path key = folder.resolve(name + ".properties");
    Files.writeString(
        key,
        "bootstrap.servers=%s\n%s=%s\n"
            .formatted(broker.address(), HostKey.PROPERTY, FakeShards.KEY));
    settings.remove("cluster.cluster_name");
    settings.putAll(keys);
    if (name.equals(SHOWN)) {
      kind.keysOfRuns().forEach(it -> settings.remove("cluster." + it));
    }
    settings.put("name", name);
    settings.put("cluster.name", name);
    settings.put("cluster.commands", commands.folder().toString());
    settings.put("millrace.properties", key.toString());
    return settings;
  }

  /** Commands of one more sink, which lie to that one only. */
  LyingCommands commandsOf(String name) throws IOException {
    return commands("commands-" + name, own().resolve("commands-" + name));
  }

  /**
   * Settings of one more sink.
   *
   * @param more that it has besides, or otherwise; empty for those that it has not
   */
  Map<String, String> added(String name, LyingCommands lying, Map<String, String> more)
      throws IOException {
    Map<String, String> settings = complete(name, sink(name));
    settings.put("cluster.commands", lying.folder().toString());
    settings.putAll(more);
    settings.values().removeIf(String::isEmpty);
    return settings;
  }

  /** One of its daemons is killed, and there again. */
  void kill(String daemon) throws InterruptedException {
    must(script.call("kill", daemon));
    must(script.call("start", daemon));
    must(script.call("serves"));
  }

  /** Jobs that a daemon had not got when it was killed are handed over again. */
  void redeliver() throws InterruptedException {
    must(script.call("redeliver"));
  }

  /** The system's master ends, and is away. */
  void masterDown() throws InterruptedException {
    must(script.call("stop", "master"));
  }

  /** It is back, and so is all that was killed. */
  void masterUp() throws InterruptedException {
    must(script.call("start", "master"));
    must(script.call("serves"));
  }

  private static void must(OutsideAnswer answer) {
    if (!answer.isGood()) {
      throw new AssertionError(answer.toString());
    }
  }

  /** Waits until no job of the account is there. */
  void awaitEmpty() {
    await()
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> script.call("present", ACCOUNT).out().isBlank());
  }

  @Override
  public void close() {
    if (broker != null) {
      broker.close();
    }
  }
}
