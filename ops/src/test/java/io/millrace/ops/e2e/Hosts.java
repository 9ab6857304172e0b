package io.millrace.ops.e2e;

import io.millrace.ops.broker.PartClasses;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.keys.HostLogins;
import io.millrace.ops.keys.KeysFailed;
import io.millrace.ops.log.LogSetup;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Executors on separate hosts. With root's rights a host is a network namespace that reaches the
 * broker over a pair of virtual Ethernet devices; otherwise only its name is separate.
 */
final class Hosts implements AutoCloseable {

  /** Broker's side of the first pair; the others reach it through their own. */
  static final String BROKER = "10.213.7.1";

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /**
   * How long an executor may take to report at its end; a stopped one (SIGSTOP) reports nothing.
   */
  private static final long END_S = 20;

  /**
   * Shell script that deletes what a killed test run has left: network namespaces without
   * processes, and links with the test's addresses that lead to none.
   */
  private static final String UNUSED =
      """
      for n in $(ip netns list | awk '/^mr-/ {print $1}'); do
        ip -4 addr show dev $n 2>/dev/null | grep -q ' 10\\.213\\.7\\.' || continue
        [ -n "$(ip netns pids $n)" ] || { ip link del $n; ip netns del $n; }
      done
      for l in $(ip -o -4 addr show | awk '$4 ~ /^10\\.213\\.7\\./ {sub(/@.*/, "", $2); print $2}'); do
        [ -e /run/netns/$l ] || ip link del $l
      done
      """;

  private final Shell shell;
  private final Path folder;
  private final boolean apart;
  private final List<String> names = new ArrayList<>();
  private final Map<String, Process> executors = new TreeMap<>();

  /** Hosts with networks of their own, where the machine allows it. */
  static Hosts apart(Path folder) throws IOException, InterruptedException {
    Hosts hosts = new Hosts(folder, Account.superuser() && possible(folder));
    if (hosts.apart) {
      TestRunLock.begin();
      hosts.shell.run(folder, PATIENCE, UNUSED);
    } else {
      System.out.println(
          "e2e: SKIPPED network namespaces (they take iproute2 and a root who may make them): two"
              + " executors with different names on one network instead");
    }
    return hosts;
  }

  /**
   * @param apart whether each host has a network of its own
   */
  Hosts(Path folder, boolean apart) {
    this.folder = folder;
    this.shell = new Shell(folder);
    this.apart = apart;
  }

  /**
   * Tried out, since in a container the program may exist while the right to create a network is
   * missing.
   */
  private static boolean possible(Path folder) throws IOException, InterruptedException {
    String probe = "mr-probe-" + ProcessHandle.current().pid();
    String line = "ip netns add " + probe + " && ip netns del " + probe;
    return new Shell(folder).run(folder, PATIENCE, line).status() == 0;
  }

  /** Options of {@code up} with which the hosts reach the broker. */
  String upOptions() {
    return "--executors 0" + (apart ? " --listen " + BROKER : "");
  }

  /** Creates the hosts' networks, after which the broker can be started. */
  void connect(String... hosts) throws IOException, InterruptedException {
    for (String host : hosts) {
      if (apart) {
        connect(host, names.size());
      }
      names.add(host);
    }
  }

  private void connect(String host, int number) throws IOException, InterruptedException {
    disconnect(host);
    String here = "10.213.7." + (4 * number + 1);
    String there = "10.213.7." + (4 * number + 2);
    String lines =
        String.join(
            "\n",
            "set -e",
            "ip netns add mr-" + host,
            "ip link add mr-" + host + " type veth peer name eth0 netns mr-" + host,
            "ip addr add " + here + "/30 dev mr-" + host,
            "ip link set mr-" + host + " up",
            "ip -n mr-" + host + " addr add " + there + "/30 dev eth0",
            "ip -n mr-" + host + " link set lo up",
            "ip -n mr-" + host + " link set eth0 up",
            "ip -n mr-" + host + " route replace " + BROKER + " via " + here + " onlink dev eth0");
    if (number == 0) {
      lines = lines.substring(0, lines.lastIndexOf('\n'));
    }
    shell.run(folder, PATIENCE, lines).must();
  }

