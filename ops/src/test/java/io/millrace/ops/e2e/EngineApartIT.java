package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Principal;
import io.millrace.schemas.RecordCodec;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Engines in processes of their own: one that is never obeyed, one that begins at a snapshot, one
 * that lets a suspended run go on.
 */
@Beside
class EngineApartIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int FACTS = 40;
  private static final int JOBS = 60;

  @Test
  void aShadowIsNotObeyedAndASnapshotStandsForWhatWasCutOff() throws Exception {
    try (Site site = Site.prepare("engineapart")) {
      Account user = site.user("mrapart");
      Process shadow = null;
      try {
        site.up("--apart-engine --resources ncpus=4").must();
        Path work = site.folderOf(user, "work");
        Path log = site.folder().resolve("shadow.log");
        shadow = shadow(site, log);
        Site.await(SOON, "the shadow is ready", () -> said(log).contains("ready, shadow of"));
        isNotObeyed(site, user, work, log);
        shadow.destroy();
        assertTrue(said(log).contains("as decided here"), said(log));
        beginsAtTheSnapshot(site, user, work);
      } finally {
        if (shadow != null) {
          shadow.destroyForcibly();
        }
      }
    }
  }

  /** Whatever an engine proposes finds its way out of its process. */
  @Test
  void aSuspendedRunGoesOn() throws Exception {
    try (Site site = Site.prepare("engineapartsuspend")) {
      Account user = site.user("mrapartsusp");
      site.up("--apart-engine --resources ncpus=2").must();
      Path work = site.folderOf(user, "work");
      ProcessHandle engine = site.processes().get("engine");
      String first = waitFor(site, user, work, "go-first");
      site.awaitState(first, "R");
      site.run("qsig -s suspend " + first).must();
      assertEquals("S", site.state(first));
      String second = waitFor(site, user, work, "go-second");
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
      site.awaitState(submit(site, user, work, ""), "F");
    }
  }

  /** A job of all processors that ends when there is such a file. */
  private static String waitFor(Site site, Account user, Path work, String file) throws Exception {
    String wait = "'until [ -e " + work.resolve(file) + " ]; do sleep 0.05; done'";
    return site.run(user, work, "qsub -l ncpus=2 -j oe -o /dev/null -- /bin/sh -c " + wait)
        .must()
        .strip();
  }

  private static void isNotObeyed(Site site, Account user, Path work, Path log) throws Exception {
    String first = submit(site, user, work, "");
    site.awaitState(first, "F");
    Site.kill(List.of(site.processes().get("engine")));
    String second = submit(site, user, work, "");
    Site.await(SOON, "the shadow decides", () -> said(log).contains("would run " + second + " on"));
    // The decision is there, and nothing comes of it: the next command is answered after it.
    submit(site, user, work, "-h");
    assertEquals("Q", site.state(second));
    for (Object fact : Tape.read(site.client(Principal.MONITOR), "ledger")) {
      assertFalse(fact instanceof RunGranted run && run.getJobId().equals(second), "it was obeyed");
      assertFalse(fact instanceof EngineStarted start && start.getShadow() && start.getEpoch() > 0);
    }
    site.up("").must();
    site.awaitState(second, "F");
    assertEquals(1, site.job(second).path("run_count").asInt());
    Site.await(
        SOON, "the shadow compares", () -> said(log).contains(second + " runs as decided here"));
  }

  private static void beginsAtTheSnapshot(Site site, Account user, Path work) throws Exception {
    site.run("qmgr -c 'set server ledger_snapshot_facts = " + FACTS + "'").must();
    for (int i = 0; i < JOBS; i++) {
      submit(site, user, work, "-h");
    }
    Site.await(SOON, "a snapshot is complete", () -> snapshot(site)[0] >= 0);
    Site.kill(List.of(site.processes().get("engine")));
    long[] found = snapshot(site);
    Map<String, Object> settings = new HashMap<>(site.client(Principal.ADMIN));
    try (Admin admin = Admin.create(settings)) {
      TopicPartition place = new TopicPartition("ledger", (int) found[1]);
      admin
          .deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(found[0])))
          .lowWatermarks()
          .get(place)
          .get();
    }
    String waiting = submit(site, user, work, "");
    site.up("").must();
    Path log = site.home().printed("engine");
    assertTrue(said(log).contains("starts from a snapshot of "), said(log));
    site.awaitState(waiting, "F");
  }

  /** Offset and shard of the beginning of the last completed snapshot with jobs; -1 for none. */
  private static long[] snapshot(Site site) {
    long[] found = {-1, -1};
    try {
      RecordCodec codec = Codecs.open(site.client(Principal.MONITOR));
      Map<String, Long> begun = new HashMap<>();
      for (ConsumerRecord<byte[], byte[]> record :
          Tape.records(site.client(Principal.MONITOR), "ledger")) {
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

  private static Process shadow(Site site, Path log) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            site.libraries() + "/*",
            "io.millrace.schedulers.engine.EngineApartMain",
            "--properties",
            site.home().client(Principal.ENGINE).toString(),
            "--scheduler",
            "default",
            "--shadow")
        .redirectInput(new File("/dev/null"))
        .redirectOutput(log.toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static String submit(Site site, Account user, Path work, String options)
      throws Exception {
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
