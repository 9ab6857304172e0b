package io.millrace.server.core.admission;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.LimitLease;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Queued;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Admits jobs to queues, or refuses them, within one decision. */
public final class JobAdmission {

  /** From where a job comes to a queue. */
  public enum AdmissionSource {
    /** Submitted by a gateway. */
    SUBMITTED(true, false),
    /** From another queue, of this or another scheduler. */
    MOVED(false, false),
    /** From a routing queue, of this or another scheduler. */
    ROUTED(false, true),
    /** Moved by a manager, to whom a disabled queue is no hindrance. */
    PUT(false, true);

    /** Whether it is new: a job that moves counts for the limits of the server already. */
    private final boolean fresh;

    private final boolean routed;

    AdmissionSource(boolean fresh, boolean routed) {
      this.fresh = fresh;
      this.routed = routed;
    }
  }

  private final View view;
  private final ResourceTable resources;
  private final ClusterObject server;
  private final Map<String, AdmissionRules> rulesOf = new HashMap<>();

  /** Jobs and amounts that this decision has let in, by the keys of the counters. */
  private final Map<String, Queued> admitted = new HashMap<>();

  /** Jobs that this decision has let into each queue; an array counts as one. */
  private final Map<String, Long> entered = new HashMap<>();

  public JobAdmission(Context c) {
    this.view = c.view();
    this.resources = CustomResources.with(view);
    this.server = view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
  }

  /**
   * Lets a job in.
   *
   * @param spec names the queue
   * @param jobs as how many jobs it counts: an array, as its subjobs
   * @return the specification with the queue's defaults; the given one when they change nothing
   */
  public JobSpec admit(ClusterObject queue, JobSpec spec, int jobs, AdmissionSource way)
      throws PbsRefusal {
    AdmissionRules rules = rules(queue);
    if (way != AdmissionSource.PUT) {
      refuseClosed(rules, way);
      rules.access().check(spec);
      if (jobs > 1 && jobs > rules.arrayMax()) {
        throw new PbsRefusal(PbsError.ARRAY_TOO_LARGE);
      }
      checkCounts(rules, spec, way, jobs);
    }
    // A submitted job has no defaults of another queue to take off.
    boolean asItIs = way == AdmissionSource.SUBMITTED && rules.defaults().isEmpty();
    JobSpec here = asItIs ? spec : withDefaults(rules, spec);
    if (way != AdmissionSource.PUT) {
      checkAmounts(rules, here, way, Map.of(), jobs);
      rules.bounds().check(here, resources);
      ReservedPlace.check(view, here);
    }
    if (rules.counts()) {
      entered.merge(here.getQueue(), 1L, Long::sum);
      remember(here, jobs);
    }
    return here;
  }

  /**
   * A job that was admitted in this decision leaves the queue in the same decision, for a
   * destination.
   */
  public void leave(ClusterObject queue, JobSpec spec, int jobs) {
    if (rules(queue).counts()) {
      entered.merge(spec.getQueue(), -1L, Long::sum);
      remember(spec, -jobs);
    }
  }

  /**
   * Checks a change of what a waiting job asks for.
   *
   * @param before what it asked for until now, which does not count beside it
   * @param bounded false for an operator, who may exceed what is allowed
   * @param jobs as how many jobs it counts
   */
  public JobSpec alter(ClusterObject queue, JobSpec before, JobSpec spec, boolean bounded, int jobs)
      throws PbsRefusal {
    AdmissionRules rules = rules(queue);
    JobSpec here = withDefaults(rules, spec);
    if (bounded) {
      rules.bounds().check(here, resources);
      ReservedPlace.check(view, here);
      checkAmounts(
          rules, here, AdmissionSource.SUBMITTED, QueuedJobs.amounts(before.getRequest()), jobs);
    }
    return here;
  }

  /** Refuses a job that runs what the bounds of its queue, or of the server, do not allow. */
  public void bound(ClusterObject queue, JobSpec spec) throws PbsRefusal {
    rules(queue).bounds().check(spec, resources);
  }

  /**
   * Checks that a waiting job may change its group or project: it must fit the limits of the new
   * one.
   *
   * @param jobs as how many jobs it counts
   */
  public void pass(ClusterObject queue, JobSpec before, JobSpec spec, int jobs) throws PbsRefusal {
    AdmissionRules rules = rules(queue);
    if (!before.getGroup().equals(spec.getGroup())) {
      rules.access().check(spec);
    }
    Map<String, Long> more = new HashMap<>();
    more.put("", (long) jobs);
    QueuedJobs.amounts(spec.getRequest()).forEach((name, amount) -> more.put(name, amount * jobs));
    List<String> alike = QueuedJobs.whom(before);
    for (EntityLimit limit : rules.limits()) {
      if (!alike.contains(limit.whom(spec))) {
        check(limit, rules, spec, more);
      }
    }
  }

  private AdmissionRules rules(ClusterObject queue) {
    return rulesOf.computeIfAbsent(
        queue.getName(), name -> AdmissionRules.of(queue, server, resources));
  }

