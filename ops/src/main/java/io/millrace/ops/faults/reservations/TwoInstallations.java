package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
import io.millrace.server.web.credential.TokenFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Two installations on this host. The first one has some partitions in shards of their own, and
 * reaches the other one, which has one node, through its door.
 */
final class TwoInstallations implements AutoCloseable {
  /** Hosts of the first installation; further nodes are on these. */
  private static final int HOSTS = 3;

  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration TOKEN = Duration.ofDays(7);

  private final Installation here;
  private final Installation far;
  private final List<KillOnExit> ends;

  private TwoInstallations(Installation here, Installation far, List<KillOnExit> ends) {
    this.here = here;
    this.far = far;
    this.ends = ends;
  }

  static TwoInstallations up(Path root, Console console) throws IOException, InterruptedException {
    Home farHome = new Home(root.resolve("far"));
    Home hereHome = new Home(root.resolve("here"));
    Home door = new Home(root.resolve("door"));
    Files.createDirectories(door.tls());
    new ListenerCertificate(door, LOOPBACK).make();
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK))) {
      port = free.getLocalPort();
    }
    Installation far =
        Installation.up(
            farHome,
            List.of(
                "--resources",
                "ncpus=4",
                "--heap",
                "server=512m",
                "--http",
                LOOPBACK + ":" + port,
                "--http-certificate",
                door.listenerCertificate().toString(),
                "--http-key",
                door.listenerKey().toString()),
            console);
    KillOnExit farEnd = end(far);
    try {
      String token =
          new TokenFolder(farHome.root())
              .create(System.getProperty("user.name"), TOKEN, Instant.now())
              .text();
      Files.createDirectories(hereHome.sites().getParent());
      Path file = hereHome.sites().resolveSibling("far.token");
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, token + "\n");
      Files.writeString(
          hereHome.sites(),
          String.join(
              "\n",
              "far.url = https://" + LOOPBACK + ":" + port,
              "far.token_file = far.token",
              "far.ca = " + door.listenerCertificate(),
              ""));
      Installation here =
          Installation.up(
              hereHome,
              List.of("--executors", "" + HOSTS, "--resources", "ncpus=4", "--heap", "server=512m"),
              console);
      return new TwoInstallations(here, far, List.of(end(here), farEnd));
    } catch (IOException | InterruptedException | RuntimeException e) {
      farEnd.close();
      throw e;
    }
  }

  private static KillOnExit end(Installation of) {
    return new KillOnExit("faults", of::killAll);
  }

  /**
   * Partitions in shards of their own, each with a node; allows root's jobs and reservations.
   *
   * @param partitions of the first installation; the first one is there already
   */
  void prepare(CommandClient client, CommandClient there, int partitions)
      throws IOException, InterruptedException {
    List<String> objects = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      objects.add("set server acl_roots += root");
      there.must("qmgr", "-c", objects.get(0));
    }
    for (int i = 1; i < partitions; i++) {
      objects.add("create sched s" + i);
      objects.add("set sched s" + i + " partition = p" + i);
      objects.add("set sched s" + i + " scheduling = True");
      objects.add(
          "create queue q" + i + " queue_type=Execution,started=True,enabled=True,partition=p" + i);
      if (i < HOSTS) {
        objects.add("set node " + Installation.host(i + 1) + " partition = p" + i);
      } else {
        String host = Installation.host(i % HOSTS + 1);
        objects.add(
            "create node more"
                + i
                + " Mom="
                + host
                + ",resources_available.ncpus=4,partition=p"
                + i);
      }
    }
    for (String directive : objects) {
      client.must("qmgr", "-c", directive);
    }
  }

  Installation here() {
    return here;
  }

  Installation far() {
    return far;
  }

  /** Nothing runs afterwards. */
  @Override
  public void close() {
    ends.forEach(KillOnExit::close);
  }
}
