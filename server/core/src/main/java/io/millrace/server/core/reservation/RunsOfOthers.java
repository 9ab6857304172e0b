package io.millrace.server.core.reservation;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.placement.BookedRoom;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.run.suspend.Suspensions;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ReservationWork;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Runs of others on the nodes of a reservation that may lie over them: those that would last into
 * its window give way when it is about to begin, as its scheduler object said when it was asked
 * for. A job that may not be requeued is over then.
 */
final class RunsOfOthers {
  private static final String AVOID = "avoid";

  /** Runs that give way, and nodes that are looked at, in one go. */
  private static final int RUNS_AT_ONCE = 20;

  private static final int NODES_AT_ONCE = 200;
  private static final long SECOND_MS = 1000;

  private RunsOfOthers() {}

  /** What holds for a reservation that is asked for; null where it lies over no run. */
  static OthersAtStart asked(Context c, ReservationSpec wish) {
    boolean never =
        wish.getOthers() == null || !wish.getRule().isEmpty() || !wish.getMaintained().isEmpty();
    if (never) {
      return null;
    }
    String scheduler = PartitionTable.schedulerOf(c.view(), wish.getPartition());
    ClusterObject object = PartitionTable.scheduler(c.view(), scheduler);
    String usual = StartAction.REQUEUE.name().toLowerCase(Locale.ROOT);
    String action = attribute(object, AttributeTable.RESERVATION_START, usual);
    String lead = attribute(object, AttributeTable.RESERVATION_LEAD, "0");
    return action.equals(AVOID)
        ? null
        : new OthersAtStart(
            StartAction.valueOf(action.toUpperCase(Locale.ROOT)),
            AttributeType.parseSeconds(lead).orElse(0L) * SECOND_MS);
  }

  private static String attribute(ClusterObject object, String name, String otherwise) {
    return object == null ? otherwise : Context.attribute(object, name, otherwise);
  }

  /** When they give way; one that never has any, when it begins. */
  static long leadMs(Reservation reservation) {
    OthersAtStart others = reservation.getSpec().getOthers();
    long leadMs = others == null ? 0 : others.getLeadMs();
    return Math.max(0, reservation.getSpec().getStartMs() - leadMs);
  }

  /** Whether a reservation is there for good, and lies over runs that do not end by themselves. */
  static boolean giveWay(Reservation reservation) {
    OthersAtStart others = reservation.getSpec().getOthers();
    boolean held =
        reservation.getPending() != null
            && reservation.getPending().getKind() == TransactionKind.RESERVE;
    return others != null
        && others.getAction() != StartAction.WAIT
        && !held
        && !Reservations.isClosing(reservation)
        && Reservations.hasQueue(reservation);
  }

  static boolean isDue(Context c, Reservation reservation) {
    return giveWay(reservation)
        && leadMs(reservation) <= c.nowMs()
        && reservation.getSpec().getEndMs() > c.nowMs();
  }

  /**
   * Has runs give way, so many at once.
   *
   * @param from name of the node to begin with, or empty
   */
  static void giveWay(Context c, Reservation reservation, String from, Decision decision) {
    BookedRoom room = new BookedRoom(c.view(), CustomResources.with(c.view()), c.nowMs());
    ReservationSpec spec = reservation.getSpec();
    BookedRoom.BookingPeriod span =
        new BookedRoom.BookingPeriod(Math.max(spec.getStartMs(), c.nowMs()), spec.getEndMs());
    Set<Long> ending = new HashSet<>();
    int runs = 0;
    int nodes = 0;
    for (BookedNode booked : reservation.getBooked()) {
      Node node = c.view().nodes().get(booked.getNode());
      boolean lost =
          reservation.getLost().stream().anyMatch(it -> it.getNode().equals(booked.getNode()));
      if (node == null || lost || booked.getNode().compareTo(from) < 0) {
        continue;
      }
      node.getHoldings().stream()
          .filter(it -> isEnding(c.view().jobs().get(Keys.number(it.getNumber()))))
          .forEach(it -> ending.add(it.getNumber()));
      boolean enough = nodes++ == NODES_AT_ONCE;
      int most = enough ? 0 : RUNS_AT_ONCE - runs;
      List<Job> inTheWay =
          spec.getOthers() == null
              ? UnbegunRuns.inTheWay(c, reservation, node, booked, ending, most)
              : room.inTheWay(node, booked, span, reservation.getNumber(), ending, most);
      for (Job job : inTheWay) {
        stop(c, reservation, job, decision);
        ending.add(job.getNumber());
        runs++;
      }
      if (enough || runs == RUNS_AT_ONCE) {
        String cursor = Keys.number(reservation.getNumber()) + " " + booked.getNode();
        decision.goOn(c, ReservationWork.OTHERS, cursor);
        return;
      }
    }
  }

  private static boolean isEnding(Job job) {
    return job == null
        || job.getStatus() != JobStatus.RUNNING
        || job.getKilling() != KillPurpose.NONE;
  }

  private static void stop(Context c, Reservation reservation, Job job, Decision decision) {
    String by = "Server@" + c.serverName();
    OthersAtStart others = reservation.getSpec().getOthers();
    StartAction action = others == null ? StartAction.REQUEUE : others.getAction();
    if (action == StartAction.SUSPEND && job.getSpec().getRerunnable() && Suspensions.runs(job)) {
      String why = by + ", for " + reservation.getId();
      Suspensions.suspend(c, job, Suspension.RESUMABLE, why, decision);
      return;
    }
    boolean again = action == StartAction.REQUEUE && job.getSpec().getRerunnable();
    decision.fact(
        new RunPreempted(c.stamp(), job.getId(), job.getRun(), reservation.getId(), again, by));
    Orders.kill(c, job, decision);
  }

  /**
   * The window of one begins that lies over no runs: what was granted a node and has not begun by
   * now, for example since its files are staged in, gives way.
   */
  static void begin(Context c, Reservation reservation, Decision decision) {
    if (reservation.getSpec().getOthers() == null) {
      giveWay(c, reservation, "", decision);
    }
  }

  private static boolean goesOn(Context c, Reservation reservation) {
    boolean begun = reservation.getSpec().getOthers() == null && Reservations.runs(reservation);
    return begun || isDue(c, reservation);
  }

  /** Goes on with the nodes behind its cursor, which is the reservation's key and a node. */
  static Decision go(Context c, Continue work) {
    String[] cursor = work.getCursor().split(" ", 2);
    Decision decision = Decision.none();
    Reservation reservation = c.view().table(Reservation.class).get(cursor[0]);
    if (reservation != null && goesOn(c, reservation)) {
      giveWay(c, reservation, cursor[1], decision);
    }
    return decision;
  }
}
