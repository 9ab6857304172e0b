package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.Installation;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.registry.Codecs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Engines in processes of their own: a shadow, one that starts from a snapshot, one that resumes a
 * suspended run.
 */
@Beside
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("night")
class EngineApartIT {
  private static final Duration QSUBS = Duration.ofSeconds(300);
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final int PROCESSORS = 4;

  /** Two to three seconds of silence, and half of one until the shard looks. */
  private static final long MISSED_MS = 5_000;

  private static final int CLIENTS = 3;
  private static final int FACTS = 40;
  private static final int JOBS = 60;

  /** First port of those at which the parts tell their health. */
  private static final int HEALTH = 19_400;

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("engineapart");
    site.up("--no-keeper --shards 2 --apart-engine --resources ncpus=" + PROCESSORS).must();
    user = site.user("mrapart");
    work = site.folderOf(user, "work");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  /** All kinds of proposals reach the shard from a separate process. */
  @Test
  @Order(1)
  void aSuspendedRunGoesOn() throws Exception {
    ProcessHandle engine = site.processes().get("engine");
    String first = waitFor("go-first");
    site.awaitState(first, "R");
    site.run("qsig -s suspend " + first).must();
    assertEquals("S", site.state(first));
    String second = waitFor("go-second");
    site.awaitState(second, "R");
    site.run("qsig -s resume " + first).must();
    assertEquals("S", site.state(first), "there is no room yet");
    Files.createFile(work.resolve("go-second"));
    site.awaitState(second, "F");
    site.awaitState(first, "R");
    Files.createFile(work.resolve("go-first"));
    site.awaitState(first, "F");
    assertEquals(1, site.job(first).path("run_count").asInt());
    assertFalse(Machine.gone(engine), () -> said(site.home().printed("engine")));
    site.awaitState(submit(""), "F");
  }

  /** Before the others: their deaths, too, would count for an hour. */
  @Test
  @Order(2)
  void oneThatDiesAgainAndAgainNeedsAttentionUntilItHasWorkedForAMinute() throws Exception {
    site.qmgr("set sched default takeover_time = 0");
    for (int death = 1; death <= 3; death++) {
      assertFalse(sched("comment").contains("NEEDS_ATTENTION"), "at the third time only");
      Site.kill(List.of(site.processes().get("engine")));
      Site.await(SOON, "it is down", () -> sched("state").contains("state = down"));
      site.up("--keep").must();
      Site.await(SOON, "it is back", () -> sched("state").contains("state = idle"));
    }
    assertTrue(sched("comment").contains("comment = NEEDS_ATTENTION"), sched("comment"));
    site.awaitState(submit(""), "F");
    Site.await(SOON, "it works", () -> sched("comment").contains("comment = READY_TO_USE"));
  }

  @Test
  @Order(3)
  void anEngineThatDiedIsMissedAndTheServersOwnTakesOverUntilItIsBack() throws Exception {
    site.qmgr("set sched default takeover_time = 0");
    long killedMs = System.currentTimeMillis();
    Site.kill(List.of(site.processes().get("engine")));
    Site.await(SOON, "it is down", () -> sched("state").contains("state = down"));
    String words = "Unable to reach scheduler associated with ";
    assertTrue(sched("comment").contains(words + "partition pbs-default"), sched("comment"));
    long missedMs = missedMs(killedMs);
    System.out.println("engine apart: missed after " + missedMs + " ms");
    assertTrue(missedMs <= MISSED_MS, "missed after " + missedMs + " ms");
    String waiting = submit("");
    assertTrue(site.run("why " + waiting).must().contains(words + "job " + waiting));
    Shell.Answer status = site.launcher("status", "");
    assertTrue(status.out().contains("scheduler default is down: " + words), status.out());
    assertEquals(1, status.status());
    Path log = site.home().root().resolve("server_logs");
    Site.await(SOON, "the log tells", () -> logged(log).contains(words + "partition pbs-default"));
    assertEquals("Q", site.state(waiting), "nobody takes over");
    site.qmgr("set sched default takeover_time = 1");
    site.awaitState(waiting, "F");
    assertTrue(sched("state").contains("state = idle"));
    site.up("--keep").must();
    Site.await(SOON, "it is back", () -> lastStart().getApart());
    site.awaitState(submit(""), "F");
    site.qmgr("set sched default takeover_time = 0");
  }

