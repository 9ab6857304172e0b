package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.broker.BrokerProcess;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.Installation;
import io.millrace.schemas.HostName;
import io.millrace.schemas.fact.RunGranted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Two homes with a server each; one is drained while jobs are submitted through its gateway. */
@Beside
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("night")
class DrainIT {

  private static final int SHARDS = 2;
  private static final int JOBS = 200;

  /** The same of each of several rounds, whose servers are away for some seconds. */
  private static final int ROUND_JOBS = 120;

  private static final int BEFORE = 60;
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final Duration QSUBS = Duration.ofSeconds(300);

  /**
   * The aim is that no start waits for more than 1 s. That is printed and not held, since the
   * machine of a test is busy; held is that it is not as after a kill, which takes 6 s and more.
   */
  private static final long GAP_MS = 5_000;

  /** What is promised of a killed server, as the median. */
  private static final long KILLED_GAP_MS = 10_000;

  /** What is promised of a server that qterm or down ends, as the median. */
  private static final long PLANNED_GAP_MS = 2_000;

  /** The queue of the shard that has the usual one, and that of the other. */
  private static final List<String> QUEUES = List.of("workq", "q1");

  /** Medians are taken over so many ends. */
  private static final int ROUNDS = 5;

  private BrokerProcess broker;
  private Site site;
  private Home first;
  private Home second;
  private String host;

