package io.millrace.server.core.handover;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AnswerNodeOffer;
import io.millrace.schemas.command.AnswerOffer;
import io.millrace.schemas.command.ConfirmChange;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NoteWhereabouts;
import io.millrace.schemas.command.OfferJob;
import io.millrace.schemas.command.OfferNode;
import io.millrace.schemas.command.TakeAnswers;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.AnswersTaken;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOfferRefused;
import io.millrace.schemas.fact.NodeAccepted;
import io.millrace.schemas.fact.NodeHandedOver;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.WhereaboutsForgotten;
import io.millrace.schemas.fact.WhereaboutsNoted;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.handover.message.BirthShardNotice;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.RouteQueue;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.LeavingWork;
import io.millrace.server.core.work.ReservationWork;
import io.millrace.server.core.work.RoutingWork;
import java.util.List;

/** Decides both sides of hand-overs. */
public final class Deciders {

  public Decision decide(Context c, OfferJob command) {
    Job job = command.getJob();
    if (job.getNumber() < 0 || Keys.jobNumber(job.getId()) != job.getNumber()) {
      // Facts name jobs by their ids, timers by their numbers.
      throw new IllegalStateException(
          "shard "
              + command.getFrom()
              + " offers "
              + job.getId()
              + " with the number "
              + job.getNumber());
    }
    JobSpec spec;
    try {
      spec = admitted(c, command);
    } catch (PbsRefusal e) {
      return Decision.none()
          .fact(new JobOfferRefused(c.stamp(), command.getFrom(), job.getId(), e.code()))
          .tell(
              command.getFrom(),
              new AnswerOffer(
                  c.asShard(), c.shard(), job.getId(), e.code(), List.of(e.getMessage())));
    }
    Job here = Copies.withEvent(job, c.nowMs(), "accepted", "from shard " + command.getFrom());
    here.setSpec(spec);
    here.setStatus(job.getHolds().equals("n") ? JobStatus.QUEUED : JobStatus.HELD);
    here.setRank(c.numbers().getNextRank());
    here.setOfferedTo(-1);
    here.setOfferedQueue("");
    here.setWaiting(null);
    ClusterObject queue = PartitionTable.queue(c.view(), command.getQueue());
    boolean sameQueue = job.getSpec().getQueue().equals(command.getQueue());
    if (!sameQueue || job.getRoute() == null) {
      here.setRoute(RouteQueue.entered(queue, c.nowMs()));
    }
    Decision decision =
        Decision.none()
            .fact(
                new JobAccepted(
                    c.stamp(),
                    command.getFrom(),
                    here,
                    command.getScript(),
                    command.getDependents(),
                    sameQueue))
            .tell(
                command.getFrom(),
                new AnswerOffer(c.asShard(), c.shard(), job.getId(), 0, List.of()));
    RoutingWork.soon(c, here, decision);
    ArrayWork.soon(c, here, decision);
    if (job.getBirthShard() != command.getFrom()) {
      BirthShardNotice.tell(c, job, false, decision);
    }
    return decision;
  }

  /** What the job asks for in its new queue. */
  private static JobSpec admitted(Context c, OfferJob command) throws PbsRefusal {
    ClusterObject queue = PartitionTable.queue(c.view(), command.getQueue());
    if (queue == null || PartitionTable.shardOf(c.view(), queue) != c.shard()) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    Queue counts = c.view().queues().get(command.getQueue());
    if (counts != null && counts.getClosing()) {
      throw new PbsRefusal(PbsError.UNKNOWN_QUEUE);
    }
    JobSpec spec = Copies.inQueue(command.getJob().getSpec(), command.getQueue());
    CommandMeta asked = command.getJob().getWaiting();
    int jobs = ArrayStates.weight(command.getJob());
    if (command.getRouted()) {
      return new JobAdmission(c).admit(queue, spec, jobs, JobAdmission.AdmissionSource.ROUTED);
    }
    if (asked == null) {
      // The queue itself moved here: its jobs come with it, enabled or not.
      return spec;
    }
    boolean manager = asked.getRole() == Role.MANAGER;
    JobAdmission.AdmissionSource way =
        manager ? JobAdmission.AdmissionSource.PUT : JobAdmission.AdmissionSource.MOVED;
    return new JobAdmission(c).admit(queue, spec, jobs, way);
  }

  public Decision decide(Context c, AnswerOffer command) {
    Job job = c.job(command.getJobId());
    if (job == null || job.getOfferedTo() != command.getFrom()) {
      throw new IllegalStateException(
          "shard "
              + command.getFrom()
              + " answers an offer of "
              + command.getJobId()
              + " that was not made");
    }
    Decision decision = Decision.none();
    Parking.release(c, Parking.Cause.JOB, Keys.number(job.getNumber()), decision);
    if (command.getCode() == 0) {
      decision.fact(new JobHandedOver(c.stamp(), job.getId(), command.getFrom()));
    } else {
      decision.fact(new JobKept(c.stamp(), job.getId(), command.getCode()));
      // Its queue may have moved on while the offer travelled.
      if (!isAt(c, PartitionTable.queue(c.view(), job.getSpec().getQueue()), command.getFrom())) {
        LeavingWork.job(c, job.getId(), decision);
      }
      ArrayWork.soon(c, job, decision);
    }
    routed(c, job, command.getCode(), decision);
    if (job.getWaiting() != null) {
      decision.answer(job.getWaiting(), command.getCode(), command.getLines());
    }
    return decision;
  }

