package io.millrace.connectors.local.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunStarted;
import java.nio.ByteBuffer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Which reports wait for others, and how long. */
class WaitingReportsTest {
  private static final long PATIENCE = WaitingReports.PATIENCE_NANOS;

  private final WaitingReports waiting = new WaitingReports();
  private final Report begun = report(new ReportRunStarted());
  private final Report ended = report(new ReportRunFinished());

  private static Report report(SpecificRecord command) {
    return new Report(null, 0, ByteBuffer.allocate(0), command, () -> {});
  }

  @Test
  void aBeginWaitsForTheEnd() {
    waiting.add(begun, 1_000);
    assertEquals(PATIENCE, waiting.patienceNanos(1_000));
    assertEquals(PATIENCE - 10, waiting.patienceNanos(1_010));
    waiting.add(ended, 1_010);
    assertEquals(0, waiting.patienceNanos(1_010), "an end frees a place");
    assertSame(begun, waiting.remove(1_011), "in their order");
    assertSame(ended, waiting.remove(1_012));
  }

  @Test
  void itWaitsNoLongerThanAMoment() {
    waiting.add(begun, 1_000);
    waiting.add(report(new ReportRunStarted()), 1_000 + PATIENCE - 1);
    assertEquals(1, waiting.patienceNanos(1_000 + PATIENCE - 1));
    assertEquals(0, waiting.patienceNanos(1_000 + PATIENCE));
    waiting.remove(1_000 + PATIENCE);
    assertEquals(0, waiting.patienceNanos(1_000 + PATIENCE), "the others go with the first");
    waiting.remove(1_000 + PATIENCE);
    waiting.add(begun, 5 * PATIENCE);
    assertEquals(PATIENCE, waiting.patienceNanos(5 * PATIENCE), "the next one waits again");
  }

  @Test
  void whatIsSentAgainGoesAtOnceAndFirst() {
    waiting.add(ended, 1_000);
    waiting.putBack(begun, 2_000);
    assertEquals(0, waiting.patienceNanos(2_000));
    assertSame(begun, waiting.remove(2_000));
    assertSame(ended, waiting.remove(2_000));
    waiting.putBack(begun, 3_000);
    assertEquals(0, waiting.patienceNanos(3_000), "it has waited");
    assertEquals(1, waiting.size());
  }
}
