package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.WaitingReasons;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.ObstacleTexts;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import io.millrace.schedulers.dialects.gridengine.schedule.load.SchedConf;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects a run's findings about queues and about the jobs that it does not start. */
final class RunReasons {

  /** Reasons that concern a whole job rather than one place for it. */
  private static final Set<Code> DECISIVE =
      Set.of(
          Code.CANNOT_RUN_GLOBALLY,
          Code.PE_SLOTS,
          Code.PE_TOTAL_SLOTS,
          Code.PE_NO_ACCESS,
          Code.NO_PE_MATCHES,
          Code.FORCED_GLOBALLY);

  private final SchedConf policy;
  private final Set<Reason> queues = new LinkedHashSet<>();
  private final Set<String> namesOfQueues = new HashSet<>();
  private final Map<Long, WaitingReasons> jobs = new LinkedHashMap<>();

  RunReasons(SchedConf policy) {
    this.policy = policy;
  }

  void queue(Reason reason) {
    queues.add(reason);
    namesOfQueues.add(reason.details().get(0));
  }

  boolean knows(Place place) {
    return namesOfQueues.contains(place.name());
  }

  void job(GridEngineJob job, Reason reason) {
    job(job, new WaitingReasons(reason, List.of(reason)));
  }

  void job(GridEngineJob job, WaitingReasons waiting) {
    if (policy.explains(job.number())) {
      jobs.putIfAbsent(job.number(), waiting);
    }
  }

  /**
   * The reason why an attempt did not start the job: one that concerns the whole job, else the last
   * place that was tried.
   */
  static WaitingReasons of(PlacementAttempt attempt) {
    List<Reason> details = new ObstacleTexts(attempt.findings(), attempt.category().quoted());
    if (details.isEmpty()) {
      return new WaitingReasons(Reason.of(Code.ALL_QUEUES_DROPPED), details);
    }
    int decisive = details.size() - 1;
    for (int i = decisive; i >= 0; i--) {
      if (DECISIVE.contains(attempt.findings().get(i).code())) {
        decisive = i;
        break;
      }
    }
    return new WaitingReasons(details.get(decisive), details);
  }

  Map<Long, WaitingReasons> waiting() {
    return Collections.unmodifiableMap(jobs);
  }

  List<Reason> queues() {
    return List.copyOf(queues);
  }
}
