package io.millrace.ops.faults.cluster;

import java.io.File;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Networks of hosts. Where root may make them each host is a network namespace with an address of
 * its own, and its link can be cut; otherwise it is an address of loopback.
 */
final class HostNetwork implements AutoCloseable {

  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final Pattern OURS = Pattern.compile("mf([0-9]+)-[a-z0-9]+");
  private static final String PREFIX = "mf" + ProcessHandle.current().pid();

  /** Of the addresses that are set aside for trials of networks (RFC 2544). */
  private static final String APART = "198.18.";

  private static final String LOOPBACK = "127.18.";
  private static final int NETS = 250;
  private static final int FIRST = 11;

  private final List<String> hosts;
  private final String net;
  private final boolean apart;

  private HostNetwork(List<String> hosts, String net, boolean apart) {
    this.hosts = List.copyOf(hosts);
    this.net = net;
    this.apart = apart;
  }

  /**
   * Makes them.
   *
   * @param hosts their names, of some letters and digits
   */
  static HostNetwork of(List<String> hosts) throws IOException, InterruptedException {
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root || !possible()) {
      return new HostNetwork(hosts, LOOPBACK + freeNet(LOOPBACK), false);
    }
    forgetOld();
    HostNetwork network = new HostNetwork(hosts, APART + freeNet(APART), true);
    try {
      network.make();
      return network;
    } catch (IOException | InterruptedException e) {
      network.close();
      throw e;
    }
  }

  /** Tried out: the program may be missing, or in a container the right. */
  private static boolean possible() throws InterruptedException {
    String probe = PREFIX + "-probe";
    try {
      boolean made = status("netns", "add", probe) == 0;
      return made && status("netns", "del", probe) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static int freeNet(String prefix) throws IOException {
    int begin = (int) (ProcessHandle.current().pid() % NETS);
    for (int i = 0; i < NETS; i++) {
      int net = (begin + i) % NETS;
      String start = prefix + net + ".";
      boolean taken =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .anyMatch(it -> it.getHostAddress().startsWith(start));
      if (!taken) {
        return net;
      }
    }
    throw new IOException("all networks " + prefix + "0.0 are taken");
  }

  /** What runs have left that were killed themselves. */
  private static void forgetOld() throws IOException, InterruptedException {
    if (!Files.isDirectory(NAMESPACES)) {
      return;
    }
    List<String> names;
    try (Stream<Path> all = Files.list(NAMESPACES)) {
      names = all.map(path -> path.getFileName().toString()).toList();
    }
    for (String name : names) {
      Matcher ours = OURS.matcher(name);
      if (ours.matches() && ProcessHandle.of(Long.parseLong(ours.group(1))).isEmpty()) {
        status("netns", "del", name);
        status("link", "del", "mf" + ours.group(1));
      }
    }
  }

  private void make() throws IOException, InterruptedException {
    ip("link", "add", PREFIX, "type", "bridge");
    ip("addr", "add", net + ".1/24", "dev", PREFIX);
    ip("link", "set", PREFIX, "up");
    for (String host : hosts) {
      String name = name(host);
      ip("netns", "add", name);
      ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("link", "set", name, "master", PREFIX);
      ip("link", "set", name, "up");
      ip("-n", name, "addr", "add", address(host) + "/24", "dev", "eth0");
      ip("-n", name, "link", "set", "lo", "up");
      ip("-n", name, "link", "set", "eth0", "up");
    }
  }

  private static String name(String host) {
    return PREFIX + "-" + host;
  }

  /** Whether hosts have networks of their own, so that links can be cut. */
  boolean apart() {
    return apart;
  }

  String address(String host) {
    return net + "." + (FIRST + hosts.indexOf(host));
  }

  /** What begins a program on a host. */
  List<String> within(String host) {
    return apart ? List.of("ip", "netns", "exec", name(host)) : List.of();
  }

  /** Nothing gets to the host or from it any more. */
  void cut(String host) throws IOException, InterruptedException {
    ip("link", "set", name(host), "down");
  }

  void mend(String host) throws IOException, InterruptedException {
    ip("link", "set", name(host), "up");
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    int status = status(arguments);
    if (status != 0) {
      throw new IOException("ip " + String.join(" ", arguments) + " failed: " + status);
    }
  }

  private static int status(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    return process.waitFor();
  }

  /** Takes the networks back; whatever still runs there is cut off. */
  @Override
  public void close() {
    if (!apart) {
      return;
    }
    try {
      for (String host : hosts) {
        status("link", "del", name(host));
        status("netns", "del", name(host));
      }
      status("link", "del", PREFIX);
    } catch (IOException e) {
      System.err.println("faults: networks stay: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
