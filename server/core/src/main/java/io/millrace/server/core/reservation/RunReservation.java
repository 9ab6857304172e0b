package io.millrace.server.core.reservation;

import io.millrace.reservations.classad.asked.RuleInForce;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RunTimes;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a reservation of a run: what the run has of its nodes stays its user's until the time at
 * which the run ends by its walltime, also when it ends before. No scheduler is asked, since the
 * run has the nodes already; the job goes into the queue of the reservation.
 */
final class RunReservation {
  /** How long the reservation of a run without walltime is, as in PBS. */
  static final long ENDLESS_MS = 5 * 365 * 86_400_000L;

  /** How long it may be without a job, as in PBS. */
  private static final long USUAL_IDLE_S = 600;

  private static final long SECOND_MS = 1000;

  /** Behind all others in Resource_List, in this order. */
  private static final List<String> LAST =
      List.of("nodect", "select", "place", ReservationRequest.WALLTIME);

  private RunReservation() {}

  static Decision decide(Context c, ReserveRun command, RuleInForce rules) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    try {
      ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
      check(c, job, queue);
      ReservationSpec spec = spec(c, job, PartitionTable.partitionOf(queue), command.getSpec());
      ReservationLimits.check(c, spec);
      return make(c, command, spec, rules);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private static void check(Context c, Job job, ClusterObject queue) throws PbsRefusal {
    if (!c.mayActOn(job)) {
      throw new PbsRefusal(PbsError.UNAUTHORIZED);
    }
    if (ArrayStates.is(job) || JobNumbers.isSubjob(job.getNumber())) {
      throw new PbsRefusal(PbsError.RESERVATION_OF_ARRAY);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      throw new PbsRefusal(PbsError.JOB_FINISHED);
    }
    if (ReservationIds.isReserved(job.getSpec().getQueue())) {
      throw new PbsRefusal(PbsError.RESERVATION_OF_RESERVED);
    }
    boolean runs =
        job.getStatus() == JobStatus.RUNNING
            && job.getStartedMs() >= 0
            && job.getSuspension() == Suspension.NONE
            && job.getKilling() == KillPurpose.NONE;
    if (!runs || queue == null) {
      throw new PbsRefusal(PbsError.BAD_STATE);
    }
    if (job.getSpec().getGridEngine() != null) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of Grid Engine's");
    }
    if (BestEffortQueue.is(queue)) {
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": a job of a best-effort queue");
    }
  }

  private static ReservationSpec spec(Context c, Job job, String partition, ReservationSpec wish)
      throws PbsRefusal {
    ReservationSpec spec = ofJob(job, partition, wish);
    spec.setStartMs(seconds(job.getStartedMs()));
    spec.setEndMs(endMs(c, job));
    ReservationRequest.checkAccess(c, spec);
    ReservationRequest.checkWindow(c, spec.getStartMs(), spec.getEndMs());
    ReservationRequest.checkRequest(spec.getRequest());
    return ReservationRequest.measured(ReservationRequest.withOwner(spec));
  }

  /** Of a job's owner, for what the job asks for; the window is still to be said. */
  static ReservationSpec ofJob(Job job, String partition, ReservationSpec wish) {
    ReservationSpec spec = Copies.of(wish);
    spec.setOwner(job.getSpec().getOwner());
    spec.setGroup(job.getSpec().getGroup());
    spec.setSubmitHost(job.getSpec().getSubmitHost());
    spec.setPartition(partition);
    ResourceRequest asked = job.getSpec().getRequest();
    spec.setRequest(
        new ResourceRequest(asked.getChunks(), asked.getPlace(), -1L, asked.getJobWide()));
    spec.setResourceList(shown(job.getSpec().getResourceList()));
    spec.setMaintained(List.of());
    spec.setRule("");
    spec.setLaterMs(List.of());
    spec.setGridEngine(null);
    spec.setSoonest(false);
    spec.setOthers(null);
    if (spec.getDeleteIdleS() < 0) {
      spec.setDeleteIdleS(USUAL_IDLE_S);
    }
    return spec;
  }

  /** As in PBS the window is that of the run, in whole seconds; the run ends with it. */
  private static long endMs(Context c, Job job) {
    long endMs = RunTimes.end(job);
    return seconds(endMs == RunTimes.NEVER ? c.nowMs() + ENDLESS_MS : endMs);
  }

  static long seconds(long ms) {
    return ms - ms % SECOND_MS;
  }

  /** In the order of the lists of reservations; the length is filled in with the window's. */
  private static List<Attribute> shown(List<Attribute> ofJob) {
    List<Attribute> shown = new ArrayList<>();
    for (Attribute each : ofJob) {
      if (!LAST.contains(each.getName())) {
        shown.add(each);
      }
    }
    for (String name : LAST) {
      ofJob.stream().filter(it -> it.getName().equals(name)).forEach(shown::add);
    }
    if (ofJob.stream().noneMatch(it -> it.getName().equals(ReservationRequest.WALLTIME))) {
      shown.add(new Attribute(ReservationRequest.WALLTIME, ""));
    }
    return shown;
  }

  /** What holds for nodes that a scheduler proposes holds for those that a run has, too. */
  private static void checkNodes(
      Context c, Reservation fresh, Reservation placed, RuleInForce rules) throws PbsRefusal {
    for (NodeShare share : placed.getShares()) {
      ClusterObject node = PartitionTable.node(c.view(), share.getNode());
      if ("False".equals(Context.attribute(node, "resv_enable", "True"))) {
        throw new PbsRefusal(
            PbsError.NOT_RESERVABLE, " " + share.getNode() + ": its resv_enable is False");
      }
      String queue = Context.attribute(node, "queue", "");
      if (!queue.isEmpty()) {
        throw new PbsRefusal(
            PbsError.NOT_RESERVABLE, " " + share.getNode() + ": it is bound to queue " + queue);
      }
    }
    String scheduler = PartitionTable.schedulerOf(c.view(), placed.getSpec().getPartition());
    new ReservableCheck(c, fresh, scheduler, rules).check(placed);
  }

  private static Decision make(
      Context c, ReserveRun command, ReservationSpec spec, RuleInForce rules) throws PbsRefusal {
    Job job = c.job(command.getJobId());
    Decision decision = Decision.none();
    NumberBlocks blocks = new NumberBlocks(c);
    blocks.request(decision, 1);
    if (blocks.left() < 1) {
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    Reservation fresh = ReservationRequest.fresh(c, blocks.take(), spec);
    fresh.setJob(job.getId());
    Reservation placed =
        new Placing(c, fresh, spec, job.getNumber()).on(job.getAllocation().getShares());
    checkNodes(c, fresh, placed, rules);
    Reservation begun = Revision.of(c, Revision.settled(c, placed));
    begun.setStartedMs(c.nowMs());
    Occurrences.checkSize(begun);
    long rank = c.numbers().getNextRank();
    String from = job.getSpec().getQueue();
    return decision
        .fact(new ReservationSubmitted(c.stamp(), fresh))
        .fact(new ReservationConfirmed(c.stamp(), placed, "", 0L, false))
        .fact(new ReservationStarted(c.stamp(), Revision.settled(c, begun)))
        .fact(new JobMoved(c.stamp(), job.getId(), from, begun.getQueue(), rank, null))
        .answer(c.meta(), 0, List.of(fresh.getId() + " " + Revision.CONFIRMED));
  }
}
