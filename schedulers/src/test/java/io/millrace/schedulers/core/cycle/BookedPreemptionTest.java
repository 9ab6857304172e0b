package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What is booked anew may break a promise, whose job then looks for somebody to preempt: a job
 * above others waits here for nodes of its own level's runs.
 */
class BookedPreemptionTest extends ReservationCycleFixture {
  private static final List<NodeShare> SHARES =
      List.of(new NodeShare("n1", "h1", 1, Map.of("ncpus", 8L)));

  @BeforeEach
  void anExpressJobWaits() {
    state
        .facts()
        .written(Records.object(ObjectKind.QUEUE, "express", "started", "True", "Priority", "150"));
    submit(1, "express", "ncpus=8,walltime=100");
    submit(2, "express", "ncpus=8,walltime=100");
    submit(3, "express", "ncpus=8,walltime=100");
    assertEquals("1:n1*1 2:n2*1", cycle());
    assertEquals("", cycle());
    assertFalse(looks(), "nobody is below it");
  }

  private boolean looks() {
    return state.books().preemption().due();
  }

  private Reservation asked(int fromS, int toS) {
    ReservationSpec spec =
        SampleReservations.spec("pbs-default", at(fromS), at(toS), "select=1:ncpus=8");
    return SampleReservations.asked(1, spec);
  }

  @Test
  void aNewBookingHasItLookAgain() {
    Reservation asked = asked(150, 250);
    tell(asked);
    assertFalse(looks(), "it lies on nothing yet");
    tell(SampleReservations.confirmed(asked, SHARES));
    assertTrue(looks());
  }

  @Test
  void soDoesOneOfALaterOccurrence() {
    Reservation asked = asked(150, 160);
    tell(asked);
    Reservation confirmed = SampleReservations.confirmed(asked, SHARES);
    tell(confirmed);
    cycle();
    assertFalse(looks());
    Reservation again =
        Reservation.newBuilder(confirmed).setRevision(confirmed.getRevision() + 1).build();
    again.getSpec().setRule("FREQ=HOURLY;COUNT=2");
    again.getSpec().setLaterMs(List.of(at(170)));
    again.setPlacements(List.of(new Placement(again.getShares(), again.getBooked(), "")));
    again.setLies(List.of(0));
    tell(again);
    assertTrue(looks());
  }
}
