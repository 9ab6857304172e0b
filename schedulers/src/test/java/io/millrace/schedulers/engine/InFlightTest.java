package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.RunGranted;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightTest {
  private static final long LATE = 1000;

  private final InFlight inFlight = new InFlight(LATE / 2);

  private static CommandId id(int last) {
    byte[] bytes = new byte[16];
    bytes[15] = (byte) last;
    return new CommandId(bytes);
  }

  private static RunGranted granted(int cause, String job) {
    FactMeta meta = new FactMeta(1L, 1L, id(cause), "u");
    return new RunGranted(meta, job, 1, "default", 3L, Records.allocation(List.of()));
  }

  private List<Long> open() {
    return inFlight.expire(LATE).stream().map(InFlight.OpenProposal::jobNumber).toList();
  }

  private void propose(int id, long job) {
    inFlight.add(id(id), InFlight.ProposalKind.START, job, 0);
  }

  @Test
  void whatIsGrantedIsNoLongerOpen() {
    propose(1, 7);
    propose(2, 8);
    inFlight.confirmed(granted(1, "7.vm"));
    assertEquals(List.of(8L), open());
  }

  /** An engine apart may give up a start that is on its way, and propose the job again. */
  @Test
  void anEarlierStartOfTheSameJobMakesTheLaterOneUseless() {
    propose(1, 7);
    propose(2, 8);
    assertEquals(List.of(7L), inFlight.takeStarts(it -> it == 7));
    propose(3, 7);
    inFlight.confirmed(granted(1, "7.vm"));
    assertEquals(List.of(8L), open());
  }
}
