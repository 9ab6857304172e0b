package io.millrace.schedulers.dialects.origin2000.live;

import static io.millrace.schedulers.dialects.origin2000.live.OriginMachineRoom.MONDAY_TEN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Dedicated times of hosts are what the ledger says that the site's program has said. */
class LiveDedicatedTimeTest {
  private static final long T = MONDAY_TEN;
  private static final String NONE = "No scheduled downtime for the specified period.\n";
  private static final String ELEVEN = "h1 11/23/2026 11:00-12:00 11/23/2026\n";
  private static final String WAITS_FOR_END =
      "Waiting for end of dedicated time (h1 11/23/2026 12:00)";

  private final OriginMachineRoom room = new OriginMachineRoom("");

  private void config(String options) {
    room.config(
        "SUBMIT_QUEUE submit\nBATCH_QUEUES b1@h1,b2@h2\nDEDICATED_QUEUES d1@h1\n"
            + "SORT_BY_PAST_USAGE False\nAVOID_FRAGMENTATION False\nENFORCE_DEDICATED_TIME True\n"
            + "DEDICATED_TIME_COMMAND /opt/times\n"
            + options);
  }

  @Test
  void aHostWhoseDedicatedTimesNobodyKnowsStartsNothing() {
    config("");
    room.job(1, "ann", "ncpus=8,walltime=60", T);
    assertEquals(List.of(), room.cycle(T));
    room.dedicatedTimes("h2", NONE);
    assertTrue(room.due(T));
    assertEquals(List.of("1 b2 h2"), room.cycle(T), "that of h1 is not known yet");
  }

  @Test
  void theHostIsEmptyOfOthersFromItsFirstSecondAndItsQueueRunsWithin() {
    config("");
    room.dedicatedTimes("h1", ELEVEN, "h2", NONE);
    room.job(1, "ann", "ncpus=8,walltime=3600", T);
    room.job(2, "ann", "ncpus=8,walltime=3599", T);
    room.job(3, "d1", "root", "ncpus=8,walltime=600", T);
    assertEquals(List.of("2 b1 h1", "1 b2 h2"), room.cycle(T), "what ends before, and elsewhere");
    assertEquals(
        "Waiting for start of dedicated time (h1 11/23/2026 11:00)", room.comment(3), "told");
    room.job(4, "ann", "ncpus=8,walltime=599", T + 1);
    room.cycle(T + 1);
    room.ends(2);
    assertEquals(List.of("4 b1 h1"), room.cycle(T + 3000));
    assertEquals(T + 3600, room.dueS(), "when it begins");
    room.ends(4);
    room.job(5, "ann", "ncpus=8,walltime=60", T + 3599);
    assertEquals(List.of(), room.cycle(T + 3599));
    assertEquals(
        "Can't complete before next dedicated time (h1 11/23/2026 11:00)", room.comment(5));
    assertEquals(List.of("3 d1 h1"), room.cycle(T + 3600));
    room.ends(3);
    assertEquals(List.of(), room.cycle(T + 4300));
    assertEquals(T + 4300 + 600, room.dueS(), "scheduler_iteration");
    room.cycle(T + 7000);
    assertEquals(T + 7200, room.dueS(), "its end");
    assertEquals(List.of("5 b1 h1"), room.cycle(T + 7200));
  }

  @Test
  void theSystemsTimesCountOnAllHostsAndAreWaitedForToo() {
    config("SYSTEM_NAME Origin\nDEDICATED_TIME_CACHE_SECS 3600\n");
    room.dedicatedTimes("h1", NONE, "h2", NONE);
    room.job(1, "ann", "ncpus=8,walltime=3600", T);
    assertEquals(List.of(), room.cycle(T), "those of the system are not known yet");
    room.dedicatedTimes("h1", NONE, "h2", NONE, "origin", ELEVEN.replace("h1", "origin"));
    assertEquals(List.of(), room.cycle(T));
    assertTrue(room.comment(1).startsWith("Can't complete before next"), room.comment(1));
    room.dedicatedTimes("h1", NONE, "h2", NONE, "origin", NONE);
    assertEquals(List.of("1 b1 h1"), room.cycle(T + 1), "what is new counts at once");
  }

  @Test
  void withoutEnforcingNothingIsAskedFor() {
    config("ENFORCE_DEDICATED_TIME 11/23/2026@10:30:00\n");
    room.job(1, "ann", "ncpus=8,walltime=7200", T);
    assertEquals(List.of("1 b1 h1"), room.cycle(T));
    room.ends(1);
    room.job(2, "d1", "root", "ncpus=8,walltime=600", T);
    room.cycle(T + 1500);
    assertEquals(
        "Dedicated time is not being enforced (until 11/23/2026@10:30:00)", room.comment(2));
    assertEquals(T + 1800, room.dueS(), "then it is");
    room.dedicatedTimes("h1", "h1 11/23/2026 10:00-12:00 11/23/2026\n", "h2", NONE);
    room.job(3, "ann", "ncpus=8,walltime=600", T);
    assertEquals(List.of("3 b2 h2", "2 d1 h1"), room.cycle(T + 1800));
    room.job(4, "ann", "ncpus=8,walltime=600", T);
    assertEquals(List.of(), room.cycle(T + 1801));
    assertFalse(WAITS_FOR_END.equals(room.comment(4)), "h2 is full, which it is told");
  }

  @Test
  void aCommandWithoutItsWholePathIsRefused() {
    config("DEDICATED_TIME_COMMAND times\n");
    room.job(1, "ann", "ncpus=8,walltime=60", T);
    assertEquals(List.of(), room.cycle(T));
    assertTrue(room.comment(1).contains("DEDICATED_TIME_COMMAND: a live"), room.comment(1));
  }
}
