package io.millrace.server.core.job.submit;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ScriptStored;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.Arrival;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.admission.LeaseShort;
import io.millrace.server.core.admission.LimitLeases;
import io.millrace.server.core.admission.ReadOnlyResources;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.handover.AnswerHandover;
import io.millrace.server.core.job.array.ArrayRules;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.Registration;
import io.millrace.server.core.job.depend.Removal;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.hold.HoldRights;
import io.millrace.server.core.job.route.EntryQueue;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Decides submissions. */
public final class Deciders {
  /** Jobs of one command; more come in further commands of a bulk submission. */
  public static final int JOBS_MAX = 100;

  public Decision decide(Context c, SubmitJobs command) {
    if (command.getJobs().isEmpty() || command.getJobs().size() > JOBS_MAX) {
      return Decision.rejected(c, PbsError.PROTOCOL, ": a command has 1 to " + JOBS_MAX + " jobs");
    }
    List<String> queues =
        command.getJobs().stream().map(job -> job.getSpec().getQueue()).distinct().toList();
    Arrival arrival = AnswerHandover.awaited(c, queues);
    if (arrival != null) {
      // The old shard may have answered it already.
      String subject = AnswerHandover.subject(arrival.getFrom(), arrival.getChange());
      return Parking.park(c, Parking.Cause.ANSWERS, subject, command, Decision.none());
    }
    List<String> known =
        queues.stream().filter(queue -> PartitionTable.queue(c.view(), queue) != null).toList();
    return checked(c, command).aboutSubmissionTo(known);
  }

  private static Decision checked(Context c, SubmitJobs command) {
    int named = 0;
    for (NewJob job : command.getJobs()) {
      named += DependencyLists.named(job.getDepend()) + DependencyLists.named(job.getBefore());
    }
    if (named > DependencyLists.NAMED_MAX) {
      String most = ": " + named + " dependencies, at most " + DependencyLists.NAMED_MAX;
      return Decision.rejected(c, PbsError.ILLEGAL_VALUE, most);
    }
    JobAdmission admission = new JobAdmission(c);
    List<EntryQueue> entries = new ArrayList<>(command.getJobs().size());
    for (NewJob job : command.getJobs()) {
      Decision refusal = checkQueue(c, command, job.getSpec());
      if (refusal != null) {
        return refusal;
      }
      refusal = checkOwner(c, job.getSpec());
      if (refusal != null) {
        return refusal;
      }
      if (!Requests.sound(job.getSpec().getRequest(), job.getSpec().getGridEngine())) {
        return Decision.rejected(c, PbsError.ILLEGAL_VALUE);
      }
      if (!Registration.sound(job.getDepend(), job.getBefore())) {
        return Decision.rejected(c, PbsError.ILLEGAL_VALUE);
      }
      if (!ArrayRules.sound(job, command.getJobs().size())) {
        return Decision.rejected(c, PbsError.ILLEGAL_VALUE);
      }
      if (job.getEligibleMs() != 0 && !c.isOperator()) {
        return Decision.rejected(c, PbsError.READ_ONLY_ATTRIBUTE, " eligible_time");
      }
      PbsError holds = HoldRights.refusal(c, job.getHolds());
      if (holds != null) {
        return Decision.rejected(c, holds);
      }
      try {
        ReadOnlyResources.check(c, null, job.getSpec().getAsked());
        entries.add(EntryQueue.of(c, admission, job));
      } catch (LeaseShort e) {
        return LimitLeases.await(c, e, command);
      } catch (PbsRefusal e) {
        return Decision.rejected(c, e);
      }
    }
    Set<String> texts = new HashSet<>();
    for (Script script : command.getScripts()) {
      texts.add(Keys.script(script.getHash()));
    }
    for (NewJob job : command.getJobs()) {
      ByteBuffer hash = job.getSpec().getScriptHash();
      if (hash.hasRemaining()
          && !texts.contains(Keys.script(hash))
          && c.view().scripts().get(Keys.script(hash)) == null) {
        return Decision.rejected(c, PbsError.UNKNOWN_SCRIPT);
      }
    }
    return queue(c, command, entries);
  }