  private void refuseClosed(AdmissionRules rules, AdmissionSource way) throws PbsRefusal {
    if (!rules.enabled()) {
      throw new PbsRefusal(PbsError.QUEUE_NOT_ENABLED);
    }
    if (rules.capacity() >= 0 && entries(rules.queue()) >= rules.capacity()) {
      throw new PbsRefusal(PbsError.QUEUE_FULL);
    }
    if (rules.fromRouteOnly() && !way.routed) {
      throw new PbsRefusal(PbsError.QUEUE_ACCESS);
    }
  }

  private JobSpec withDefaults(AdmissionRules rules, JobSpec spec) throws PbsRefusal {
    JobSpec here = rules.defaults().applied(spec, resources);
    return here.equals(spec) ? spec : here;
  }

  private void checkCounts(AdmissionRules rules, JobSpec spec, AdmissionSource way, int jobs)
      throws PbsRefusal {
    if (!rules.limits().isEmpty()) {
      // Limits on jobs name no resource.
      checkLimits(rules, spec, way, Map.of("", (long) jobs));
    }
  }

  /**
   * @param less what the job has of each resource already
   */
  private void checkAmounts(
      AdmissionRules rules, JobSpec spec, AdmissionSource way, Map<String, Long> less, int jobs)
      throws PbsRefusal {
    if (rules.limits().isEmpty()) {
      return;
    }
    Map<String, Long> more = new HashMap<>();
    QueuedJobs.amounts(spec.getRequest())
        .forEach((name, amount) -> more.put(name, (amount - less.getOrDefault(name, 0L)) * jobs));
    checkLimits(rules, spec, way, more);
  }

  /**
   * @param amounts by the resources that are looked at
   */
  private void checkLimits(
      AdmissionRules rules, JobSpec spec, AdmissionSource way, Map<String, Long> amounts)
      throws PbsRefusal {
    for (EntityLimit limit : rules.limits()) {
      if (way.fresh || !limit.queue().isEmpty()) {
        check(limit, rules, spec, amounts);
      }
    }
  }

  private void check(
      EntityLimit limit, AdmissionRules rules, JobSpec spec, Map<String, Long> amounts)
      throws PbsRefusal {
    String whom = limit.whom(spec);
    long more = amounts.getOrDefault(limit.resource(), 0L);
    if (more <= 0 || !limit.holds(rules.limits(), whom)) {
      return;
    }
    long present = present(limit, whom);
    if (present + more > limit.most()) {
      throw limit.refused();
    }
    if (limit.queue().isEmpty() && ServerLimits.shared(view)) {
      leased(ServerLimits.key(limit, whom), present, more);
    }
  }

  /** Jobs of other shards count too: this one has what it has leased. */
  private void leased(String key, long present, long more) throws LeaseShort {
    LimitLease lease = LimitLeases.of(view, key);
    if (present + lease.getGone() + more > lease.getAmount()) {
      // What this decision has let in already is needed with it.
      long held = LimitLeases.held(view, key);
      throw new LeaseShort(key, held, present + lease.getGone() + more - held);
    }
  }

  private long present(EntityLimit limit, String whom) {
    if (!limit.queue().isEmpty()) {
      return present(limit.queue(), whom, limit.resource());
    }
    long sum = 0;
    for (String queue : ServerLimits.queues(view)) {
      sum += present(queue, whom, limit.resource());
    }
    return sum;
  }

  private long present(String queue, String whom, String resource) {
    return resource.isEmpty() ? jobs(queue, whom) : amount(queue, whom, resource);
  }

  /** Jobs and arrays that are in the queue; subjobs are not counted beside their arrays. */
  private long entries(String queue) {
    Queue now = view.queues().get(queue);
    long sum = entered.getOrDefault(queue, 0L);
    if (now != null) {
      for (Map.Entry<String, Long> count : now.getCounts().entrySet()) {
        sum += count.getKey().equals(JobRecords.NEXT) ? 0 : count.getValue();
      }
    }
    return sum;
  }

  private long jobs(String queue, String whom) {
    String key = QueuedJobs.key(queue, whom);
    Queued there = view.queued().get(key);
    Queued more = admitted.get(key);
    return (there == null ? 0 : there.getJobs()) + (more == null ? 0 : more.getJobs());
  }

  private long amount(String queue, String whom, String resource) {
    String key = QueuedJobs.key(queue, whom);
    long sum = 0;
    for (Queued part : new Queued[] {view.queued().get(key), admitted.get(key)}) {
      sum += part == null ? 0 : part.getAmounts().getOrDefault(resource, 0L);
    }
    return sum;
  }

  private void remember(JobSpec spec, int by) {
    for (String whom : QueuedJobs.whom(spec)) {
      Queued sum =
          admitted.computeIfAbsent(
              QueuedJobs.key(spec.getQueue(), whom),
              key -> new Queued(spec.getQueue(), whom, 0L, new HashMap<>()));
      sum.setJobs(sum.getJobs() + by);
      QueuedJobs.amounts(spec.getRequest())
          .forEach((name, amount) -> sum.getAmounts().merge(name, by * amount, Long::sum));
    }
  }
}
