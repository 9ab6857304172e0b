package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.openpbs.PbsKind;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a real OpenPBS has said. What needs a live one is {@link OpenPbsContractIT}'s. */
class OpenPbsReplayTest extends ReplayContract {

  @Override
  OutsideKind kind() {
    return new PbsKind();
  }

  @Override
  ReplayedSystem replayed() throws IOException {
    assumeTrue(
        Files.isDirectory(RecordedOpenPbs.RECORDED),
        "no recordings at " + RecordedOpenPbs.RECORDED);
    return new RecordedOpenPbs();
  }

  private static final OutsideEnd KILLED = new OutsideEnd(-1, 15, OutsideCause.SIGNALLED, "script");

  /** The wrapper knows no more of a script that is killed at its limit than the signal. */
  @Test
  void withoutAccountingTheHistorySaysWhyAJobHasEndedAndWhatItHasUsed() throws Exception {
    withoutAccounting();
    running();
    exit = Optional.of(KILLED);
    ((RecordedOpenPbs) replayed).endedAs(-29);
    OutsideRun run = pass(8);
    assertEquals(OutsideRunState.ENDED, run.state());
    OutsideEnd end = run.end().orElseThrow();
    assertEquals(OutsideCause.TIME_LIMIT, end.cause(), end::words);
    assertEquals(6000, end.usage().orElseThrow().walltimeMs());
    assertTrue(end.usage().orElseThrow().memKb() > 0, end::toString);
  }

  /** The script's own status, with what the history says that it has used. */
  @Test
  void anEndByItselfIsTheWrappersWithTheUsageOfTheHistory() throws Exception {
    withoutAccounting();
    running();
    exit = Optional.of(new OutsideEnd(3, 0, OutsideCause.EXITED, "script"));
    ((RecordedOpenPbs) replayed).endedAs(3);
    OutsideEnd end = pass(8).end().orElseThrow();
    assertEquals(3, end.status());
    assertEquals(6000, end.usage().orElseThrow().walltimeMs());
  }

  /** A server that keeps no history does not know the number. */
  @Test
  void withoutHistoryItEndsAsItsWrapperSays() throws Exception {
    withoutAccounting();
    running();
    exit = Optional.of(KILLED);
    replayed.queueWithoutJobs();
    OutsideEnd end = pass(8).end().orElseThrow();
    assertEquals(OutsideCause.SIGNALLED, end.cause());
    assertEquals(Optional.empty(), end.usage());
  }

  @Override
  void inventory(OutsideInventory found) {
    assertEquals("vm", found.hosts().get(0).name());
    assertEquals(64, found.hosts().get(0).cpus());
    assertEquals(List.of("workq", "wq1", "wq2", "r1"), found.queues());
  }
}
