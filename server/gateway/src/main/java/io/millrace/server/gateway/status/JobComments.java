package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.pbs.resources.VnodeText;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.print.JobAttributeText;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.share.FairShares;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Joins a job with the reason for which it waits. Caches the reasons of one invocation by class.
 */
final class JobComments {

  private static final int REMEMBERED = 1000;

  /** Reasons that end with a shortage of the job's own, and not of jobs that it would delay. */
  private static final Set<String> SHORTAGES =
      Set.of(
          ReasonCode.RUN_LIMIT.name(),
          ReasonCode.RESOURCE_LIMIT.name(),
          ReasonCode.TOTAL_INSUFFICIENT.name(),
          ReasonCode.NODE_INSUFFICIENT.name(),
          ReasonCode.PLACE_INSUFFICIENT.name(),
          ReasonCode.CLUSTER_INSUFFICIENT.name());

  /** Policies that promise starts whether jobs may pass others or not. */
  private static final Set<String> PROMISING = Set.of("easy", "easy-sjbf", "conservative");

  private final Site site;
  private final JobAttributeText text;
  private final boolean manager;
  private final ResourceTable resources;
  private final RunsGivingWay giving;

  /** Of one invocation, by name. */
  private final Map<String, Optional<ClusterObject>> queues = new HashMap<>();

  /** Numbers of jobs that are promised a start, by scheduler. */
  private final Map<String, List<Long>> promised = new HashMap<>();

