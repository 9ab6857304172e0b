package io.millrace.ops.bench.site;

import io.millrace.ops.broker.trial.StockBrokerMain;
import io.millrace.ops.broker.trial.TrialBrokers;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.installation.Distribution;
import io.millrace.ops.process.HomeParts;
import io.millrace.ops.process.Part;
import io.millrace.ops.word.KillOnExit;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Brokers of a site that an installation uses in place of one of its own. Those that are started
 * here are three that keep three copies and acknowledge what two of them have, on loopback
 * addresses of their own, with TLS, SCRAM and access rules.
 */
public final class ReplicatedBrokers implements AutoCloseable {

  /** Of 127.0.0.0/8, so that nobody makes them; parts of homes are at others. */
  private static final Map<String, String> ADDRESSES =
      Map.of("b1", "127.29.0.1", "b2", "127.29.0.2", "b3", "127.29.0.3");

  private static final String BROKER = "broker";

  private final String servers;
  private final Path admin;
  private final List<HomeParts> processes = new CopyOnWriteArrayList<>();
  private final KillOnExit end = new KillOnExit("bench", this::killAll);

  private ReplicatedBrokers(String servers, Path admin) {
    this.servers = servers;
    this.admin = admin;
  }

  /**
   * Brokers that are there.
   *
   * @param servers addresses, as {@code up --bootstrap-servers} takes them
   * @param admin file with an administrator's client settings
   */
  public static ReplicatedBrokers given(String servers, Path admin) {
    return new ReplicatedBrokers(servers, admin);
  }

  /**
   * Starts three in an empty folder.
   *
   * @throws IOException when one does not serve; none runs then
   */
  public static ReplicatedBrokers up(Path root) throws IOException, InterruptedException {
    TrialBrokers brokers = new TrialBrokers(root, new LinkedHashMap<>(ADDRESSES), Map.of());
    ReplicatedBrokers started =
        new ReplicatedBrokers(brokers.servers(), root.resolve("admin.properties"));
    boolean serve = false;
    try {
      started.start(brokers);
      serve = true;
      return started;
    } finally {
      if (!serve) {
        started.close();
      }
    }
  }

  private void start(TrialBrokers brokers) throws IOException, InterruptedException {
    brokers.make();
    SmallFile.write(admin, ClientSettings.text(brokers.admin()), "rw-------");
    for (String host : ADDRESSES.keySet()) {
      HomeParts parts = new HomeParts(brokers.home(host), List.of(broker(brokers, host)));
      processes.add(parts);
      parts.start(BROKER);
    }
    for (HomeParts parts : processes) {
      parts.startAll(); // waits until it serves
    }
  }

  private static Part broker(TrialBrokers brokers, String host) throws IOException {
    Home home = brokers.home(host);
    List<String> command = new ArrayList<>();
    // As an installation starts its own broker, so that only the copies differ.
    command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.add(Part.TEMPORARY + home.temporary(BROKER));
    command.addAll(List.of("-cp", classPath()));
    command.add(StockBrokerMain.class.getName());
    command.addAll(List.of(brokers.settings(host).toString(), home.ready(BROKER).toString()));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return Part.withFile(BROKER, java, command);
  }

  private static String classPath() throws IOException {
    try {
      return Distribution.current().classPath();
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Options with which {@code up} uses them. */
  public List<String> upOptions() {
    return List.of("--bootstrap-servers", servers, "--properties", admin.toString());
  }

  /** Processes of those that were started here and are alive. */
  public List<Long> pids() throws IOException {
    List<Long> pids = new ArrayList<>();
    for (HomeParts parts : processes) {
      Optional<Long> pid = parts.pid(BROKER);
      pid.ifPresent(pids::add);
    }
    return pids;
  }

  private void killAll() throws IOException {
    for (HomeParts parts : processes) {
      parts.killAll();
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    end.close();
    for (HomeParts parts : processes) {
      parts.awaitEnd(BROKER);
    }
  }
}
