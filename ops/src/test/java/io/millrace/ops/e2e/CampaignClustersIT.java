package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Campaigns over three partitions in three shards and the real Slurm, Grid Engine and OAR that can
 * be had here; only root can start them. In one a task fails, another lasts too long, local jobs
 * end those of a partition, a queue is stopped, a master is away, and a cluster is added in the
 * middle, of which nothing was known before but its queue and node. In others several tasks share a
 * job of an outside system.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OutsidePeer.ALL)
@Tag("night")
class CampaignClustersIT {

  /** An OAR is asked seldom where its answers take long. */
  private static final Duration PATIENCE = Duration.ofSeconds(600);

  private static final int TASKS = 3_000;

  /** From this one on tasks stand still, until one has ended on the cluster that came. */
  private static final int STANDING = TASKS - 100;

  /** Jobs of the campaign on each cluster but the Slurm, which has many places. */
  private static final int MOST_THERE = 8;

  private static final int FAILING = 7;
  private static final int PROCESSORS = 4;
  private static final int GROUPED = 120;

  /** Fails behind others of its job. */
  private static final int WRONG = 40;

  /** Where the first task that runs lasts longer than it may, and which is stopped then. */
  private static final String STOPPED = "bag2";

  private static final String SCRIPT =
      """
      #!/bin/sh
      this="$1 $MILLRACE_ATTEMPT $PBS_QUEUE $PBS_JOBID"
      echo $this >>begun
      [ $1 = FAILING ] && [ ! -e mended ] && exit 3
      [ $PBS_QUEUE = STOPPED ] && mkdir lasting 2>/dev/null && exec sleep 300
      case $PBS_QUEUE in STOPPED | ADDED) n=550 ;; *) n=0 ;; esac
      while [ $1 -ge STANDING ] && [ ! -e open ] && [ $n -lt 550 ]; do
        [ $n = 0 ] && echo $this >>standing
        n=$((n+1))
        sleep 1
      done
      echo $this >>done
      """;

  private Site site;
  private Account user;
  private Optional<OarPeer> oar = Optional.empty();
  private Path work;

  /** Nodes of clusters outside by their names. */
  private final Map<String, String> outside = new LinkedHashMap<>();

  /** Their files. */
  private final List<String> files = new ArrayList<>();

