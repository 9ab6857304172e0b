package io.millrace.ops.broker;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** The embedded broker of a home, as a process of its own. */
public final class BrokerProcess implements AutoCloseable {

  private final Home home;
  private final ClusterSettings cluster;
  private Process process;

  /** Starts a broker in a folder; a new folder becomes a home. */
  public BrokerProcess(Path folder, int shards) throws IOException {
    home = new Home(folder);
    home.create();
    if (Files.exists(home.settings())) {
      cluster = ClusterSettings.read(home);
    } else {
      cluster = ClusterSettings.embedded(shards, "");
      cluster.write(home);
      ClientSettings.generate(home, cluster.bootstrapServers());
    }
  }

  public Home home() {
    return home;
  }

  public ClusterSettings cluster() {
    return cluster;
  }

  /** Starts it with further options and waits until it serves. */
  public void start(String... options) throws IOException {
    Files.deleteIfExists(home.ready("broker"));
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
    command.addAll(PartClasses.options("broker"));
    command.addAll(List.of(BrokerMain.class.getName(), "--home", home.root().toString()));
    command.addAll(List.of(options));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.printed("broker").toFile()))
            .start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> Files.exists(home.ready("broker")) || !process.isAlive());
    if (!process.isAlive()) {
      throw new IOException(Files.readString(home.printed("broker")));
    }
  }

  long pid() {
    return process.pid();
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
  }

  /** Client settings of a principal; answers come within a minute or not at all. */
  public Map<String, Object> client(KafkaPrincipal principal) throws IOException {
    Map<String, Object> settings = new HashMap<>(ClientSettings.read(home.client(principal)));
    settings.put("default.api.timeout.ms", "60000");
    settings.put("request.timeout.ms", "30000");
    return settings;
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      kill();
    }
  }
}
