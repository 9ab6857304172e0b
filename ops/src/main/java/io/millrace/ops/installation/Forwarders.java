package io.millrace.ops.installation;

import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.keys.HostLogins;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.hostkey.HostKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** What a home has for outside clusters besides the processes: keys, queues and nodes. */
final class Forwarders {

  /** Begins the name of the process of a cluster. */
  static final String PART = "forward-";

  private final Home home;
  private final Distribution dist;
  private final Console console;

  Forwarders(Home home, Distribution dist, Console console) {
    this.home = home;
    this.dist = dist;
    this.console = console;
  }

  /** Reads a cluster file. */
  static ClusterFile read(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + ": there is no such file");
    }
    List<OutsideKind> kinds =
        ServiceLoader.load(OutsideKind.class).stream().map(ServiceLoader.Provider::get).toList();
    try {
      return ClusterFile.read(path, kinds);
    } catch (ClusterFault e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The name under which the key of a cluster is kept; its principal is made of it. */
  static String host(ClusterFile file) {
    return "@" + file.name();
  }

  /**
   * Makes the key of a cluster once, and a principal of its own at the home's own broker. On
   * another Kafka cluster it logs in as the executors of this home do.
   */
  void admit(ClusterFile file) throws IOException, InterruptedException, WordFailed {
    String host = host(file);
    if (HostFiles.isRevoked(home, host)) {
      console.say(
          "nothing is heard of cluster "
              + file.name()
              + ", which was revoked: ./millrace keys host add "
              + host);
      return;
    }
    if (!ClusterSettings.read(home).isEmbedded()) {
      HostFiles.ensureOwn(home, host);
    } else if (!HostFiles.admitted(home).contains(host)) {
      HostFiles.make(home, host);
      new HostLogins(home).admit(host);
      console.say("made the key of cluster " + file.name());
    }
  }

  void admit(List<Path> files) throws IOException, InterruptedException, WordFailed {
    for (Path file : files) {
      admit(read(file));
    }
  }

  void makeNodes(List<Path> files) throws IOException, InterruptedException, PartFailed {
    for (Path file : files) {
      makeNodes(read(file));
    }
  }

  private static Told<OutsideInventory> inventory(ClusterFile file) throws InterruptedException {
    CommandRunner runner = CommandHosts.of(file);
    try {
      return file.kind().open(file, runner).inventory();
    } finally {
      runner.close();
    }
  }

  /**
   * Makes the cluster's queue and nodes once, unless it is only observed; one that an administrator
   * deleted stays deleted.
   */
  void makeNodes(ClusterFile file) throws IOException, InterruptedException, PartFailed {
    if (file.observes()) {
      return;
    }
    Told<OutsideInventory> told = inventory(file);
    if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      console.say(
          "cluster "
              + file.name()
              + " does not tell its hosts, whose nodes the next up makes: "
              + nothing.why());
      return;
    }
    for (String resource : file.resources().keySet()) {
      if (qmgr("list resource " + resource).status() != 0) {
        console.say(
            "no job can ask for resource."
                + resource
                + " of cluster "
                + file.name()
                + ", which this server does not know: qmgr -c 'create resource "
                + resource
                + " type=long,flag=nh'");
      }
    }
    List<String> made = new ArrayList<>();
    for (OutsideHost host : ((Told.Answered<OutsideInventory>) told).value().hosts()) {
      String node = host.name() + host(file);
      Path mark = home.root().resolve("etc/nodes/" + node);
      if (HostKey.isMember(node) && !Files.exists(mark)) {
        if (file.reserves()) {
          makeScheduler(file);
        } else {
          makeQueue(file);
        }
        makeNode(file, node);
        Files.createDirectories(mark.getParent());
        Files.createFile(mark);
        made.add(node);
      }
    }
    if (!made.isEmpty()) {
      String place = file.reserves() ? "partition " : "queue ";
      console.say("made in " + place + file.name() + " the nodes " + String.join(", ", made));
    }
  }

  /**
   * Makes the cluster's queue once. One of its name that is somebody else's is left as it is: the
   * cluster's nodes in it would take jobs that were never meant for the cluster.
   */
  private void makeQueue(ClusterFile file) throws IOException, InterruptedException, PartFailed {
    String queue = file.name();
    Path mark = home.root().resolve("etc/queues/" + queue);
    boolean marked = Files.exists(mark);
    if (!marked && qmgr("list queue " + queue).status() == 0 && !hasNodes(file)) {
      throw new PartFailed(
          "there is a queue "
              + queue
              + " already, which is not that of cluster "
              + queue
              + ": call the cluster something else (name = ...), or delete the queue");
    }
    order("create queue " + queue + " queue_type=execution,enabled=true,started=true");
    if (!marked) {
      // Not before it is made: what somebody else makes after a failure is not the cluster's.
      Files.createDirectories(mark.getParent());
      Files.createFile(mark);
    }
  }

  /**
   * Makes, once, a partition of the cluster's name with a scheduler of its own. No queue is in it,
   * so that what runs there is in reservations.
   */
  private void makeScheduler(ClusterFile file)
      throws IOException, InterruptedException, PartFailed {
    String name = file.name();
    Path mark = home.root().resolve("etc/schedulers/" + name);
    if (Files.exists(mark)) {
      return;
    }
    if (qmgr("list sched " + name).out().contains("Sched " + name + "\n")) {
      throw new PartFailed(
          "there is a scheduler "
              + name
              + " already, which is not that of cluster "
              + name
              + ": call the cluster something else (name = ...), or delete the scheduler");
    }
    order("create sched " + name);
    order("set sched " + name + " partition = " + name);
    order("set sched " + name + " scheduling = True");
    Files.createDirectories(mark.getParent());
    Files.createFile(mark);
  }

  /**
   * Whether nodes of the cluster are in its queue, as another home or an administrator has put
   * them.
   */
  private boolean hasNodes(ClusterFile file) throws IOException, InterruptedException {
    return qmgr("print node @default")
        .out()
        .lines()
        .anyMatch(it -> it.matches("set node \\S+" + host(file) + " queue = " + file.name()));
  }

  private void makeNode(ClusterFile file, String node)
      throws IOException, InterruptedException, PartFailed {
    String place = file.reserves() ? ",partition=" : ",queue=";
    order("create node " + node + " Mom=" + node + place + file.name());
  }

  private HomeClient.HomeCommandResult qmgr(String directive)
      throws IOException, InterruptedException {
    return new HomeClient(home, dist).call(home.root(), "qmgr", "-c", directive);
  }

  private void order(String directive) throws IOException, InterruptedException, PartFailed {
    HomeClient.HomeCommandResult said = qmgr(directive);
    if (said.status() != 0 && !said.out().contains("already exists")) {
      throw new PartFailed("qmgr -c '" + directive + "': " + said.out().strip());
    }
  }
}
