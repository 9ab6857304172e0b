package io.millrace.server.core.job.alter;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ArrayLimited;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobRouteRefused;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.admission.JobAdmission;
import io.millrace.server.core.admission.LeaseShort;
import io.millrace.server.core.admission.LimitLeases;
import io.millrace.server.core.admission.ReadOnlyResources;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.job.depend.Registration;
import io.millrace.server.core.job.depend.Removal;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.hold.HoldRights;
import io.millrace.server.core.job.submit.Requests;
import io.millrace.server.core.order.RunHold;
import io.millrace.server.core.order.RunLimit;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Decides alterations. */
public final class Deciders {

  public Decision decide(Context c, AlterJob command) {
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job present = c.job(command.getJobId());
    Decision refusal = refuse(c, present, command);
    if (refusal != null) {
      return refusal;
    }
    List<String> changed = new ArrayList<>();
    JobSpec spec = altered(present.getSpec(), command, changed);
    ClusterObject queue = PartitionTable.queue(c.view(), spec.getQueue());
    boolean running = present.getStatus() == JobStatus.RUNNING;
    try {
      ReadOnlyResources.check(c, asked(present.getSpec()), command.getAsked());
      spec = fitting(admitted(c, queue, present, spec, command));
    } catch (LeaseShort e) {
      return LimitLeases.await(c, e, command);
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
    Decision decision = Decision.done(c);
    if (running && command.getRequest() != null) {
      RunLimit.tell(c, present, spec.getRequest().getWalltimeS(), decision);
    }
    Job job = SubjobWindow.closed(c, present, decision);
    boolean depends = command.getDepend() != null || !command.getBefore().isEmpty();
    if (depends) {
      changed.add("depend");
    }
    if (!changed.isEmpty()) {
      decision.fact(
          new JobAltered(
              c.stamp(), job.getId(), spec, String.join(",", changed), command.getEligibleMs()));
    }
    if (command.getMaxRunSubjobs() != null) {
      decision.fact(new ArrayLimited(c.stamp(), job.getId(), command.getMaxRunSubjobs()));
    }
    if (job.getRoute() != null && !job.getRoute().getRefused().isEmpty() && !changed.isEmpty()) {
      // As it is now it may be taken where it was refused.
      decision.fact(new JobRouteRefused(c.stamp(), job.getId(), List.of()));
    }
    String holds = Holds.until(holds(job, command), spec.getExecutionMs(), c.nowMs());
    if (depends) {
      holds = depend(c, job, command, holds, decision);
    }
    if (holds != null && !holds.equals(job.getHolds())) {
      RunHold.tell(c, job, holds, decision);
      decision.fact(
          holds.equals("n")
              ? new io.millrace.schemas.fact.JobReleased(
                  c.stamp(), job.getId(), "n", job.getHolds())
              : new JobHeld(c.stamp(), job.getId(), holds, Holds.minus(holds, Holds.ERROR), ""));
    }
    RoutingWork.soon(c, job, decision);
    ArrayWork.soon(c, job, decision);
    return decision;
  }

  /** Those that are asked for; the error state is no hold that anybody asks for. */
  private static String holds(Job job, AlterJob command) {
    return command.getHolds() == null
        ? job.getHolds()
        : Holds.union(command.getHolds(), Holds.only(job.getHolds(), Holds.ERROR));
  }

  /** What stood behind -l; of a job of long ago only its sums are known. */
  private static List<Attribute> asked(JobSpec spec) {
    return spec.getAsked() == null ? spec.getResourceList() : spec.getAsked();
  }

  /** Alterations one after the other must not make it longer than a submission may be. */
  private static JobSpec fitting(JobSpec spec) throws PbsRefusal {
    if (RecordSizes.of(spec) > Topics.COMMAND_BYTES_MAX) {
      throw new PbsRefusal(
          PbsError.INVALID_REQUEST,
          ": the job would have more than " + Topics.COMMAND_BYTES_MAX + " bytes");
    }
    return spec;
  }

  /** The specification as the job's queue takes it, whose bounds are not for operators. */
  private static JobSpec admitted(
      Context c, ClusterObject queue, Job job, JobSpec wanted, AlterJob command) throws PbsRefusal {
    boolean running = job.getStatus() == JobStatus.RUNNING;
    boolean request = command.getRequest() != null;
    JobSpec spec = request && running ? RunningRequests.altered(job.getSpec(), wanted) : wanted;
    if (queue == null) {
      return spec;
    }
    JobAdmission admission = new JobAdmission(c);
    boolean bounded = !c.isOperator();
    int jobs = ArrayStates.weight(job);
    if (bounded && (command.getProject() != null || command.getGroup() != null)) {
      admission.pass(queue, job.getSpec(), spec, jobs);
    }
    if (request && running && bounded) {
      admission.bound(queue, spec);
    }
    if (request && running) {
      RunningRequests.refuseBooked(c, job, spec);
    }
    return request && !running ? admission.alter(queue, job.getSpec(), spec, bounded, jobs) : spec;
  }

  /**
   * Other dependencies. A job that waits for something has the system hold; one that did and does
   * no longer loses it.
   *
   * @return the holds that it has then; null when it can never run and is deleted
   */
  private static String depend(
      Context c, Job job, AlterJob command, String holds, Decision decision) {
    List<Dependency> given = command.getDepend() == null ? List.of() : command.getDepend();
    Registration registration = new Registration(c, decision);
    Registration.DependencyPlan plan = registration.plan(job, given, command.getBefore());
    if (!plan.impossible().isEmpty()) {
      Removal.remove(c, job, plan.impossible(), decision);
      return null;
    }
    if (command.getDepend() == null) {
      plan.carryOut();
      return holds;
    }
    List<Dependency> asked = DependencyLists.altered(job.getDepend(), given);
    List<Dependency> after = DependencyLists.altered(asked, given, plan.left());
    registration.withdraw(job, asked);
    decision.fact(new JobDepends(c.stamp(), job.getId(), after));
    plan.carryOut();
    if (DependencyLists.pending(after)) {
      return Holds.union(holds, "s");
    }
    return DependencyLists.waits(job) ? Holds.minus(holds, "s") : holds;
  }

  private static Decision refuse(Context c, Job job, AlterJob command) {
    if (!c.mayActOn(job)) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (JobNumbers.isSubjob(job.getNumber())) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    if (job.getStatus() == JobStatus.EXITING) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (command.getEligibleMs() != null) {
      Decision refusal = refuseEligibleTime(c, command.getEligibleMs());
      if (refusal != null) {
        return refusal;
      }
    }
    PbsError value = refuseValues(job, command);
    if (value == null) {
      value = refuseHolds(c, job, command.getHolds());
    }
    if (value == null
        && !Registration.sound(
            command.getDepend() == null ? List.of() : command.getDepend(), command.getBefore())) {
      value = PbsError.ILLEGAL_VALUE;
    }
    if (value != null) {
      return Decision.rejected(c, value);
    }
    Decision refusal = refuseExtra(c, job, command);
    return refusal != null || job.getStatus() != JobStatus.RUNNING
        ? refusal
        : refuseWhileRunning(c, job, command);
  }

  /** Values that no job of this kind may have, whatever its state; null for none. */
  private static PbsError refuseValues(Job job, AlterJob command) {
    if (command.getDepend() != null
        && command.getDepend().stream()
            .anyMatch(
                it -> it.getJobs().stream().anyMatch(on -> on.getNumber() == job.getNumber()))) {
      // It would never run, and be deleted.
      return PbsError.BAD_DEPENDENCY;
    }
    Integer most = command.getMaxRunSubjobs();
    if (most != null && !ArrayStates.is(job)) {
      return PbsError.NOT_AN_ARRAY;
    }
    if (most != null && most < 0) {
      return PbsError.ILLEGAL_VALUE;
    }
    if (Boolean.FALSE.equals(command.getRerunnable()) && ArrayStates.is(job)) {
      // As at its submission.
      return PbsError.ILLEGAL_VALUE;
    }
    if (command.getGridEngine() != null && job.getSpec().getGridEngine() == null) {
      return PbsError.ILLEGAL_VALUE;
    }
    GridEngineRequest asked =
        command.getGridEngine() == null ? job.getSpec().getGridEngine() : command.getGridEngine();
    ResourceRequest request =
        command.getRequest() == null ? job.getSpec().getRequest() : command.getRequest();
    boolean either = command.getRequest() != null || command.getGridEngine() != null;
    if (either && !Requests.sound(request, asked) && !wasUnsound(job, command)) {
      // With fewer slots allowed than the request has, no start would ever be right.
      return PbsError.ILLEGAL_VALUE;
    }
    return null;
  }

  private static PbsError refuseHolds(Context c, Job job, String holds) {
    if (holds == null) {
      return null;
    }
    PbsError mayHold = HoldRights.refusal(c, holds);
    // The holds that the job has are replaced, so the caller must be able to release them.
    return mayHold == null
        ? HoldRights.refusal(c, Holds.minus(job.getHolds(), Holds.WAIT + Holds.ERROR))
        : mayHold;
  }

  /** Attributes that are stored as they were given. */
  private static Decision refuseExtra(Context c, Job job, AlterJob command) {
    boolean running = job.getStatus() == JobStatus.RUNNING;
    List<Attribute> passed = command.getExtra() == null ? List.of() : command.getExtra();
    for (Attribute attribute : passed) {
      if (attribute.getName().equals(JobAttributes.BLOCK)) {
        // Who waits for the job has settled that at its submission.
        return Decision.rejected(c, PbsError.READ_ONLY_ATTRIBUTE, " " + JobAttributes.BLOCK);
      }
      if (attribute.getName().equals(JobAttributes.COMMENT) && !c.isOperator()) {
        return Decision.rejected(c, PbsError.READ_ONLY_ATTRIBUTE, " " + JobAttributes.COMMENT);
      }
      if (running && !JobAttributes.NOT_OF_RUNS.contains(attribute.getName())) {
        return Decision.rejected(c, PbsError.MODIFY_WHILE_RUNNING, " " + attribute.getName());
      }
      if (attribute.getName().equals(JobAttributes.GROUP_LIST) && command.getGroup() == null) {
        return Decision.rejected(c, PbsError.ILLEGAL_VALUE); // nobody has looked who is in it
      }
    }
    return null;
  }

  private static Decision refuseWhileRunning(Context c, Job job, AlterJob command) {
    String given = givenToRun(job, command);
    if (!given.isEmpty()) {
      return Decision.rejected(c, PbsError.MODIFY_WHILE_RUNNING, " " + given);
    }
    if (command.getDepend() != null || !command.getBefore().isEmpty()) {
      return Decision.rejected(c, PbsError.MODIFY_WHILE_RUNNING, " depend");
    }
    if (command.getProject() != null) {
      return Decision.rejected(c, PbsError.MODIFY_WHILE_RUNNING, " project");
    }
    if (command.getGroup() != null) {
      return Decision.rejected(c, PbsError.MODIFY_WHILE_RUNNING, " group_list");
    }
    if (command.getRequest() != null) {
      return RunningRequests.refusal(c, job, command);
    }
    return null;
  }

  /**
   * Whether a job was taken so when less was asked of it, and the command makes it no worse: all
   * else of it can be altered.
   */
  private static boolean wasUnsound(Job job, AlterJob command) {
    GridEngineRequest stored = job.getSpec().getGridEngine();
    return command.getRequest() == null
        && !Requests.sound(job.getSpec().getRequest(), stored)
        && command.getGridEngine().getSlotsMax() >= stored.getSlotsMax();
  }

  /** What a run was given at its start and would not hear of again; empty for nothing. */
  private static String givenToRun(Job job, AlterJob command) {
    if (job.getSpec().getGridEngine() != null) {
      // Grid Engine changes it for the next run.
      return "";
    }
    if (command.getAccount() != null) {
      return "Account_Name";
    }
    if (command.getJoinPath() != null) {
      return "Join_Path";
    }
    if (command.getOutputPath() != null) {
      return "Output_Path";
    }
    return command.getErrorPath() == null ? "" : "Error_Path";
  }

  private static Decision refuseEligibleTime(Context c, long eligibleMs) {
    if (!c.isOperator()) {
      return Decision.rejected(c, PbsError.READ_ONLY_ATTRIBUTE, " eligible_time");
    }
    if (eligibleMs < 0) {
      return Decision.rejected(c, PbsError.ILLEGAL_VALUE, " eligible_time");
    }
    return Accruals.enabled(c.view())
        ? null
        : Decision.rejected(c, PbsError.ELIGIBLE_TIME_OFF, " eligible_time");
  }

  private static JobSpec altered(JobSpec before, AlterJob command, List<String> changed) {
    JobSpec spec = Copies.of(before);
    set(command.getName(), spec::setName, "Job_Name", changed);
    set(command.getPriority(), spec::setPriority, "Priority", changed);
    set(command.getRerunnable(), spec::setRerunnable, "Rerunable", changed);
    set(command.getAccount(), spec::setAccount, "Account_Name", changed);
    set(command.getOutputPath(), spec::setOutputPath, "Output_Path", changed);
    set(command.getErrorPath(), spec::setErrorPath, "Error_Path", changed);
    set(command.getJoinPath(), spec::setJoinPath, "Join_Path", changed);
    set(command.getShell(), spec::setShell, "Shell_Path_List", changed);
    set(command.getRequest(), spec::setRequest, RunLimit.REQUEST, changed);
    set(command.getExecutionMs(), spec::setExecutionMs, "Execution_Time", changed);
    set(command.getVariables(), spec::setVariables, "Variable_List", changed);
    set(command.getProject(), spec::setProject, "project", changed);
    if (command.getGroup() != null) {
      spec.setGroup(command.getGroup()); // told with the list that it comes from
    }
    if (command.getGridEngine() != null) {
      GridEngineRequest is = before.getGridEngine();
      spec.setGridEngine(
          GridEngineRequest.newBuilder(command.getGridEngine())
              .setTask(is.getTask())
              .setArray(is.getArray())
              .build());
      changed.add("grid_engine");
    }
    if (command.getEligibleMs() != null) {
      changed.add("eligible_time");
    }
    if (command.getExtra() != null) {
      spec.setExtra(JobAttributes.over(before.getExtra(), command.getExtra()));
      command.getExtra().forEach(attribute -> changed.add(attribute.getName()));
    }
    if (command.getResourceList() != null) {
      spec.setResourceList(command.getResourceList());
      spec.setAsked(command.getAsked());
    }
    return spec;
  }

  private static <T> void set(T value, Consumer<T> setter, String name, List<String> changed) {
    if (value != null) {
      setter.accept(value);
      changed.add(name);
    }
  }
}