  private static Decision checkQueue(Context c, SubmitJobs command, JobSpec spec) {
    ClusterObject queue = PartitionTable.queue(c.view(), spec.getQueue());
    if (queue == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    int shard = PartitionTable.shardOf(c.view(), queue);
    if (shard != c.shard()) {
      boolean together =
          command.getJobs().stream()
              .map(j -> PartitionTable.queue(c.view(), j.getSpec().getQueue()))
              .allMatch(q -> q != null && PartitionTable.shardOf(c.view(), q) == shard);
      // Jobs for several shards cannot be queued all or none.
      return together
          ? Decision.none().tell(shard, command)
          : Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    Queue counts = c.view().queues().get(spec.getQueue());
    if (counts != null && counts.getClosing()) {
      return Decision.rejected(c, PbsError.UNKNOWN_QUEUE);
    }
    return null;
  }

  /**
   * @param entries where the jobs begin, with the defaults of their queues
   */
  private static Decision queue(Context c, SubmitJobs command, List<EntryQueue> entries) {
    if (c.late()) {
      return Decision.withdrawn(c);
    }
    NumberBlocks blocks = new NumberBlocks(c);
    int wanted = command.getJobs().size();
    Decision decision = Decision.none();
    blocks.request(decision, wanted);
    if (blocks.left() < wanted) {
      // No numbers just now: the block is on its way.
      return Parking.park(c, Parking.Cause.NUMBERS, "", command, decision);
    }
    Set<String> used = new HashSet<>();
    command.getJobs().forEach(j -> used.add(Keys.script(j.getSpec().getScriptHash())));
    for (Script script : command.getScripts()) {
      // A text that no job uses would never go again.
      String key = Keys.script(script.getHash());
      if (used.remove(key) && c.view().scripts().get(key) == null) {
        decision.fact(new ScriptStored(c.stamp(), script));
      }
    }
    Registration registration = new Registration(c, decision);
    ShardState numbers = c.numbers();
    List<String> ids = new ArrayList<>(wanted);
    String server = c.serverName();
    long first = 0;
    for (int i = 0; i < wanted; i++) {
      long number = blocks.take();
      first = i == 0 ? number : first;
      NewJob wish = command.getJobs().get(i);
      boolean array = wish.getArray() != null;
      JobSpec spec = OutputPaths.filled(numbered(entries.get(i).spec(), first), number, array);
      Job job = job(c, wish, spec, number + (array ? "[]." : ".") + server);
      job.setArray(wish.getArray());
      job.setNumber(number);
      job.setRank(numbers.getNextRank() + i);
      ids.add(job.getId());
      job.setRoute(entries.get(i).route());
      depend(c, job, command.getJobs().get(i), registration, decision);
      Routing.entered(c, job, entries.get(i).tried(), decision);
    }
    return decision.answer(c.meta(), 0, ids);
  }

  /** A job that can never run is taken and deleted at once, as in PBS: its submitter has the id. */
  private static void depend(
      Context c, Job job, NewJob wish, Registration registration, Decision decision) {
    if (wish.getDepend().isEmpty() && wish.getBefore().isEmpty()) {
      decision.fact(new JobQueued(c.stamp(), job, List.of()));
      SubjobWindow.open(c, job, decision);
      return;
    }
    Registration.DependencyPlan plan = registration.plan(job, wish.getDepend(), wish.getBefore());
    job.setDepend(plan.left());
    if (DependencyLists.pending(plan.left())) {
      job.setHolds(Holds.union(job.getHolds(), "s"));
      job.setStatus(JobStatus.HELD);
      job.setEligibleMs(-1L);
    }
    decision.fact(new JobQueued(c.stamp(), job, wish.getBefore()));
    if (!plan.impossible().isEmpty()) {
      Removal.remove(c, job, plan.impossible(), decision);
      return;
    }
    plan.carryOut();
    SubjobWindow.open(c, job, decision);
  }

  /** The first tasks of an array learn its number, which is that of the first job. */
  private static Decision checkOwner(Context c, JobSpec spec) {
    if (!c.isManager() && !spec.getOwner().equals(c.meta().getPrincipal())) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (c.isCampaign() == spec.getCampaign().isEmpty()) {
      // Nobody else names a campaign, and the campaign server submits nothing else.
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (c.isCampaign() && spec.getOwner().equals("root")) {
      // Its owner is only what the campaign server says; it must not be one that may do all.
      return Decision.rejected(c, PbsError.BAD_UID);
    }
    return null;
  }

  private static JobSpec numbered(JobSpec spec, long first) {
    GridEngineRequest request = spec.getGridEngine();
    if (request == null || request.getTask() == 0 || request.getArray() != 0) {
      return spec;
    }
    JobSpec copy = Copies.of(spec);
    copy.setGridEngine(GridEngineRequest.newBuilder(request).setArray(first).build());
    return copy;
  }

  private static Job job(Context c, NewJob wish, JobSpec spec, String id) {
    String holds = Holds.until(wish.getHolds(), spec.getExecutionMs(), c.nowMs());
    boolean held = !holds.equals("n");
    Job job = new Job();
    job.setId(id);
    job.setBirthShard(c.shard());
    job.setSpec(spec);
    job.setStatus(held ? JobStatus.HELD : JobStatus.QUEUED);
    job.setHolds(holds);
    job.setCreatedMs(c.nowMs());
    job.setQueuedMs(c.nowMs());
    job.setEligibleMs(held ? -1 : c.nowMs());
    job.setModifiedMs(c.nowMs());
    if (wish.getEligibleMs() > 0) {
      job.setAccrual(new Accrual(AccrueType.INITIAL, c.nowMs(), wish.getEligibleMs(), 0L));
    }
    job.setStartedMs(-1);
    JobRecords.forgetSuspensions(job);
    job.setFinishedMs(-1);
    job.setDepend(List.of());
    job.setKilling(io.millrace.schemas.state.KillPurpose.NONE);
    job.setComment("");
    job.setEndedBy("");
    job.setPreemptedFor("");
    job.setScheduler("");
    job.setOfferedTo(-1);
    job.setOfferedQueue("");
    List<JobEvent> events = new ArrayList<>(1);
    events.add(new JobEvent(c.nowMs(), "queued", wish.getSpec().getQueue()));
    if (!wish.getSpec().getQueue().equals(spec.getQueue())) {
      events.add(new JobEvent(c.nowMs(), "moved", spec.getQueue()));
    }
    job.setEvents(events);
    return job;
  }
}
