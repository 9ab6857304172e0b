package io.millrace.ops.broker;

import io.millrace.ops.broker.trial.StockBrokerMain;
import io.millrace.ops.broker.trial.TrialBrokers;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** Three brokers as Kafka brings them, with TLS, SCRAM and access rules, on loopback. */
public final class ThreeBrokers implements AutoCloseable {

  /** Of 127.0.0.0/8, so that nobody makes them; parts of homes are at others. */
  private static final Map<String, String> ADDRESSES =
      Map.of("b1", "127.28.0.1", "b2", "127.28.0.2", "b3", "127.28.0.3");

  private final Path root;
  private final TrialBrokers brokers;
  private final Map<String, Process> processes = new LinkedHashMap<>();

  /**
   * @param root a new folder
   */
  public ThreeBrokers(Path root) {
    this.root = root;
    this.brokers = new TrialBrokers(root, ADDRESSES, Map.of());
  }

  /** Starts them and waits until they serve. */
  public void start() throws IOException, InterruptedException {
    brokers.make();
    SmallFile.write(admin(), ClientSettings.text(brokers.admin()), "rw-------");
    for (String host : ADDRESSES.keySet()) {
      Home home = brokers.home(host);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
      command.addAll(PartClasses.options("broker"));
      command.add(StockBrokerMain.class.getName());
      command.addAll(List.of(brokers.settings(host).toString(), home.ready("broker").toString()));
      processes.put(
          host,
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(home.printed("broker").toFile())
              .start());
    }
    for (Map.Entry<String, Process> each : processes.entrySet()) {
      Home home = brokers.home(each.getKey());
      Awaitility.await()
          .atMost(Duration.ofSeconds(180))
          .pollInterval(Duration.ofMillis(50))
          .until(() -> Files.exists(home.ready("broker")) || !each.getValue().isAlive());
      if (!each.getValue().isAlive()) {
        throw new IOException(Files.readString(home.printed("broker")));
      }
    }
  }

  public String servers() {
    return brokers.servers();
  }

  /** File with the client settings of the administrator. */
  public Path admin() {
    return root.resolve("admin.properties");
  }

  /** File with the key and the certificate of a broker, which may read all topics. */
  public Path key() {
    return brokers.home("b1").listenerKey();
  }

  /** Where a broker is known by its certificate. */
  public String certified() {
    return ADDRESSES.get("b1") + ":9094";
  }

  @Override
  public void close() throws InterruptedException {
    for (Process each : processes.values()) {
      each.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
    }
  }
}
