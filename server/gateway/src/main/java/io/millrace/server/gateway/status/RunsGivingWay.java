package io.millrace.server.gateway.status;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.ReservationQueue;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.reservation.RunsOfSite;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** When, and how, a run gives way to a reservation that begins before the run would end. */
final class RunsGivingWay {

  /**
   * Nodes that are asked for one by one. For more of them it is looked first whether any run gives
   * way at all: mostly none does, and a list of all jobs has all nodes of a site.
   */
  static final int NODES_ALONE = 8;

  private final Site site;
  private final JobAttributeText text;

  /** Of one invocation. */
  private final Map<String, List<NodeBooking>> bookings = new HashMap<>();

  private final Map<Long, Reservation> reservations = new HashMap<>();

  /** Null as long as nobody has looked. */
  private Boolean any;

  RunsGivingWay(Site site, JobAttributeText text) {
    this.site = site;
    this.text = text;
  }

  /**
   * The words; empty for a job that goes on, or does not run.
   *
   * @param shard in which its nodes are
   */
  String of(Job job, int shard, long nowMs) throws QueryException, InterruptedException {
    boolean runs =
        job.getStatus() == JobStatus.RUNNING
            && job.getSuspension() == Suspension.NONE
            && job.getKilling() == KillPurpose.NONE
            && job.getAllocation() != null;
    if (!runs || ReservationIds.isReserved(job.getSpec().getQueue())) {
      return "";
    }
    Set<String> nodes = new TreeSet<>();
    job.getAllocation().getShares().stream().map(NodeShare::getNode).forEach(nodes::add);
    long endMs = RunsOfSite.endMs(job);
    Reservation first = null;
    boolean alone = false;
    for (String node : nodes) {
      for (NodeBooking booking : bookings(shard, node)) {
        boolean meets = booking.getStartMs() < endMs && booking.getEndMs() > nowMs;
        Reservation its = meets ? reservation(booking.getNumber()) : null;
        if (its == null || !givesWay(its)) {
          continue;
        }
        if (first == null || leadMs(its) < leadMs(first)) {
          first = its;
          alone = false;
        }
        alone |= first == its && booking.getExclusive();
      }
    }
    return first == null ? "" : words(job, first, alone, nowMs);
  }

  private String words(Job job, Reservation reservation, boolean alone, long nowMs) {
    StartAction action = reservation.getSpec().getOthers().getAction();
    String end = job.getSpec().getRerunnable() ? how(action) : how(StartAction.KILL);
    // Beside a reservation that has only a part of the node it may be another run that goes.
    String how = (alone ? "to be " : "may be ") + end;
    return text.givesWay(how, Math.max(nowMs, leadMs(reservation)), reservation.getId());
  }

  /** What becomes of a run. */
  static String how(StartAction action) {
    return switch (action) {
      case REQUEUE -> "requeued";
      case SUSPEND -> "suspended";
      case KILL -> "ended";
      case WAIT -> "waited for";
    };
  }

  private static boolean givesWay(Reservation reservation) {
    OthersAtStart others = reservation.getSpec().getOthers();
    boolean held =
        reservation.getPending() != null
            && reservation.getPending().getKind() == TransactionKind.RESERVE;
    return others != null
        && others.getAction() != StartAction.WAIT
        && !held
        && ReservationQueue.exists(reservation)
        && !ReservationQueue.isClosing(reservation);
  }

  private static long leadMs(Reservation reservation) {
    return reservation.getSpec().getStartMs() - reservation.getSpec().getOthers().getLeadMs();
  }

  private List<NodeBooking> bookings(int shard, String node)
      throws QueryException, InterruptedException {
    List<NodeBooking> known = bookings.get(node);
    if (known == null) {
      known =
          bookings.size() < NODES_ALONE || any() ? site.queries().bookings(shard, node) : List.of();
      bookings.put(node, known);
    }
    return known;
  }

  private boolean any() throws QueryException, InterruptedException {
    if (any == null) {
      any = site.queries().reservations().stream().anyMatch(RunsGivingWay::givesWay);
    }
    return any;
  }

  private Reservation reservation(long number) throws QueryException, InterruptedException {
    Reservation known = reservations.get(number);
    if (known == null) {
      known = site.queries().reservation(number).orElse(null);
      reservations.put(number, known);
    }
    return known;
  }
}
