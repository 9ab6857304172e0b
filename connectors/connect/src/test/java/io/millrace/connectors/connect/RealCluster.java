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
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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

  /** Answers are lost, cut in their number, or come too late, in turn. */
  private static final String SUBMITTING =
      """
      #!/bin/bash
      own='%1$s' real='%2$s'
      if rmdir "$own/lose" 2>/dev/null; then "$real" "$@" >/dev/null; kill -KILL $$; fi
      if rmdir "$own/twice" 2>/dev/null; then
        text=$(sed 's#/bin/mkdir "$folder"#/bin/mkdir -p "$folder"#'; echo x)
        printf %%s "${text%%x}" | "$real" "$@" >/dev/null
        printf %%s "${text%%x}" | exec "$real" "$@"
        exit
      fi
      if [ -d "$own/failing" ]; then
        echo >> "$own/submitted"
        case $(($(wc -l < "$own/submitted") %% 6)) in
        1) echo lost >> "$own/failed"; "$real" "$@" >/dev/null; kill -KILL $$ ;;
        3) echo cut >> "$own/failed"; said=$("$real" "$@"); printf %%s "${said:0:1}"; exit ;;
        5) echo late >> "$own/failed"; "$real" "$@"; exec sleep 30 ;;
        esac
      fi
      exec "$real" "$@"
      """;

  /** Half an answer, as of a command that was killed, ends well all the same. */
  private static final String CUTTING =
      """
      #!/bin/bash
      own='%1$s' real='%2$s'
      if [ -d "$own/failing" ]; then
        echo >> "$own/asked"
        if [ $(($(wc -l < "$own/asked") %% 3)) = 0 ]; then
          said=$("$real" "$@"); echo asked >> "$own/failed"
          printf %%s "${said:0:$((${#said} / 2))}"; exit
        fi
      fi
      exec "$real" "$@"
      """;

  private final Path folder;
  private final PeerScript script;
  private final OutsideKind kind;
  private final String submitting;
  private final Map<String, String> keys;
  private RealBroker broker;

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
    open(folder);
    open(Files.createDirectory(spool()));
    Files.createDirectory(own());
    Files.setOwner(
        own(),
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
    commands();
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

  private static Path open(Path folder) throws IOException {
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The system's own commands; the one that submits and the one that asks may fail. */
  private void commands() throws IOException {
    Path commands = open(Files.createDirectory(folder.resolve("commands")));
    for (String name : kind.programs()) {
      Path real = Path.of("/usr/bin", name);
      if (name.equals(submitting)) {
        open(Files.writeString(commands.resolve(name), SUBMITTING.formatted(own(), real)));
      } else if (name.equals(ASKING.get(kind.name()))) {
        open(Files.writeString(commands.resolve(name), CUTTING.formatted(own(), real)));
      } else {
        Files.createSymbolicLink(commands.resolve(name), real);
      }
    }
  }

  /**
   * From here on each second submission fails in one of three ways, and each third answer about the
   * queue breaks off.
   */
  void failing() throws IOException {
    shared("submitted");
    shared("asked");
    shared("failed");
    Files.createDirectory(own().resolve("failing"));
  }

  /** Kinds of failures since then, each as often as there were of it; from here on none fails. */
  List<String> failed() throws IOException {
    Files.deleteIfExists(own().resolve("failing"));
    return Files.readAllLines(own().resolve("failed"));
  }

  private void shared(String name) throws IOException {
    Files.setPosixFilePermissions(
        Files.writeString(own().resolve(name), ""), PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  /** The next submission is carried out twice, each without a claim: a planted mistake. */
  void begunTwice() throws IOException {
    Files.createDirectory(own().resolve("twice"));
  }

  /** The next submission is carried out, and its answer lost. */
  void loseOne() throws IOException {
    Files.createDirectory(own().resolve("lose"));
  }

  boolean isLost() {
    return !Files.exists(own().resolve("lose"));
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
    Path key = folder.resolve(name + ".properties");
    Files.writeString(
        key,
        "bootstrap.servers=%s\n%s=%s\n"
            .formatted(broker.address(), HostKey.PROPERTY, FakeShards.KEY));
    settings.remove("cluster.cluster_name");
    settings.putAll(keys);
    if (name.equals(SHOWN)) {
      settings.remove("cluster.parallel_environment"); // is about runs
    }
    settings.put("name", name);
    settings.put("cluster.name", name);
    settings.put("cluster.commands", folder.resolve("commands").toString());
    settings.put("millrace.properties", key.toString());
    return ConnectWorker.properties(folder.resolve(name + "-connector.properties"), settings);
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