  private final Map<String, Optional<Reason>> reasons =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<Reason>> eldest) {
          return size() > REMEMBERED;
        }
      };

  JobComments(Site site, JobAttributeText text) {
    this(site, text, false);
  }

  /**
   * @param manager whether it is shown to a manager
   */
  JobComments(Site site, JobAttributeText text, boolean manager) {
    this.site = site;
    this.text = text;
    this.manager = manager;
    this.resources = site.resources();
    this.giving = new RunsGivingWay(site, text);
  }

  /** What is shown of a job beside its record. */
  JobAttributeText.Joined joined(Job job, long nowMs) throws QueryException, InterruptedException {
    ClassReason promise = promise(job, nowMs);
    String comment = of(job);
    String way = queue(job).isEmpty() ? "" : giving.of(job, site.shardOf(queue(job).get()), nowMs);
    return new JobAttributeText.Joined(
        comment + (comment.isEmpty() || way.isEmpty() ? "" : ", ") + way,
        site.queries().dependents(job),
        promise == null ? promisedStart(job, nowMs) : OptionalLong.of(promise.getUntilMs()),
        promise == null
            ? ""
            : VnodeText.of(promise.getShares(), job.getSpec().getResourceList(), resources, false),
        waited(job, nowMs),
        manager);
  }

  /** For how long the job has waited for nothing but resources; empty while that is not shown. */
  Optional<EligibleTime.ShownEligibleTime> waited(Job job, long nowMs)
      throws QueryException, InterruptedException {
    Optional<String> since = site.serverAttribute(EligibleTime.COUNTED_SINCE);
    boolean shown = site.serverAttribute(EligibleTime.ENABLE).filter("True"::equals).isPresent();
    if (!shown || since.isEmpty()) {
      return Optional.empty();
    }
    Reason reason =
        EligibleTime.inClass(job) ? told(job, EligibleTime.classKey(job)).orElse(null) : null;
    return Optional.of(EligibleTime.at(job, reason, Long.parseLong(since.get()), nowMs));
  }

  /** What qstat -f shows as comment; empty for none. */
  String of(Job job) throws QueryException, InterruptedException {
    String own = text.comment(job);
    boolean waits =
        (job.getStatus() == JobStatus.QUEUED && job.getRoute() == null)
            || job.getSuspension() == Suspension.RESUMABLE;
    if (!own.isEmpty() || !waits) {
      return own;
    }
    return (comments(job) ? reason(job) : Optional.<ClassReason>empty())
        .map(r -> ReasonText.pbsComment(r, resources))
        .orElseGet(() -> text.requeued(job));
  }

  /** Whether the job's scheduler writes comments; {@code why} answers all the same. */
  private boolean comments(Job job) throws QueryException, InterruptedException {
    return queue(job)
        .map(site::schedulerOf)
        .flatMap(name -> site.cluster().find(ObjectKind.SCHEDULER, name))
        .flatMap(scheduler -> ClusterView.attribute(scheduler, AttributeTable.UPDATE_COMMENTS))
        .filter("False"::equals)
        .isEmpty();
  }

  /**
   * When a waiting job is expected to start: when the shortage for which its class waits is over,
   * by promises and by the ends of runs. Of several jobs that are alike it is when the first can.
   */
  OptionalLong expectedStart(Job job, long nowMs) throws QueryException, InterruptedException {
    return waits(job)
        ? reason(job)
            .filter(it -> SHORTAGES.contains(it.getCode()) && it.getUntilMs() > nowMs)
            .map(it -> OptionalLong.of(it.getUntilMs()))
            .orElse(OptionalLong.empty())
        : OptionalLong.empty();
  }

  private static boolean waits(Job job) {
    return job.getStatus() == JobStatus.QUEUED || job.getSuspension() == Suspension.RESUMABLE;
  }

  /** The expected start where the scheduler makes promises; empty elsewhere. */
  private OptionalLong promisedStart(Job job, long nowMs)
      throws QueryException, InterruptedException {
    return promises(job) ? expectedStart(job, nowMs) : OptionalLong.empty();
  }

  /**
   * The start that this job itself is promised, of an array the one of its first subjob that has
   * any; null when its scheduler has told of none.
   */
  private ClassReason promise(Job job, long nowMs) throws QueryException, InterruptedException {
    if (!waits(job) || !promises(job)) {
      return null;
    }
    boolean array = job.getArray() != null;
    Optional<Long> number =
        promisedJobs(job).stream()
            .filter(it -> job.getNumber() == (array ? JobNumbers.array(it) : it))
            .min(JobNumbers.ORDER);
    return number.isEmpty()
        ? null
        : ask(job, RequestClass.promise(number.get()))
            .map(Reason::getReason)
            .filter(it -> it.getUntilMs() > nowMs)
            .orElse(null);
  }

  /** Numbers of the jobs that the job's scheduler has told promises of. */
  private List<Long> promisedJobs(Job job) throws QueryException, InterruptedException {
    String scheduler = queue(job).map(site::schedulerOf).orElse("");
    List<Long> numbers = promised.get(scheduler);
    if (numbers == null) {
      numbers =
          ask(job, RequestClass.PROMISES)
              .map(it -> it.getReason().getSubject())
              .map(it -> Arrays.stream(it.split(",")).map(Long::valueOf).toList())
              .orElse(List.of());
      promised.put(scheduler, numbers);
    }
    return numbers;
  }

  private boolean promises(Job job) throws QueryException, InterruptedException {
    return queue(job)
        .map(site::schedulerOf)
        .flatMap(name -> site.cluster().find(ObjectKind.SCHEDULER, name))
        .filter(JobComments::promises)
        .isPresent();
  }

  private Optional<ClusterObject> queue(Job job) throws QueryException, InterruptedException {
    String name = job.getSpec().getQueue();
    Optional<ClusterObject> known = queues.get(name);
    if (known == null) {
      known = KnownQueues.known(site, name);
      queues.put(name, known);
    }
    return known;
  }

  private static boolean promises(ClusterObject scheduler) {
    String policy = ClusterView.attribute(scheduler, "policy").orElse("");
    return PROMISING.contains(policy)
        || policy.equals(AttributeTable.SCHED_CONFIG)
        || ClusterView.attribute(scheduler, "strict_ordering").orElse("False").equals("True");
  }

  /** Why the job's class waits, as its scheduler last said. */
  Optional<ClassReason> reason(Job job) throws QueryException, InterruptedException {
    if (job.getSuspension() == Suspension.RESUMABLE) {
      return reason(job, resumption(job));
    }
    GridEngineRequest request = job.getSpec().getGridEngine();
    Optional<ClassReason> reason = Optional.empty();
    if (request != null) {
      long number = request.getTask() > 0 ? request.getArray() : job.getNumber();
      reason = remembered(job, RequestClass.gridEngineJob(number));
      if (reason.isEmpty()) {
        reason = remembered(job, RequestClass.gridEngine(request));
      }
    }
    if (request == null && byOrigin(job)) {
      reason = remembered(job, RequestClass.job(job.getNumber()));
    }
    // A Grid Engine job may be in a partition whose scheduler has another policy.
    return reason.isPresent() ? reason : reason(job, job.getSpec());
  }

  /** Whether the job's scheduler has a reason for each job. */
  private boolean byOrigin(Job job) throws QueryException, InterruptedException {
    return queue(job)
        .map(site::schedulerOf)
        .flatMap(name -> site.cluster().find(ObjectKind.SCHEDULER, name))
        .flatMap(scheduler -> ClusterView.attribute(scheduler, "policy"))
        .filter(AttributeTable.ORIGIN2000::equals)
        .isPresent();
  }

  private Optional<ClassReason> reason(Job job, JobSpec spec)
      throws QueryException, InterruptedException {
    Optional<ClassReason> reason = remembered(job, RequestClass.key(spec));
    Optional<String> entity = reason.isPresent() ? Optional.empty() : entity(spec);
    if (entity.isPresent()) {
      reason = remembered(job, RequestClass.key(spec) + RequestClass.share(entity.get()));
      if (reason.isEmpty()) {
        reason = remembered(job, RequestClass.ownKey(spec) + RequestClass.share(entity.get()));
      }
    }
    // The owner matters only where a limit is set for particular users.
    return reason.isPresent() ? reason : remembered(job, RequestClass.ownKey(spec));
  }

  /** Whose share a job uses; empty where its scheduler adds nothing up. */
  private Optional<String> entity(JobSpec spec) {
    return site.cluster()
        .find(ObjectKind.QUEUE, spec.getQueue())
        .map(site::schedulerOf)
        .flatMap(name -> site.cluster().find(ObjectKind.SCHEDULER, name))
        .flatMap(scheduler -> FairShares.entity(scheduler, spec));
  }

  /** What a suspended run waits for. */
  private static JobSpec resumption(Job job) {
    return JobSpec.newBuilder(job.getSpec()).setRequest(Resumption.of(job)).build();
  }

  private Optional<ClassReason> remembered(Job job, String key)
      throws QueryException, InterruptedException {
    return told(job, key).map(Reason::getReason);
  }

  private Optional<Reason> told(Job job, String key) throws QueryException, InterruptedException {
    Optional<Reason> known = reasons.get(key);
    if (known == null) {
      known = ask(job, key);
      reasons.put(key, known);
    }
    return known;
  }

  private Optional<Reason> ask(Job job, String key) throws QueryException, InterruptedException {
    Optional<ClusterObject> queue = queue(job);
    String scheduler = queue.map(site::schedulerOf).orElse("");
    if (scheduler.isEmpty()) {
      return Optional.empty();
    }
    return site.queries().reason(site.shardOf(queue.get()), scheduler, key);
  }
}
