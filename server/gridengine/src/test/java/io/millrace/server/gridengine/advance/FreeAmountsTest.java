package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What reservations leave of licences, queues and environments in a window. */
class FreeAmountsTest {

  private static final Cluster CLUSTER =
      Configuration.stored(
              Configuration.join(
                  Map.of(
                      "complex",
                          "slots s INT <= YES YES 1 1000\nlicense lic INT <= YES YES 0 0\n"
                              + "token tok INT <= YES JOB 0 0\n"
                              + "exclusive excl BOOL EXCL YES YES 0 1000\n",
                      "sched", "schedule_interval 0:0:1\n",
                      "queue.all.q", "qname all.q\nhostlist n1 n2\nslots 4\npe_list mpi\n",
                      "pe.mpi", "pe_name mpi\nslots 6\nallocation_rule $fill_up\n",
                      "host.n1", "hostname n1\ncomplex_values exclusive=true\n",
                      "host.global", "hostname global\ncomplex_values license=5,token=2\n")))
          .cluster();

  private final FreeAmounts amounts = new FreeAmounts(CLUSTER, new AdvanceTimes(100, 200));

  private static ReservationSpec spec(long from, long to, int slots, String... words) {
    return ReservationSpec.newBuilder()
        .setOwner("alice")
        .setSubmitHost("host")
        .setStartMs(from * 1000)
        .setEndMs(to * 1000)
        .setRequest(new ResourceRequest(List.of(), "free", -1L, Map.of()))
        .setResourceList(List.of())
        .setGridEngine(
            new GridEngineReservation(
                List.of(words), "mpi", List.of(new QueueSlots("all.q@n1", slots))))
        .build();
  }

  private String left() {
    Cluster left = amounts.of(CLUSTER);
    return left.global().offers().capacities()
        + " "
        + left.queue("all.q@n1").orElseThrow().offers().capacities()
        + " "
        + left.environment("mpi").orElseThrow().slots();
  }

  @Test
  void whatIsTakenAtEachLevelThroughoutTheWindow() {
    assertEquals("{license=5.0, token=2.0} {slots=4.0} 6", left());
    amounts.reservation(
        spec(150, 300, 2, "-N", "-l", "-pe", "mpi", "2", "-l", "license=1,token=1"));
    assertEquals("{license=3.0, token=1.0} {slots=2.0} 4", left(), "a slot's and a job's amounts");
    amounts.reservation(spec(50, 150, 2, "-l", "license=1"));
    assertEquals("{license=3.0, token=1.0} {slots=2.0} 4", left(), "one after the other");
    amounts.reservation(spec(200, 250, 4, "-l", "license=1"));
    assertEquals("{license=3.0, token=1.0} {slots=2.0} 4", left(), "behind the window");
  }

  /** Somebody has all slots of a host for himself, whatever he uses of them. */
  @Test
  void whoSharesAHostDoesNotMeetWhoWantsItForHimself() {
    ReservationSpec beside = spec(100, 200, 2);
    amounts.reservation(beside);
    assertEquals(true, amounts.enoughFor(beside));
    assertEquals(true, exclusiveOn("n1") < 1);
    FreeAmounts alone = new FreeAmounts(CLUSTER, new AdvanceTimes(100, 200));
    alone.reservation(spec(150, 300, 2, "-l", "exclusive=true"));
    alone.reservation(beside);
    assertEquals(false, alone.enoughFor(beside));
  }

  private double exclusiveOn(String host) {
    return amounts.of(CLUSTER).host(host).offers().capacities().get("exclusive");
  }

  @Test
  void whoComesSecondIsSeen() {
    ReservationSpec mine = spec(100, 200, 1, "-l", "license=3");
    amounts.reservation(mine);
    assertEquals(true, amounts.enoughFor(mine));
    FreeAmounts both = amounts.copy();
    both.reservation(spec(199, 300, 1, "-l", "license=3"));
    assertEquals(false, both.enoughFor(mine));
    assertEquals(true, both.enoughFor(spec(100, 200, 1)), "it takes no licence");
    assertEquals(true, amounts.enoughFor(mine));
  }

  /** Reservations of other commands say nothing of licences, which their jobs take all the same. */
  @Test
  void whoseLicencesAreCountedForThemselves() {
    ReservationSpec own = spec(100, 200, 1);
    assertEquals(true, FreeSlots.takesByItself(null));
    assertEquals(false, FreeSlots.takesByItself(reservation(own)));
    own.setGridEngine(null);
    assertEquals(true, FreeSlots.takesByItself(reservation(own)));
  }

  private static Reservation reservation(ReservationSpec spec) {
    return Reservation.newBuilder()
        .setId("R7.server")
        .setNumber(7)
        .setQueue("R7")
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setCreatedMs(0)
        .setModifiedMs(0)
        .build();
  }
}
