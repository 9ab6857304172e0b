package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cluster's jobs hold that are no runs of ours. */
class OtherJobsTest {

  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final OutsideTag TAG = new OutsideTag("c1", "1", 1);

  @TempDir Path folder;

  private RunJournal journal;
  private OtherJobs others;

  @BeforeEach
  void open() throws IOException {
    journal = RunJournal.open(folder);
    others = new OtherJobs(journal);
    journal.put(OutsideRun.ordered(RunSubmitterTest.order(1, "q"), NOW).aboutToSubmit(NOW));
  }

  @AfterEach
  void close() throws IOException {
    journal.close();
  }

  private static OutsideJob job(
      long number, String account, Optional<OutsideTag> tag, OutsideState state, String place) {
    OutsideId id = OutsideId.of(number);
    return new OutsideJob(
        id,
        "j",
        account,
        tag,
        state,
        "r",
        Optional.of(NOW),
        place,
        4,
        Optional.empty(),
        "",
        List.of());
  }

  private Map<String, Map<String, Long>> held(OutsideJob... jobs) {
    others.take(List.of(jobs));
    return others.held();
  }

  private static OutsideJob other(OutsideState state, String place) {
    return job(9, "bob", Optional.empty(), state, place);
  }

  @Test
  void whatRunsOrEndsHoldsItsProcessors() {
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(other(OutsideState.RUNNING, "q@vm.site")));
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(other(OutsideState.ENDING, "VM")));
    assertEquals(Map.of(), held(other(OutsideState.WAITING, "")));
    assertEquals(Map.of(), held(other(OutsideState.SUSPENDED, "vm")));
    assertEquals(
        Map.of("n1", Map.of("ncpus", 2L), "n2", Map.of("ncpus", 2L)),
        held(other(OutsideState.RUNNING, "n[1-2]")));
    assertEquals(
        Map.of("vm", Map.of("ncpus", 8L)),
        held(other(OutsideState.RUNNING, "vm"), other(OutsideState.RUNNING, "vm")));
  }

  /** Where the queue says what a job has of each host, that counts and no equal part. */
  @Test
  void whatTheQueueSaysOfEachHost() {
    OutsideJob job =
        other(OutsideState.RUNNING, "n[1-2]")
            .having(
                List.of(
                    OutsideHolding.of("N1.site", Map.of("ncpus", 3L, "mem", 1L << 30, "ngpus", 0L)),
                    OutsideHolding.of("n2", Map.of("ncpus", 1L, "ngpus", 2L))));
    assertEquals(
        Map.of("n1", Map.of("ncpus", 6L, "mem", 2L << 30), "n2", Map.of("ncpus", 2L, "ngpus", 4L)),
        held(job, job));
  }

  @Test
  void runsOfOursAreNotCounted() throws Exception {
    OutsideJob own = job(7, "alice", Optional.of(TAG), OutsideState.RUNNING, "vm");
    assertEquals(Map.of(), held(own), "its number is not known yet");
    journal.put(journal.run(TAG).orElseThrow().submittedAs(OutsideId.of(7), NOW));
    assertEquals(Map.of(), held(own));
    // A copy of it, or one that only says to be it.
    OutsideJob copy = job(8, "alice", Optional.of(TAG), OutsideState.RUNNING, "vm");
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(own, copy));
  }

  /** Its mark is the array's, and which task it is its number says. */
  @Test
  void tasksOfOursAreNotCountedBeforeTheArraysNumberIsKnown() throws Exception {
    OutsideTag array = new OutsideTag("c1", "2", 1);
    OutsideRun run = OutsideRun.ordered(RunSubmitterTest.order(3, "q"), NOW);
    journal.put(run.aboutToSubmit(NOW, Optional.of(new OutsideTask(array, 2))));
    String owner = run.account();
    assertEquals(Map.of(), held(task(2, owner, array)));
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(task(3, owner, array)), "none of ours");
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(task(2, "bob", array)));
  }

  private static OutsideJob task(long index, String account, OutsideTag mark) {
    return new OutsideJob(
        new OutsideId(9, index),
        "j",
        account,
        Optional.of(mark),
        OutsideState.RUNNING,
        "r",
        Optional.of(NOW),
        "vm",
        4,
        Optional.empty(),
        "",
        List.of());
  }

  @Test
  void nobodyHidesAJobBehindTheMarkOfAnother() {
    OutsideJob marked = job(8, "bob", Optional.of(TAG), OutsideState.RUNNING, "vm");
    assertEquals(Map.of("vm", Map.of("ncpus", 4L)), held(marked));
  }
}