  /** The last of them, which nothing forwards to at first. */
  private String added = "";

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm, a Grid Engine and an OAR");
    site = Site.prepare("campaign-clusters");
    user = site.user("mrclusters");
    work = site.folderOf(user, "work");
    Path spool = site.folder().resolve("outside");
    String own = spool + "/" + user.name();
    site.run("install -d -m 755 " + spool + " && install -d -o " + user.name() + " " + own).must();
    for (OutsidePeer peer : OutsidePeer.values()) {
      peer.up();
      if (peer.isUp()) {
        files.add(peer.file(site, peer.cluster, spool, user).toString());
        outside.put(peer.cluster, peer.node());
      }
    }
    oar = OarPeer.up(user);
    if (oar.isPresent()) {
      files.add(OarPeer.file(site, spool, user).toString());
      outside.put(OarPeer.CLUSTER, OarPeer.NODE);
    }
    System.out.println("e2e: campaign on " + outside.keySet());
    // One of three would say nothing of the others, and none of them nothing at all.
    int all = OutsidePeer.values().length + 1;
    boolean packages = Files.exists(Path.of("/usr/bin/apt-get"));
    assertTrue(outside.size() == all || !packages, "only " + outside.keySet() + " came up");
    assumeTrue(!outside.isEmpty(), "there is none, and no packages of Debian to install one");
    added = List.copyOf(outside.keySet()).get(outside.size() - 1);
    String parts = "--campaigns --no-keeper --shards 4 --executors 3 --http 0 --listen 127.0.0.1";
    String amounts = " --resources ncpus=" + PROCESSORS;
    List<String> first = files.subList(0, files.size() - 1);
    String forward = first.isEmpty() ? "" : " --forward " + String.join(",", first);
    site.up(parts + amounts + forward).must();
    for (String node : outside.values()) {
      if (!node.equals(outside.get(added))) {
        awaitServed(node);
      }
    }
    // A campaign names queues that there are. That nothing serves the node is a cluster to come.
    site.qmgr("create queue " + added + " queue_type=e,enabled=t,started=t");
    String node = outside.get(added);
    site.qmgr("create node " + node + " Mom=" + node + ",queue=" + added);
    for (int i = 1; i <= 3; i++) {
      partition(i);
    }
  }

  private void awaitServed(String node) throws Exception {
    Site.await(PATIENCE, node + " is served", () -> stateOf(node).equals("free"));
  }

  /** Has the last cluster served from now on. */
  private void add() throws Exception {
    site.launcher("up", "--forward " + String.join(",", files)).must();
    awaitServed(outside.get(added));
  }

  /** What the own accounting of an outside system says. */
  private List<OutsideAccount> accounts(String cluster) throws Exception {
    for (OutsidePeer peer : OutsidePeer.values()) {
      if (peer.cluster.equals(cluster)) {
        return peer.accounts(site, user);
      }
    }
    return oar.orElseThrow().accounts(user);
  }

  /** A partition with a host, a scheduler, a queue of campaigns and one of local users. */
  private void partition(int i) throws Exception {
    String part = "partition=p" + i;
    site.qmgr("create sched s" + i);
    site.qmgr("set sched s" + i + " " + part);
    site.qmgr("set sched s" + i + " scheduling = True");
    site.qmgr("set node " + Installation.host(i) + " " + part);
    String open = " queue_type=e,enabled=t,started=t," + part;
    site.qmgr("create queue bag" + i + open + ",best_effort=True,kill_delay=0");
    site.qmgr("create queue local" + i + open);
  }

  @AfterAll
  void down() throws Exception {
    if (site == null) {
      return;
    }
    try {
      for (OutsidePeer peer : OutsidePeer.values()) {
        peer.down();
      }
      if (oar.isPresent()) {
        oar.get().close();
      }
    } finally {
      site.close();
    }
  }

  private String stateOf(String node) throws Exception {
    return site.told("pbsnodes " + node).replaceFirst("(?s).* state = (\\S+)\n.*", "$1");
  }

  private String told(String line) throws IOException, InterruptedException {
    return site.run(user, work, line).out();
  }

  private Path script(Path file, String text) throws Exception {
    Files.writeString(file, text);
    assertTrue(file.toFile().setExecutable(true, false));
    user.own(site.folder(), file);
    return file;
  }

  private String submit(String document) throws Exception {
    String said = site.run(user, work, "gridsub '" + document + "'").must();
    return said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
  }

  private void awaitEnd(String id) throws Exception {
    Site.await(
        PATIENCE, id + " is over", () -> told("gridstat -c " + id).contains("State: terminated"));
  }

  @Test
  void eachTaskSucceedsOnceWhateverBecomesOfItsCluster() throws Exception {
    List<String> clusters = new ArrayList<>(List.of("bag1", "bag2", "bag3"));
    clusters.addAll(outside.keySet());
    String id = submit(described(clusters));
    Path folder = work.resolve(id);
    TaskLines lines = new TaskLines(folder);
    Site.await(
        PATIENCE, added + " is not there", () -> told("gridclusters").contains(black(added)));

    Site.await(PATIENCE, "a third is done", () -> lines.of("done").size() > TASKS / 3);
    Site.await(PATIENCE, "one lasts", () -> Files.exists(folder.resolve("lasting")));
    site.qmgr("set queue " + STOPPED + " started = False");
    Site.await(PATIENCE, "it is stopped", () -> told("gridclusters").contains(black(STOPPED)));
    Site.await(
        PATIENCE,
        "bag1 is full of tasks that stand still",
        () -> lines.on("standing", "bag1").size() >= PROCESSORS);
    String local = "qsub -q local1 -l select=1:ncpus=" + PROCESSORS + " -- /bin/sleep 1";
    String job = site.run(user, work, local).must().strip();
    site.awaitState(job, "F");
    assertEquals(0, site.job(job).path("Exit_status").asInt());

    OutsidePeer away = OutsidePeer.GRID_ENGINE;
    boolean leaves = away.isUp() && !away.cluster.equals(added);
    if (leaves) {
      Site.await(PATIENCE, "some run there", () -> !lines.on("standing", away.cluster).isEmpty());
      away.masterDown();
      Site.await(PATIENCE, "it is away", () -> told("gridclusters").contains(black(away.cluster)));
    }
    add();
    Site.await(PATIENCE, "it has come", () -> !lines.on("done", added).isEmpty());
    script(folder.resolve("open"), "");
    mend(id, folder);
    // What has gone to the master that is away ends when it is back.
    Site.await(
        PATIENCE, "the others have ended", () -> lines.of("done").size() >= TASKS - MOST_THERE);
    site.qmgr("set queue " + STOPPED + " started = True");
    if (leaves) {
      away.masterUp();
    }
    awaitEnd(id);
    CampaignAccounts accounts = new CampaignAccounts(site, user, id, TASKS, "0");
    accounts.agree(lines);
    for (String cluster : outside.keySet()) {
      accounts.agreeOn(cluster, lines, () -> accounts(cluster));
    }
    assertEquals(clusters, lines.of("before").stream().sorted().toList());
    assertEquals(clusters, lines.of("after").stream().sorted().toList());
    List<String> preempted = AccountLines.all(site.home().accounting());
    String given = "preempted_for=" + job + " ";
    assertEquals(PROCESSORS, preempted.stream().filter(it -> it.contains(given)).count());
  }

  private static String black(String cluster) {
    return cluster + ", partition " + partitionOf(cluster) + " (BLACKLISTED), ";
  }

  private static String partitionOf(String cluster) {
    return cluster.startsWith("bag") ? "p" + cluster.charAt(3) : "pbs-default";
  }

  private String described(List<String> clusters) throws Exception {
    String text = SCRIPT.replace("STOPPED", STOPPED).replace("FAILING", "" + FAILING);
    text = text.replace("STANDING", "" + STANDING).replace("ADDED", added);
    Path task = script(work.resolve("task.sh"), text);
    List<String> each = new ArrayList<>();
    for (String cluster : clusters) {
      int most = cluster.equals(OutsidePeer.SLURM.cluster) ? 34 : MOST_THERE;
      String more = cluster.equals(STOPPED) ? ", \"walltime\": \"0:0:20\"" : "";
      each.add("\"%s\": {\"max_jobs\": %d%s}".formatted(cluster, most, more));
    }
    return "{\"name\": \"clusters\", \"walltime\": \"0:10:0\", \"nb_jobs\": %d".formatted(TASKS)
        + ", \"exec_file\": \"%s\"".formatted(task)
        + ", \"exec_directory\": \"%s/{CAMPAIGN_ID}\"".formatted(work)
        + ", \"prologue\": [\"echo $PBS_QUEUE >>before\"]"
        + ", \"epilogue\": [\"echo $PBS_QUEUE >>after\"], \"clusters\": {"
        + String.join(", ", each)
        + "}}";
  }

  /** The task that failed and the one that lasted too long are run again. */
  private void mend(String id, Path folder) throws Exception {
    Site.await(
        PATIENCE,
        "both are told",
        () -> {
          String events = told("gridevents -c " + id);
          return events.contains("task " + FAILING + ", attempt 1: exit status 3\n")
              && events.contains(": exit status -29: walltime ");
        });
    assertEquals(2, told("gridevents -c " + id).split("\\(open\\)", -1).length - 1);
    script(folder.resolve("mended"), "");
    site.run(user, work, "gridevents -c " + id + " -f -r").must();
  }

  /** One of the tasks fails and is run again; none of those that share its job is. */
  @Test
  void tasksShareJobsOfOutsideSystems() throws Exception {
    String text =
        """
        #!/bin/sh
        this="$1 $MILLRACE_ATTEMPT $PBS_QUEUE $PBS_JOBID"
        echo $this >>begun
        sleep 0.3
        [ $1 = WRONG ] && [ ! -e mended ] && exit 3
        echo $this >>done
        """;
    Path task = script(work.resolve("short.sh"), text.replace("WRONG", "" + WRONG));
    Map<String, String> ids = new LinkedHashMap<>();
    add();
    for (String cluster : outside.keySet()) {
      String document =
          "{\"name\": \"shared\", \"walltime\": \"0:4:0\", \"temporal_grouping\": true"
              + ", \"nb_jobs\": %d, \"exec_file\": \"%s\"".formatted(GROUPED, task)
              + ", \"exec_directory\": \"%s/{CAMPAIGN_ID}\"".formatted(work)
              + ", \"clusters\": {\"%s\": {\"max_jobs\": 8}}}".formatted(cluster);
      ids.put(cluster, submit(document));
    }
    for (Map.Entry<String, String> each : ids.entrySet()) {
      String id = each.getValue();
      Path folder = work.resolve(id);
      String failed = "task " + WRONG + ", attempt 1: exit status 3\n";
      Site.await(PATIENCE, failed, () -> told("gridevents -c " + id).contains(failed));
      script(folder.resolve("mended"), "");
      site.run(user, work, "gridevents -c " + id + " -f -r").must();
      awaitEnd(id);
      TaskLines lines = new TaskLines(folder);
      CampaignAccounts accounts = new CampaignAccounts(site, user, id, GROUPED, "(0|1|75)");
      accounts.agree(lines);
      accounts.agreeOn(each.getKey(), lines, () -> accounts(each.getKey()));
      assertEquals(GROUPED, lines.on("done", each.getKey()).size());
      assertEquals(GROUPED + 1, lines.of("begun").size(), "none but the one that failed again");
      long jobs = lines.of("done").stream().map(it -> it.split(" ")[3]).distinct().count();
      assertTrue(jobs < GROUPED, each.getKey() + ": " + jobs + " jobs");
    }
  }

  /** Files to which the tasks of a campaign append: task, attempt, queue, job. */
  record TaskLines(Path folder) {

    List<String> of(String name) throws IOException {
      Path file = folder.resolve(name);
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** Those of one queue. */
    List<String> on(String name, String queue) throws IOException {
      try (Stream<String> all = of(name).stream()) {
        return all.filter(it -> it.split(" ")[2].equals(queue)).toList();
      }
    }
  }
}