  @BeforeAll
  void cluster() throws Exception {
    site = Site.prepare("drain");
    host = HostName.untilDot();
    broker = new BrokerProcess(site.folder().resolve("cluster"), SHARDS);
    broker.start();
    first = site.home();
    second = new Home(site.folder().resolve("second"));
    Path join = site.folder().resolve("millrace.join");
    launch(
            "cluster init --although-red --new-passwords --bootstrap-servers "
                + broker.cluster().bootstrapServers()
                + (" --admin-properties " + broker.home().client(KafkaPrincipal.ADMIN))
                + (" --shards " + SHARDS + " --join-file " + join))
        .must();
    String up = "--no-keeper --heap server=512m --join " + join + " --parts ";
    site.up(up + "server,gateway,executor --resources ncpus=16").must();
    Shell.Answer alone = drain(first);
    assertEquals(1, alone.status(), alone.toString());
    assertTrue(alone.out().contains("no other server is there that could take"), alone.out());
    assertTrue(site.processes().containsKey("server"));
    launch("up --home " + second.root() + " " + up + "server,gateway").must();
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      launch("down --home " + second.root());
      site.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  private Shell.Answer launch(String line) throws IOException, InterruptedException {
    return site.run(site.checkout().resolve("millrace") + " " + line + " 2>&1");
  }

  private Shell.Answer drain(Home home) throws IOException, InterruptedException {
    return launch("cluster drain " + host + " --home " + home.root());
  }

  /** Lines of status that tell a shard's owner as this home's server. */
  private List<String> owned(Home home) {
    try {
      String listed = launch("status --home " + home.root()).out();
      String address = Files.readString(home.ready("server")).strip();
      return listed.lines().filter(line -> line.matches("[0-9]+ +" + address + " .*")).toList();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Its executor would take the host over from the one that serves it. */
  @Test
  @Order(0)
  void aFurtherHomeWithAnExecutorOfTheSameHostIsRefused() throws Exception {
    Path third = site.folder().resolve("third");
    Path join = site.folder().resolve("millrace.join");
    String line =
        "up --home " + third + " --no-keeper --join " + join + " --parts gateway,executor";
    Shell.Answer answer = launch(line);
    assertEquals(1, answer.status(), answer.toString());
    String host = "host " + Installation.host(1) + " is served by executor ";
    assertTrue(answer.out().contains(host), answer.out());
    assertTrue(answer.out().contains(" of another home: "), answer.out());
    assertFalse(Files.exists(new Home(third).pid("executor")));
    Account user = site.user("mrthird");
    String job =
        site.run(user, site.folderOf(user, "work-third"), "qsub -- /bin/true").must().strip();
    site.awaitState(job, "F");
  }

  @Test
  @Order(1)
  void nobodyNoticesThatAServerIsDrained() throws Exception {
    bothHaveShards();
    boolean firstHasIt = owned(first).get(0).startsWith("0 ");
    Home drained = firstHasIt ? first : second;
    Home other = firstHasIt ? second : first;
    Account user = site.user("mrdrain");
    Path work = site.folderOf(user, "work");
    Path ids = work.resolve("ids");
    CompletableFuture<Shell.Answer> load =
        CompletableFuture.supplyAsync(() -> submit(user, work, drained, JOBS, QUEUES.get(0)));
    Site.await(SOON, "jobs are submitted", () -> load.isDone() || lines(ids) >= BEFORE);
    assertFalse(load.isDone(), () -> "the load has ended: " + load.join());
    long beganMs = System.currentTimeMillis();
    Shell.Answer answer = drain(drained);
    long endedMs = System.currentTimeMillis();
    int during = lines(ids);
    assertEquals(0, answer.status(), answer.toString());
    assertTrue(
        answer.out().contains(host + " is drained: other servers have shard 0"), answer.out());
    assertFalse(Files.exists(drained.pid("server")));
    assertTrue(Files.exists(drained.pid("gateway")));
    load.join().must();
    assertEquals(JOBS, new TreeSet<>(Files.readAllLines(ids)).size());
    assertTrue(during < JOBS, "jobs were submitted meanwhile");
    Set<String> submitted = new TreeSet<>(Files.readAllLines(ids));
    Site.await(SOON, "all have run", () -> finished(submitted) == JOBS);
    Map<String, JsonNode> all = site.jobs();
    for (JsonNode job : submitted.stream().map(all::get).toList()) {
      assertEquals(1, job.path("run_count").asInt(), job::toString);
    }
    long gapMs = gapMs(beganMs, endedMs);
    System.out.println(
        "drain: " + (endedMs - beganMs) + " ms, longest time without a start: " + gapMs + " ms");
    assertTrue(gapMs < GAP_MS, "no start for " + gapMs + " ms");
    staysDrained(drained, other);
  }

  private void staysDrained(Home drained, Home other) throws Exception {
    Shell.Answer again = drain(drained);
    assertTrue(again.must().contains(host + " is drained already"), again.out());
    Shell.Answer last = drain(other);
    assertEquals(1, last.status(), last.out());
    assertTrue(last.out().contains("no other server is there"), last.out());
    String up = "up --home " + drained.root();
    launch(up + " --keep").must();
    Shell.Answer status = launch("status --home " + drained.root());
    assertTrue(status.out().matches("(?s).*server +drained .*"), status.out());
    launch("cluster undrain " + host + " --home " + drained.root()).must();
    assertTrue(Files.exists(drained.pid("server")));
    Site.await(SOON, "it has a shard again", () -> owned(drained).size() == 1);
    Shell.Answer twice = launch("cluster undrain " + host + " --home " + drained.root());
    assertEquals(1, twice.status());
    assertTrue(twice.out().contains("is not drained"), twice.out());
  }

  /** Each sees the other as one that could take its shards. */
  @Test
  @Order(2)
  void twoDrainsAtOnceLeaveEachShardAnOwner() throws Exception {
    bothHaveShards();
    CompletableFuture<Shell.Answer> one =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return drain(first);
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Shell.Answer two = drain(second);
    String both = one.join() + " " + two;
    System.out.println("two drains at once: " + both);
    assertTrue(one.join().status() == 1 || two.status() == 1, both);
    for (Home home : List.of(first, second)) {
      boolean drained = (home.equals(first) ? one.join() : two).status() == 0;
      assertEquals(!drained, Files.exists(home.pid("server")), both);
    }
    Site.await(SOON, "all shards are owned", () -> ownedOfBoth() == SHARDS);
  }

  /**
   * The longest time without a start while jobs are submitted and the server that has their shard
   * is killed.
   */
  @Test
  @Order(3)
  void howSoonJobsStartAgainWhenAServerIsKilled() throws Exception {
    Ending kill =
        new Ending() {
          @Override
          void end(Home home) throws Exception {
            Site.kill(List.of(server(home)));
          }

          @Override
          void back(Home home) throws Exception {
            launch("up --home " + home.root()).must();
          }
        };
    long medianMs = medianGapMs("killed", kill);
    assertTrue(medianMs < KILLED_GAP_MS, "median " + medianMs + " ms");
  }

  /** The same for a planned end: 2 s are aimed at, and printed. */
  @Test
  @Order(4)
  void howSoonJobsStartAgainWhenAServerIsDrained() throws Exception {
    Ending drain =
        new Ending() {
          @Override
          void end(Home home) throws Exception {
            drain(home).must();
          }

          @Override
          void back(Home home) throws Exception {
            launch("cluster undrain " + host + " --home " + home.root()).must();
          }
        };
    long medianMs = medianGapMs("drained", drain);
    assertTrue(medianMs < GAP_MS, "median " + medianMs + " ms");
  }

  /** In PBS the other server would stay idle; here it serves already, and takes the shard over. */
  @Test
  @Order(5)
  void howSoonJobsStartAgainWhenQtermEndsAServer() throws Exception {
    planned("terminated", home -> site.run(home.bin() + "/qterm -i").must());
  }

  @Test
  @Order(6)
  void howSoonJobsStartAgainWhenOneOfTwoHomesIsDown() throws Exception {
    planned("down", home -> launch("down --home " + home.root()).must());
  }

  /** What ends all of a home but executors. */
  private interface HomeEnd {
    void end(Home home) throws Exception;
  }

  /** Of the second home, since the first one has the executor. */
  private void planned(String what, HomeEnd end) throws Exception {
    queueInTheOtherShard();
    Ending ending =
        new Ending() {
          @Override
          void end(Home home) throws Exception {
            end.end(home);
          }

          @Override
          Home victim() {
            return second;
          }

          @Override
          void back(Home home) throws Exception {
            for (String part : List.of("server", "gateway")) {
              Site.await(SOON, part + " has ended", () -> !Files.exists(home.pid(part)));
            }
            assertTrue(Files.exists(first.pid("server")));
            launch("up --home " + home.root()).must();
          }
        };
    long medianMs = medianGapMs(what, ending);
    assertTrue(medianMs < PLANNED_GAP_MS, "median " + medianMs + " ms");
  }

  /** A partition of its own, which the other shard gets, with a node on the same host. */
  private void queueInTheOtherShard() throws Exception {
    if (!site.told("qmgr -c 'list sched s1'").isEmpty()) {
      return;
    }
    site.qmgr("create sched s1 partition=p1");
    site.qmgr("set sched s1 scheduling = True");
    site.qmgr("create queue q1 queue_type=execution,enabled=True,started=True,partition=p1");
    site.qmgr(
        "create node n1 Mom="
            + Installation.host(1)
            + ",resources_available.ncpus=16,partition=p1");
  }

  /** How a server ends, and how it comes back. */
  private abstract class Ending {
    abstract void end(Home home) throws Exception;

    abstract void back(Home home) throws Exception;

    /** Whose server ends. */
    Home victim() {
      return ownerOfZero();
    }
  }

  private long medianGapMs(String what, Ending ending) throws Exception {
    Account user = site.user("mr" + what);
    for (Home home : List.of(first, second)) {
      if (!Files.exists(home.pid("server"))) {
        launch("cluster undrain " + host + " --home " + home.root()).must();
      }
    }
    List<Long> gapsMs = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      bothHaveShards();
      Home victim = ending.victim();
      gapsMs.add(gapMs(user, what + round, victim, ending));
      System.out.println("longest time without a start when a server is " + what + ": " + gapsMs);
      ending.back(victim);
    }
    return gapsMs.stream().sorted().toList().get(ROUNDS / 2);
  }

  /** Submits through the other home, ends this one's server, and waits until all have run. */
  private long gapMs(Account user, String name, Home victim, Ending ending) throws Exception {
    Home through = victim.equals(first) ? second : first;
    Path work = site.folderOf(user, name);
    Path ids = work.resolve("ids");
    String queue = QUEUES.get(owned(victim).get(0).startsWith("0 ") ? 0 : 1);
    CompletableFuture<Shell.Answer> load =
        CompletableFuture.supplyAsync(() -> submit(user, work, through, ROUND_JOBS, queue));
    Site.await(SOON, "jobs are submitted", () -> load.isDone() || lines(ids) >= BEFORE);
    assertFalse(load.isDone(), () -> "the load has ended: " + load.join());
    long beganMs = System.currentTimeMillis();
    ending.end(victim);
    load.join().must();
    Set<String> jobs = new TreeSet<>(Files.readAllLines(ids));
    assertEquals(ROUND_JOBS, jobs.size());
    Site.await(SOON, "all have run", () -> finished(jobs) == ROUND_JOBS);
    Map<String, JsonNode> all = site.jobs();
    for (String job : jobs) {
      assertEquals(1, all.get(job).path("run_count").asInt(), job);
    }
    return gapMs(beganMs, System.currentTimeMillis());
  }

  private ProcessHandle server(Home home) throws IOException {
    long pid = Long.parseLong(Files.readString(home.pid("server")).split(" ")[0]);
    return ProcessHandle.of(pid).orElseThrow();
  }

  private Home ownerOfZero() {
    return owned(first).get(0).startsWith("0 ") ? first : second;
  }

  private void bothHaveShards() throws Exception {
    Site.await(
        SOON, "both have shards", () -> owned(first).size() == 1 && owned(second).size() == 1);
  }

  private int ownedOfBoth() {
    int owned = 0;
    for (Home home : List.of(first, second)) {
      owned += Files.exists(home.ready("server")) ? owned(home).size() : 0;
    }
    return owned;
  }

  private Shell.Answer submit(Account user, Path work, Home home, int jobs, String queue) {
    String qsub = home.bin() + "/qsub -q " + queue + " -j oe -o /dev/null -- /bin/true";
    String line = "for i in $(seq " + jobs + "); do " + qsub + " >>ids || exit; sleep 0.1; done";
    try {
      return site.run(user, work, QSUBS, line);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  private long finished(Set<String> jobs) {
    try {
      return site.jobs().entrySet().stream()
          .filter(job -> jobs.contains(job.getKey()))
          .map(Map.Entry::getValue)
          .filter(job -> job.path("job_state").asText().equals("F"))
          .count();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The longest time between two starts, from before the drain until after it. */
  private long gapMs(long beganMs, long endedMs) throws Exception {
    Map<String, Object> monitor = site.client(KafkaPrincipal.MONITOR);
    List<Long> starts =
        TopicContents.read(monitor, "ledger").stream()
            .filter(RunGranted.class::isInstance)
            .map(fact -> ((RunGranted) fact).getMeta().getAtMs())
            .filter(atMs -> atMs > beganMs - 2_000 && atMs < endedMs + 10_000)
            .sorted()
            .toList();
    long longest = 0;
    for (int i = 1; i < starts.size(); i++) {
      longest = Math.max(longest, starts.get(i) - starts.get(i - 1));
    }
    assertTrue(starts.size() > 10, "starts are seen");
    return longest;
  }
}
