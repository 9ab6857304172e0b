package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.StartAction;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A job whose run will give way to a reservation says so, and when. */
class RunsGivingWayTest {

  private final FakeSite site = new FakeSite();
  private Job job;
  private Reservation reservation;

  /** A run without an end on vm[0], of which R73 has something from 16:10 until 16:20. */
  @BeforeEach
  void aRun() {
    job = Jobs.fromScript(5, JobStatus.RUNNING);
    List<NodeShare> shares = List.of(new NodeShare("vm[0]", "vm", 1, Map.of("ncpus", 1L)));
    job.setAllocation(new Allocation(shares, "vm/0", "(vm[0]:ncpus=1)", null));
    job.getSpec().getRequest().setWalltimeS(-1L);
    site.jobs.put(5L, job);
    reservation = RecordedReservations.r73();
    reservation.getSpec().setOthers(new OthersAtStart(StartAction.REQUEUE, 60_000L));
    reservation.setBooked(List.of(new BookedNode("vm[0]", Map.of("ncpus", 4L), true)));
    site.reservations.put(73L, reservation);
  }

  private String comment() throws Exception {
    FakeInvocation done =
        site.run(
            new FakeInvocation("pbsu1", List.of("qstat", "-fw", "5"), new HashMap<>(), site.id()));
    assertEquals(0, site.status, done::errors);
    return done.output()
        .lines()
        .filter(it -> it.startsWith("    comment = "))
        .findFirst()
        .orElseThrow();
  }

  private void says(String how) throws Exception {
    String words = ", " + how + " at Fri Nov 20 at 16:09 for R73.vm";
    assertTrue(comment().endsWith(words), this::said);
  }

  private String said() {
    try {
      return comment();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void itSaysWhatBecomesOfIt() throws Exception {
    says("to be requeued");
    reservation.getBooked().get(0).setExclusive(false);
    says("may be requeued");
    reservation.getSpec().getOthers().setAction(StartAction.SUSPEND);
    says("may be suspended");
    job.getSpec().setRerunnable(false);
    says("may be ended");
    assertTrue(comment().startsWith("    comment = Job run at "), this::said);
  }

  @Test
  void othersGoOn() throws Exception {
    reservation.getSpec().getOthers().setAction(StartAction.WAIT);
    assertFalse(comment().contains("R73"));
    reservation.getSpec().setOthers(null);
    assertFalse(comment().contains("R73"));
    reservation.getSpec().setOthers(new OthersAtStart(StartAction.KILL, 60_000L));
    says("to be ended");
    job.getSpec().getRequest().setWalltimeS(Long.MAX_VALUE / 1000);
    says("to be ended"); // no clock comes to its end
    job.getSpec().getRequest().setWalltimeS(60L);
    assertFalse(comment().contains("R73"), "it is over by then");
  }

  /** Jobs on all nodes of a site are listed without a question for each of them. */
  @Test
  void whereNoRunGivesWayOnlySomeNodesAreAskedFor() throws Exception {
    List<NodeShare> shares =
        IntStream.range(0, 50)
            .mapToObj(it -> new NodeShare("n" + (100 + it), "vm", 1, Map.of("ncpus", 1L)))
            .toList();
    job.setAllocation(new Allocation(shares, "vm/0", "(n100:ncpus=1)", null));
    reservation.setBooked(List.of(new BookedNode("n149", Map.of("ncpus", 4L), true)));
    says("to be requeued");
    reservation.getSpec().setOthers(null);
    site.bookingsAsked = 0;
    assertFalse(comment().contains("R73"));
    assertEquals(RunsGivingWay.NODES_ALONE, site.bookingsAsked);
  }
}