  private void disconnect(String host) throws IOException, InterruptedException {
    shell.run(folder, PATIENCE, "ip link del mr-" + host + "; ip netns del mr-" + host);
  }

  /** Cuts a host off, or lets it be heard again; one without a network of its own stands still. */
  void cut(String host, boolean off) throws IOException, InterruptedException {
    String link = "ip link set mr-" + host + (off ? " down" : " up");
    String signal = "kill -" + (off ? "STOP " : "CONT ") + process(host).pid();
    shell.run(folder, PATIENCE, apart ? link : signal).must();
  }

  /** What travels between a host and the broker from now on; null where hosts share a network. */
  Capture capture(String host) throws IOException, InterruptedException {
    return apart ? Capture.begin(folder, "mr-" + host) : null;
  }

  /** Starts the executor of a host by its own command line, with keys of its own. */
  void start(Site site, String host, String resources, Path spool)
      throws IOException, InterruptedException {
    if (!Files.exists(site.home().hostClient(host))) {
      admit(site, host);
    }
    startAdmitted(site, host, resources, spool);
  }

  /** Gives a host keys of its own, as {@code ./millrace keys host add} does. */
  private static void admit(Site site, String host) throws IOException, InterruptedException {
    HostFiles.make(site.home(), host);
    try {
      new HostLogins(site.home()).admit(host);
    } catch (KeysFailed e) {
      throw new IOException(e);
    }
  }

  private void startAdmitted(Site site, String host, String resources, Path spool)
      throws IOException, InterruptedException {
    Path settings = site.home().hostClient(host);
    String broker = ClientSettings.read(settings).get("bootstrap.servers").toString();
    Files.createDirectories(spool);
    List<String> command = on(host);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.util.logging.config.class=" + LogSetup.class.getName()));
    command.addAll(PartClasses.options("executor"));
    command.addAll(
        List.of(
            "io.millrace.connectors.local.LocalExecutorMain",
            "--bootstrap-servers",
            broker,
            "--properties",
            settings.toString(),
            "--host",
            host,
            "--spool",
            spool.toString(),
            "--supervisor",
            site.program("millrace-supervisor").toString(),
            "--resources",
            resources));
    File log = log(host).toFile();
    // An earlier executor has printed the ready line too.
    int before = log.exists() ? said(host).length() : 0;
    Process process =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .redirectErrorStream(true)
            .start();
    executors.put(host, process);
    Site.await(
        Duration.ofSeconds(90),
        "the executor of " + host + " is ready; see " + log,
        () -> ready(host, before) || !process.isAlive());
    if (!ready(host, before)) {
      throw new AssertionError("the executor of " + host + " ended: " + said(host));
    }
  }

  /** Beginning of a command line whose network is the host's. */
  private List<String> on(String host) {
    List<String> command = new ArrayList<>();
    if (apart) {
      command.addAll(List.of("ip", "netns", "exec", "mr-" + host));
    }
    return command;
  }

  /** Runs a program of the tests with the host's keys and network; what it printed. */
  String runTest(Site site, String host, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = on(host);
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            site.home().hostClient(host).toString(),
            host));
    command.addAll(List.of(arguments));
    Path printed = folder.resolve(program.getSimpleName() + "-" + host + ".out");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(printed.toFile())
            .redirectErrorStream(true)
            .start();
    boolean over = process.waitFor(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String text = Files.readString(printed);
    if (!over || process.exitValue() != 0) {
      throw new AssertionError(program.getSimpleName() + ": " + text);
    }
    return text;
  }

  private boolean ready(String host, int from) {
    return said(host).indexOf("millrace-executor: ready", from) >= 0;
  }

  Path log(String host) {
    return folder.resolve("executor-" + host + ".log");
  }

  /** Exit status of an executor that has ended. */
  int exitStatus(String host) {
    return executors.get(host).exitValue();
  }

  /** Output of a host's executor so far. */
  String said(String host) {
    try {
      return Files.readString(log(host));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  ProcessHandle process(String host) {
    return executors.get(host).toHandle();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    for (Process process : executors.values()) {
      process.destroy();
    }
    for (Process process : executors.values()) {
      if (!process.waitFor(END_S, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
    if (apart) {
      for (String host : names) {
        disconnect(host);
      }
    }
  }
}