  /** The shard always has something to decide meanwhile, so that its ledger has no end. */
  @Test
  @Order(4)
  void itComesBackWhileJobsAreSubmitted() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Future<String>> last = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        last.add(clients.submit(() -> submitUntil(over)));
      }
      long epoch = lastStart().getEpoch();
      Site.kill(List.of(site.processes().get("engine")));
      site.up("--keep").must();
      Site.await(SOON, "it is back", () -> lastStart().getEpoch() > epoch);
      assertTrue(lastStart().getApart());
      over.set(true);
      for (Future<String> job : last) {
        site.awaitState(job.get(SOON.toSeconds(), TimeUnit.SECONDS), "F");
      }
    } finally {
      over.set(true);
      clients.shutdownNow();
    }
  }

  private String submitUntil(AtomicBoolean over) throws Exception {
    String job = submit("");
    while (!over.get()) {
      job = submit("");
    }
    return job;
  }

  private String sched(String attribute) {
    try {
      return site.run("qmgr -c 'list sched default " + attribute + "'").must();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Time from the death of the engine until the shard knew of it. */
  private long missedMs(long killedMs) throws Exception {
    for (Object fact : TopicContents.read(site.client(KafkaPrincipal.MONITOR), "ledger")) {
      if (fact instanceof EngineNoted noted && noted.getMeta().getAtMs() > killedMs) {
        return noted.getMeta().getAtMs() - killedMs;
      }
    }
    return Long.MAX_VALUE;
  }

  private EngineStarted lastStart() {
    return lastStart("default");
  }

  private EngineStarted lastStart(String scheduler) {
    EngineStarted last = null;
    try {
      for (Object fact : TopicContents.read(site.client(KafkaPrincipal.MONITOR), "ledger")) {
        boolean ours =
            fact instanceof EngineStarted start && start.getScheduler().equals(scheduler);
        last = ours ? (EngineStarted) fact : last;
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return last;
  }

  private static String logged(Path folder) {
    try (Stream<Path> days = Files.list(folder)) {
      return days.sorted().map(EngineApartIT::said).collect(Collectors.joining());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Of a scheduler object that is not there yet, and one day not any more. */
  @Test
  @Order(5)
  void anotherSchedulersEngineHasAProcessOfItsOwnAndWaitsForItsObject() throws Exception {
    site.launcher("down", "").must();
    String said = site.up("--apart-engine default,night --health " + HEALTH).must();
    String waits = "engine-night waits: Unknown Scheduler night";
    assertTrue(said.contains(waits), said);
    Shell.Answer status = site.launcher("status", "");
    assertTrue(status.out().matches("(?s).*engine-night +waits .*"), status.out());
    assertTrue(status.out().matches("(?s).*:" + (HEALTH + 100) + " +Unknown Scheduler.*"), said);
    assertEquals(1, status.status());
    site.awaitState(submit(""), "F");
    makeNight();
    site.awaitState(submit("-q nightq"), "F");
    assertTrue(lastStart("night").getApart());
    status = site.launcher("status", "");
    assertTrue(status.out().matches("(?s).*:" + (HEALTH + 100) + " +ready\n.*"), status.out());
    assertEquals(0, status.status(), status.out());
    Site.kill(List.of(site.processes().get("engine-night")));
    site.awaitState(submit(""), "F");
    long epoch = lastStart("night").getEpoch();
    site.up("--keep").must();
    site.awaitState(submit("-q nightq"), "F");
    assertTrue(lastStart("night").getEpoch() > epoch);
    unmakeNight();
    Path printed = site.home().printed("engine-night");
    Site.await(SOON, "it waits again", () -> said(printed).contains("waits: Unknown Scheduler"));
    makeNight();
    site.awaitState(submit("-q nightq"), "F");
    unmakeNight();
    site.launcher("down", "").must();
    assertEquals(Map.of(), site.processes());
    site.up("--apart-engine --no-health").must();
    assertFalse(site.processes().containsKey("engine-night"));
  }

  private void makeNight() throws Exception {
    site.qmgr("create sched night");
    site.qmgr("set sched night partition = NIGHT, scheduling = True");
    site.qmgr("create queue nightq queue_type=execution,enabled=True,started=True,partition=NIGHT");
    site.qmgr("create node night1 Mom=" + Installation.host(1) + ",partition=NIGHT");
    site.qmgr("set node night1 resources_available.ncpus = 1");
  }

  private void unmakeNight() throws Exception {
    site.run("qdel -x $(qselect -x -q nightq)").must();
    site.qmgr("delete node night1");
    site.qmgr("delete queue nightq");
    site.qmgr("delete sched night");
  }

  /** Runs last, since it cuts off the beginning of the ledger. */
  @Test
  @Order(6)
  void aShadowIsNotObeyedAndASnapshotStandsForWhatWasCutOff() throws Exception {
    Path log = site.folder().resolve("shadow.log");
    Process shadow = shadow(log);
    try {
      Site.await(SOON, "the shadow is ready", () -> said(log).contains("ready, shadow of"));
      isNotObeyed(log);
      shadow.destroy();
      assertTrue(said(log).contains("as decided here"), said(log));
      beginsAtTheSnapshot();
    } finally {
      shadow.destroyForcibly();
    }
  }

  /** Submits a job of all processors that ends once a file exists. */
  private String waitFor(String file) throws Exception {
    String wait = "'until [ -e " + work.resolve(file) + " ]; do sleep 0.05; done'";
    String options = "-l ncpus=" + PROCESSORS + " -j oe -o /dev/null";
    return site.run(user, work, "qsub " + options + " -- /bin/sh -c " + wait).must().strip();
  }

  private void isNotObeyed(Path log) throws Exception {
    String first = submit("");
    site.awaitState(first, "F");
    Site.kill(List.of(site.processes().get("engine")));
    String second = submit("");
    Site.await(SOON, "the shadow decides", () -> said(log).contains("would run " + second + " on"));
    // The shadow has decided, and nothing follows: a later command is answered and the job still
    // waits.
    submit("-h");
    assertEquals("Q", site.state(second));
    for (Object fact : TopicContents.read(site.client(KafkaPrincipal.MONITOR), "ledger")) {
      assertFalse(fact instanceof RunGranted run && run.getJobId().equals(second), "it was obeyed");
      assertFalse(fact instanceof EngineStarted start && start.getShadow() && start.getEpoch() > 0);
    }
    site.up("").must();
    site.awaitState(second, "F");
    assertEquals(1, site.job(second).path("run_count").asInt());
    Site.await(
        SOON, "the shadow compares", () -> said(log).contains(second + " runs as decided here"));
  }

  private void beginsAtTheSnapshot() throws Exception {
    site.qmgr("set server ledger_snapshot_facts = " + FACTS);
    String held = "for i in $(seq " + JOBS + "); do qsub -h -- /bin/true || exit; done";
    assertEquals(JOBS, site.run(user, work, QSUBS, held).must().lines().count());
    Site.await(SOON, "a snapshot is complete", () -> snapshot()[0] >= 0);
    Site.kill(List.of(site.processes().get("engine")));
    long[] found = snapshot();
    Map<String, Object> settings = new HashMap<>(site.client(KafkaPrincipal.ADMIN));
    try (Admin admin = Admin.create(settings)) {
      TopicPartition place = new TopicPartition("ledger", (int) found[1]);
      admin
          .deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(found[0])))
          .lowWatermarks()
          .get(place)
          .get();
    }
    String waiting = submit("");
    site.up("").must();
    Path log = site.home().printed("engine");
    assertTrue(said(log).contains("starts from a snapshot of "), said(log));
    site.awaitState(waiting, "F");
  }

  /** Offset and shard of the beginning of the last completed snapshot with jobs; -1 for none. */
  private long[] snapshot() {
    long[] found = {-1, -1};
    try {
      RecordCodec codec = Codecs.open(site.client(KafkaPrincipal.MONITOR));
      Map<String, Long> begun = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record :
          TopicContents.records(site.client(KafkaPrincipal.MONITOR), "ledger")) {
        Object fact = codec.decode(record.value());
        if (fact instanceof SnapshotBegun begin) {
          begun.put(record.partition() + "/" + begin.getMeta().getSeq(), record.offset());
        } else if (fact instanceof SnapshotCompleted end && record.partition() == 0) {
          found[0] = begun.getOrDefault(record.partition() + "/" + end.getSnapshot(), -1L);
          found[1] = record.partition();
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    return found;
  }

  private Process shadow(Path log) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            site.libraries() + "/*",
            "io.millrace.schedulers.engine.EngineApartMain",
            "--properties",
            site.home().client(KafkaPrincipal.ENGINE).toString(),
            "--scheduler",
            "default",
            "--shadow")
        .redirectInput(new File("/dev/null"))
        .redirectOutput(log.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private String submit(String options) throws Exception {
    return site.run(user, work, "qsub " + options + " -j oe -o /dev/null -- /bin/true")
        .must()
        .strip();
  }

  private static String said(Path log) {
    try {
      return Files.exists(log) ? Files.readString(log) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
