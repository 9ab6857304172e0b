package io.millrace.schedulers.dialects.origin2000.live;

import static io.millrace.schedulers.dialects.origin2000.live.OriginMachineRoom.MONDAY_TEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Allocations are what the ledger says of the site's files; and what is only tried is not done. */
class LiveAllocationsTest {
  private static final long T = MONDAY_TEN;
  private static final Instant NOW = Instant.ofEpochSecond(T);
  private static final String HUNDRED = "P= All users = users = 100\n";

  private final OriginMachineRoom room = new OriginMachineRoom("");

  private void config(String options) {
    room.config(
        "SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1\nSORT_BY_PAST_USAGE False\n"
            + "AVOID_FRAGMENTATION False\nSCHED_ACCT_DIR /opt/acct\n"
            + options);
  }

  @Test
  void nothingIsStartedOrDeletedBeforeBothFilesAreKnown() {
    config("ENFORCE_ALLOCATION True\n");
    room.job(1, "ann", "ncpus=2,walltime=600", T);
    OriginCycles.OriginCycleOutcome outcome = room.cycle(NOW);
    assertEquals(0, outcome.starts().size() + outcome.deletions().size());
    assertTrue(room.comment(1).startsWith("Allocations have not been read yet"), room.comment(1));
    room.accounts(HUNDRED, "", 1);
    assertTrue(room.due(T));
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
  }

  @Test
  void jobsOfAGroupThatHasUsedItsAllocationAreDeleted() {
    config("ENFORCE_ALLOCATION True\n");
    room.accounts(HUNDRED, "ann users 3 90\n", 1);
    room.charged("ann", 9);
    room.job(1, "ann", "ncpus=2,walltime=600", T);
    room.job(2, "bob", "ncpus=2,walltime=600", T);
    OriginCycles.OriginCycleOutcome outcome = room.cycle(NOW);
    assertEquals(List.of(1L), outcome.starts().stream().map(OriginStart::number).toList());
    assertEquals(1, outcome.deletions().size(), "90 of the file, 9 since, and the first");
    room.accounts(HUNDRED, "ann users 3 50\n", 2);
    room.job(3, "bob", "ncpus=2,walltime=600", T);
    assertEquals(1, room.cycle(NOW).starts().size(), "the file has what was used until then");
  }

  @Test
  void withoutEnforcingTheFilesDoNotCount() {
    config("ENFORCE_ALLOCATION 11/23/2026@10:30:00\n");
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
    room.job(2, "ann", "ncpus=8,walltime=600", T);
    room.cycle(T + 1500);
    assertEquals(T + 1800, room.dueS(), "then they do");
    room.cycle(T + 1800);
    assertTrue(room.comment(2).startsWith("Allocations have not been read yet"), room.comment(2));
  }

  @Test
  void whatIsOnlyTriedIsSaidAndNotDone() {
    config("TEST_ONLY True\n");
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    room.job(2, "ann", "ncpus=8,walltime=600", T);
    OriginCycles.OriginCycleOutcome outcome = room.cycle(NOW);
    assertEquals(0, outcome.starts().size());
    assertEquals(List.of(1L), List.copyOf(outcome.tried().keySet()));
    assertEquals(
        "TEST_ONLY is set, nothing is done: it would start in queue b1 on host h1",
        room.comment(1));
    assertEquals("TEST_ONLY is set, nothing is done: it would not start now", room.comment(2));
    assertEquals(0, room.cycle(NOW).tried().size(), "no news");
    config("TEST_ONLY True\nFAKE_MACHINE_MULT 2\n");
    room.job(3, "bob", "ncpus=16,walltime=600", T);
    assertEquals(List.of(3L), List.copyOf(room.cycle(NOW).tried().keySet()), "twice as large");
    config("");
    assertEquals(List.of("1 b1 h1"), room.cycle(T + 1));
  }

  @Test
  void filesAreToldByWholePaths() {
    config("ENFORCE_ALLOCATION True\nSCHED_ACCT_DIR acct\n");
    room.job(1, "ann", "ncpus=8,walltime=600", T);
    room.cycle(T);
    assertTrue(room.comment(1).contains("SCHED_ACCT_DIR: a live"), room.comment(1));
  }
}
