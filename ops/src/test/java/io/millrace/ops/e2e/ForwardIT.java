package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that run in a real Slurm and a real Grid Engine; only root can start them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
@Order(3)
@ResourceLock(OutsidePeer.ALL)
class ForwardIT {
  /** Jobs of each cluster that are counted while forwarders are killed. */
  private static final int COUNTED = Site.NIGHT ? 6 : 4;

  private static final Duration SOON = Duration.ofSeconds(180);

  /** Until the shell has used more than a second of processor time. */
  private static final String BUSY =
      "while read -r _ _ _ _ _ _ _ _ _ _ _ _ _ used _ < /proc/$$/stat; [ $used -lt 120 ]; do :;"
          + " done";

  /** Held by all while the clusters' masters must be there. */
  private static final String MASTERS = "io.millrace.ops.e2e.ForwardIT.masters";

  private Site site;
  private Account user;
  private Account stranger;
  private Path work;
  private Path spool;
  private int health;

  private static Stream<OutsidePeer> started() {
    return Stream.of(OutsidePeer.values()).filter(OutsidePeer::isUp);
  }

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm or a Grid Engine");
    site = Site.prepare("forward");
    user = site.user("mrforward");
    stranger = site.user("mrstranger");
    for (OutsidePeer peer : OutsidePeer.values()) {
      peer.up();
    }
    assumeTrue(started().findAny().isPresent(), "there is none, and none can be installed");
    work = site.folderOf(user, "work");
    spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mrforward " + spool + "/mrforward")
        .must();
    List<String> files = new ArrayList<>();
    for (OutsidePeer peer : started().toList()) {
      files.add(peer.file(site, peer.cluster, spool, user).toString());
    }
    if (OutsidePeer.SLURM.isUp()) {
      OutsidePeer.SLURM.more();
      Path pair = OutsidePeer.SLURM.file(site, "c4", spool, user);
      Files.writeString(pair, "mode = place\nqueue = mrplace\n", StandardOpenOption.APPEND);
      files.add(pair.toString());
    }
    health = freePorts();
    String parts = "--no-keeper --shards 2 --executors 0 --health " + health + " --forward ";
    site.up(parts + String.join(",", files)).must();
    for (OutsidePeer peer : started().toList()) {
      Site.await(SOON, peer.node() + " is served", () -> nodeIs(peer, "free"));
    }
  }

  /** The first of as many as the parts need, below those that Linux gives away. */
  static int freePorts() {
    Random random = new Random();
    int first;
    do {
      first = 31_200 + 110 * random.nextInt(13);
    } while (!IntStream.rangeClosed(first, first + 100).allMatch(ForwardIT::free));
    return first;
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
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
    } finally {
      site.close();
    }
  }

  private boolean nodeIs(OutsidePeer peer, String state) throws Exception {
    return site.told("pbsnodes " + peer.node()).contains("state = " + state + "\n");
  }

  private String submit(Account by, String options, String script) throws Exception {
    return site.run(by, site.folder(), "echo '" + script + "' | qsub " + options).must().strip();
  }

  private JsonNode ended(String id) throws Exception {
    site.awaitState(id, "F");
    return site.job(id);
  }

  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void aScriptRunsThereAsItsUserAndItsStatusComesBack(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    Path output = work.resolve("out-" + peer);
    String id =
        submit(
            user,
            "-j oe -o %s -l select=1:ncpus=2:host=%s -q %s"
                .formatted(output, peer.node(), peer.cluster),
            "id -un; echo " + peer.variables + " $PBS_JOBID; " + BUSY + "; exit 7");
    JsonNode job = ended(id);
    assertEquals(7, job.path("Exit_status").asInt(), job::toString);
    List<String> said = Files.readAllLines(output);
    assertEquals("mrforward", said.get(0));
    assertEquals(job.path("session_id").asText() + " 2 " + id, said.get(1));
    assertTrue(job.path("exec_host").asText().startsWith(peer.node() + "/"), job::toString);
    JsonNode used = job.path("resources_used");
    for (String amount : List.of("walltime", "cput")) {
      assertTrue(used.path(amount).asText().compareTo("00:00:01") >= 0, used::toString);
    }
    Path books = site.home().accounting();
    Site.await(
        SOON,
        "its end is in the accounting",
        () -> site.told("grep -h ';E;" + id + ";' " + books + "/*").contains("Exit_status=7"));
    String there = job.path("session_id").asText() + "." + peer.cluster + " ";
    Site.await(
        SOON,
        "it is shown as the job that it was there",
        () -> site.told("qstat -x @" + peer.cluster).contains(there));
  }

  /** Its node file names the hosts that the one job there has. */
  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void aRunOfTwoHostsIsOneJobThere() throws Exception {
    OutsidePeer.SLURM.assumeUp();
    for (String node : List.of("mrhost1@c4", "mrhost2@c4")) {
      Site.await(SOON, node, () -> site.told("pbsnodes " + node).contains("state = free\n"));
    }
    Path output = work.resolve("two");
    String id =
        submit(
            user,
            "-j oe -o " + output + " -q c4 -l select=2:ncpus=1 -l place=scatter",
            "cat $PBS_NODEFILE; echo $SLURM_JOB_NODELIST $SLURM_NTASKS; exit 6");
    JsonNode job = ended(id);
    assertEquals(6, job.path("Exit_status").asInt(), job::toString);
    assertEquals(List.of("mrhost1", "mrhost2", "mrhost[1-2] 2"), Files.readAllLines(output));
    assertEquals("mrhost1@c4/0+mrhost2@c4/0", job.path("exec_host").asText());
    assertTrue(site.told("pbsnodes mrhost2@c4").contains("state = free\n"));
  }

  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void whoHasNoAccountThereIsRefusedBeforeAnythingLeaves(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    String id = submit(stranger, "-q " + peer.cluster, "echo never");
    JsonNode job = ended(id);
    assertEquals(-10, job.path("Exit_status").asInt(), job::toString);
    assertEquals("", peer.ever(site, stranger));
  }

  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  @Tag("night")
  void deletedHereIsDeletedThere(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    Path mark = work.resolve("runs-" + peer);
    String id = submit(user, "-q " + peer.cluster, "touch " + mark + "; sleep 600");
    Site.await(SOON, "it runs", () -> Files.exists(mark));
    String number = number(id);
    site.run("qdel " + id).must();
    assertEquals(271, ended(id).path("Exit_status").asInt());
    String present = peer.present(site, user);
    assertTrue(present.lines().noneMatch(it -> it.strip().split(" ")[0].equals(number)), present);
  }

  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  @Tag("night")
  void eachSubjobOfAnArrayRunsOnce(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    Path file = work.resolve("array-" + peer);
    String id =
        submit(user, "-J 1-4 -q " + peer.cluster, "echo $PBS_ARRAY_INDEX $PBS_JOBID >> " + file);
    site.awaitState(id, "F");
    String server = id.replaceFirst(".*\\.", "");
    String number = id.replaceFirst("\\[.*", "");
    assertEquals(
        IntStream.rangeClosed(1, 4)
            .mapToObj(it -> it + " " + number + "[" + it + "]." + server)
            .toList(),
        Files.readAllLines(file).stream().sorted().toList());
  }

  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  @Tag("night")
  void filesComeAndGoWithAJob(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    Path source = Files.writeString(work.resolve("source-" + peer), "data");
    Path taken = work.resolve("taken-" + peer);
    String id =
        submit(
            user,
            "-q %s -W sandbox=PRIVATE,stagein=in@localhost:%s,stageout=out@localhost:%s"
                .formatted(peer.cluster, source, taken),
            "cat in > out; echo more >> out; exit 6");
    JsonNode job = ended(id);
    assertEquals(6, job.path("Exit_status").asInt(), job::toString);
    assertEquals("datamore\n", Files.readString(taken));
    String lost =
        submit(
            user,
            "-q " + peer.cluster + " -W stagein=x@localhost:/no/such",
            "touch " + work + "/x");
    site.awaitState(lost, "W"); // another try comes later
    assertFalse(Files.exists(work.resolve("x")));
    site.run("qdel " + lost).must();
  }

  /** Slurm lets administrators suspend, and counts minutes only. */
  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  @Tag("night")
  void suspendedHereIsSuspendedInAGridEngine() throws Exception {
    OutsidePeer peer = OutsidePeer.GRID_ENGINE;
    peer.assumeUp();
    Path go = work.resolve("go");
    String id =
        submit(user, "-q c2", "until [ -e " + go + " ]; do sleep 0.2; done; sleep 1; exit 5");
    Site.await(SOON, "it has begun", () -> site.told("qstat -f " + id).contains("session_id"));
    site.run("qsig -s suspend " + id).must();
    Site.await(SOON, "it is", () -> site.told("qstat -f " + id).contains("is suspended there"));
    Files.createFile(go);
    String shown = peer.present(site, user);
    String line = " *" + number(id) + " .* mrforward +h?s .*";
    assertTrue(shown.lines().anyMatch(it -> it.matches(line)), shown);
    site.run("qsig -s resume " + id).must();
    assertEquals(5, ended(id).path("Exit_status").asInt());
  }

  /** A job that is started here and waits there, where nothing begins; it begins when it may. */
  private String waiting(OutsidePeer peer, String script) throws Exception {
    for (int i = 0; i < 5; i++) {
      Site.await(SOON, peer.node() + " is free", () -> nodeIs(peer, "free"));
      // It is some seconds until that is seen here; a job that comes too late goes.
      peer.close(site, true);
      String id = submit(user, "-q " + peer.cluster + " -l walltime=600", script);
      for (int tries = 0; tries < 20; tries++) {
        if (site.told("qstat -f " + id).contains(" waits there")) {
          return id;
        }
        if (site.state(id).equals("Q") && nodeIs(peer, "offline")) {
          break;
        }
        site.run("sleep 0.5").must();
      }
      site.run("qdel " + id).must();
      site.awaitState(id, "F");
      peer.close(site, false);
    }
    throw new AssertionError("no job was submitted there before its node was closed");
  }

  /** Holds, releases and walltimes go there, and what is refused there is told here. */
  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ_WRITE)
  @Tag("night")
  void ordersGoThereAndTheWordsOfRefusalsComeBack(OutsidePeer peer) throws Exception {
    peer.assumeUp();
    Path mark = work.resolve("held-" + peer);
    String id = "";
    try {
      id = waiting(peer, "touch " + mark + "; sleep 30; exit 5");
      site.run(user, site.folder(), "qhold " + id).must();
      String shown = "qstat -f " + id;
      Site.await(SOON, "it is held", () -> site.told(shown).contains(" is held there"));
      site.run(user, site.folder(), "qalter -l walltime=300 " + id).must();
      site.run("qmsg -E word " + id + " 2>&1 | grep 'takes no messages'").must();
    } finally {
      peer.close(site, false);
    }
    runsWhenItIsReleased(peer, id, mark);
  }

  private void runsWhenItIsReleased(OutsidePeer peer, String id, Path mark) throws Exception {
    JsonNode other = ended(submit(user, "-q " + peer.cluster, "exit 4"));
    assertEquals(4, other.path("Exit_status").asInt(), other::toString);
    assertFalse(Files.exists(mark), "it is held");
    site.run(user, site.folder(), "qrls " + id).must();
    Site.await(SOON, "it runs", () -> Files.exists(mark));
    Site.await(SOON, "it has begun", () -> site.told("qstat -f " + id).contains("session_id"));
    site.run("qalter -l walltime=36000 " + id).must();
    String refused = "limit was not carried out there: ";
    Site.await(SOON, "the comment", () -> site.told("qstat -f " + id).contains(refused));
    assertTrue(site.told("why " + id).contains(refused), () -> "why");
    String history = site.told("tracejob -w 400 " + id);
    assertTrue(history.contains("Answer of its cluster to limit, refused: "), history);
    assertEquals(5, ended(id).path("Exit_status").asInt());
  }

  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  @Tag("night")
  void aGridEngineEndsWhatLastsTooLong() throws Exception {
    OutsidePeer.GRID_ENGINE.assumeUp();
    JsonNode job = ended(submit(user, "-q c2 -l walltime=3", "sleep 600"));
    assertEquals(-29, job.path("Exit_status").asInt(), job::toString);
  }

  private String number(String id) throws Exception {
    return site.job(id).path("session_id").asText();
  }

  /** Forwarders are killed while they submit and while runs end; each script begins once. */
  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void killedForwardersLoseNothingAndBeginNothingTwice() throws Exception {
    List<OutsidePeer> peers = started().toList();
    Map<String, Integer> ids = new LinkedHashMap<>();
    for (int i = 0; i < COUNTED; i++) {
      for (OutsidePeer peer : peers) {
        String script = "echo " + i + " >> " + work + "/counts-" + peer + "; sleep 2; exit " + i;
        ids.put(submit(user, "-q " + peer.cluster, script), i);
      }
      if (Site.NIGHT ? i % 2 == 1 : i == 2) {
        killForwarders(peers);
      }
    }
    for (Map.Entry<String, Integer> each : ids.entrySet()) {
      JsonNode job = ended(each.getKey());
      assertEquals(each.getValue(), job.path("Exit_status").asInt(), job::toString);
      assertEquals(1, job.path("run_count").asInt(), job::toString);
    }
    for (OutsidePeer peer : peers) {
      assertEquals(
          IntStream.range(0, COUNTED).mapToObj(Integer::toString).toList(),
          Files.readAllLines(work.resolve("counts-" + peer)).stream().sorted().toList());
    }
  }

  private void killForwarders(List<OutsidePeer> peers) throws Exception {
    Map<String, ProcessHandle> before = site.processes();
    String pids =
        peers.stream()
            .map(it -> Long.toString(before.get(it.part()).pid()))
            .collect(Collectors.joining(" "));
    site.run("kill -KILL " + pids).must();
    site.up("").must();
    for (OutsidePeer peer : peers) {
      assertNotEquals(before.get(peer.part()).pid(), site.processes().get(peer.part()).pid());
    }
  }

  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void eachForwarderTellsItsHealth() throws Exception {
    List<OutsidePeer> peers = started().toList();
    for (int i = 0; i < peers.size(); i++) {
      String address = "http://127.0.0.1:" + (health + 80 + i);
      Site.await(
          SOON,
          address + " is ready",
          () -> site.told("curl -s " + address + "/ready").equals("ready\n"));
      Site.await(
          SOON,
          address + " tells its numbers",
          () -> {
            String told = site.told("curl -s " + address + "/metrics");
            // A Slurm has the pair too.
            return told.contains("millrace_ready{part=\"forward\"} 1")
                && told.lines().anyMatch(it -> it.matches("millrace_forward_nodes [13](\\.0)?"))
                && told.contains("\nmillrace_forward_unanswered_looks 0")
                && !told.contains("millrace_spool_runs");
          });
    }
  }

  /** A cluster gets no queue that somebody has made for something else. */
  @Test
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ)
  void aQueueThatIsNotTheClustersIsLeftAlone() throws Exception {
    site.qmgr("create queue taken queue_type=execution");
    OutsidePeer peer = started().findFirst().orElseThrow();
    Path file = peer.file(site, "taken", spool, user);
    Shell.Answer refused = site.launcher("forward", "--cluster " + file);
    assertEquals(1, refused.status(), refused::toString);
    assertTrue(
        refused
            .err()
            .contains("there is a queue taken already, which is not that of cluster taken"),
        refused::toString);
    assertTrue(site.told("pbsnodes -a").lines().noneMatch(it -> it.contains("@taken")));
    assertFalse(site.qmgr("print queue taken").contains("enabled = True"));
  }

  /** The cluster's master goes and comes back: runs stay, and nothing new is sent. */
  @ParameterizedTest
  @EnumSource
  @ResourceLock(value = MASTERS, mode = ResourceAccessMode.READ_WRITE)
  void whatRunsStaysWhileItsMasterIsAway(OutsidePeer peer) throws Exception {
    assumeTrue(Site.NIGHT, "it takes longer than the others together");
    peer.assumeUp();
    Path mark = work.resolve("stays-" + peer);
    String on = "-q " + peer.cluster;
    String runs = submit(user, on, "touch " + mark + "; sleep 90; exit 3");
    Site.await(SOON, "it runs", () -> Files.exists(mark));
    peer.masterDown();
    Site.await(SOON, "its node is unknown", () -> nodeIs(peer, "state-unknown"));
    String waits = submit(user, on, "exit 4");
    assertEquals("R", site.state(runs));
    Site.await(
        SOON,
        "that nobody has heard of it",
        () -> site.told("why " + runs).contains("is not heard of since"));
    assertEquals("Q", site.state(waits));
    peer.masterUp();
    assertEquals(3, ended(runs).path("Exit_status").asInt());
    assertEquals(4, ended(waits).path("Exit_status").asInt());
    assertTrue(nodeIs(peer, "free"));
  }
}