  /** What follows for a routing queue when one of its jobs was offered elsewhere. */
  private static void routed(Context c, Job job, int code, Decision decision) {
    String queue = job.getSpec().getQueue();
    if (job.getRoute() == null || queue.equals(job.getOfferedQueue())) {
      return;
    }
    if (code != 0 && job.getWaiting() == null) {
      Routing.refused(c, job, code, decision);
      return;
    }
    if (code != 0) {
      RoutingWork.soon(c, job, decision);
    }
    Routing.answered(c, queue, decision);
  }

  public Decision decide(Context c, NoteWhereabouts command) {
    if (c.view().jobs().get(Keys.number(command.getNumber())) != null) {
      return Decision.none();
    }
    return Decision.none()
        .fact(
            new WhereaboutsNoted(
                c.stamp(), command.getNumber(), command.getShard(), command.getPurged()));
  }

  public Decision decide(Context c, TakeAnswers command) {
    int from = command.getFrom();
    long change = command.getChange();
    boolean last = command.getLast();
    Decision decision =
        Decision.none().fact(new AnswersTaken(c.stamp(), from, change, command.getAnswers(), last));
    if (last) {
      Parking.release(c, Parking.Cause.ANSWERS, AnswerHandover.subject(from, change), decision);
    }
    if (last && !AnswerHandover.othersAwaited(c, from)) {
      decision.tell(Topics.ADMINISTRATIVE_SHARD, new ConfirmChange(c.asShard(), change, c.shard()));
    }
    return decision;
  }

  public Decision decide(Context c, OfferNode command) {
    Node node = command.getNode();
    ClusterObject object = PartitionTable.node(c.view(), node.getName());
    boolean mine = object != null && PartitionTable.shardOf(c.view(), object) == c.shard();
    Decision decision = Decision.none();
    if (mine && c.view().nodes().get(node.getName()) == null) {
      Parking.release(c, Parking.Cause.NODE, node.getName(), decision);
      Node here = Copies.of(node);
      here.setOfferedTo(-1);
      servedAsItsHostIs(c, here);
      decision.fact(new NodeAccepted(c.stamp(), command.getFrom(), here));
      ReservationWork.newNode(c, node.getName(), decision);
      // What the executor said to the old side while the offer travelled did not come with it.
      decision.dispatch(new AskHost(node.getHost(), c.shard()));
    }
    return decision.tell(
        command.getFrom(), new AnswerNodeOffer(c.asShard(), c.shard(), node.getName(), mine));
  }

  /**
   * A host has one executor for a shard: a node that comes to others of its host, on which another
   * one has runs perhaps, is served by that one. It brings no runs of its own.
   */
  private static void servedAsItsHostIs(Context c, Node arrived) {
    for (ClusterObject object : Nodes.onHost(c.view(), arrived.getHost())) {
      Node neighbour = c.view().nodes().get(object.getName());
      if (neighbour != null && !neighbour.getExecutor().isEmpty()) {
        arrived.setExecutor(neighbour.getExecutor());
        arrived.setIncarnation(neighbour.getIncarnation());
        return;
      }
    }
  }

  public Decision decide(Context c, AnswerNodeOffer command) {
    Node node = c.view().nodes().get(command.getName());
    if (node == null || node.getOfferedTo() != command.getFrom()) {
      throw new IllegalStateException(
          "shard "
              + command.getFrom()
              + " answers an offer of node "
              + command.getName()
              + " that was not made");
    }
    Decision decision = Decision.none();
    Parking.release(c, Parking.Cause.NODE, command.getName(), decision);
    if (command.getAccepted()) {
      return decision.fact(new NodeHandedOver(c.stamp(), command.getName(), command.getFrom()));
    }
    decision.fact(new NodeKept(c.stamp(), command.getName()));
    if (!isAt(c, PartitionTable.node(c.view(), command.getName()), command.getFrom())) {
      LeavingWork.node(c, command.getName(), decision);
    }
    return decision;
  }

  /**
   * Whether a queue or node belongs to the shard that refused it, as far as is known here: then it
   * is asked again after a pause, since two shards that know different things would not come to
   * rest otherwise.
   */
  private static boolean isAt(Context c, ClusterObject queueOrNode, int shard) {
    return queueOrNode != null && PartitionTable.shardOf(c.view(), queueOrNode) == shard;
  }

  /** Offers again what was refused, if it still has to leave. */
  public Decision leaving(Context c, Timer timer) {
    return Decision.fired(c, timer).goOn(c, LeavingWork.WORK, timer.getSubject());
  }

  /** By now the birth shard knows where the job is. */
  public Decision whereabouts(Context c, Timer timer) {
    long number = Long.parseLong(timer.getSubject());
    return Decision.fired(c, timer).fact(new WhereaboutsForgotten(c.stamp(), number));
  }

  public Decision formerQueue(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    FormerQueues.late(c, timer.getSubject(), decision);
    return decision;
  }

  public Decision answers(Context c, Continue work) {
    return AnswerHandover.go(c, work.getCursor());
  }

  public Decision leaving(Context c, Continue work) {
    return OutgoingHandovers.go(c, work.getCursor());
  }
}
