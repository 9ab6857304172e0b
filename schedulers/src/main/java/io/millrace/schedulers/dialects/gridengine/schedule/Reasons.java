package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.schedule.Decisions.Waiting;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a run finds out about queues and about jobs that it does not start. */
final class Reasons {

  /** Reasons that concern a whole job rather than one place for it. */
  private static final Set<Code> DECISIVE =
      Set.of(
          Code.CANNOT_RUN_GLOBALLY,
          Code.PE_SLOTS,
          Code.PE_TOTAL_SLOTS,
          Code.PE_NO_ACCESS,
          Code.NO_PE_MATCHES,
          Code.FORCED_GLOBALLY);

  private final Policy policy;
  private final List<Reason> queues = new ArrayList<>();
  private final Map<Long, Waiting> jobs = new LinkedHashMap<>();

  Reasons(Policy policy) {
    this.policy = policy;
  }

  void queue(Reason reason) {
    if (!queues.contains(reason)) {
      queues.add(reason);
    }
  }

  boolean knows(QueueInstance queue) {
    return queues.stream().anyMatch(reason -> reason.details().get(0).equals(queue.name()));
  }

  void job(Job job, Reason reason) {
    if (policy.explains(job.number())) {
      jobs.putIfAbsent(job.number(), new Waiting(reason, List.of(reason)));
    }
  }

  /** Why an attempt did not start the job: what concerns all of it, else the last place tried. */
  void job(Job job, Attempt attempt) {
    if (policy.explains(job.number()) && !jobs.containsKey(job.number())) {
      List<Reason> details = attempt.reasons();
      Reason decisive =
          details.stream()
              .filter(reason -> DECISIVE.contains(reason.code()))
              .reduce((one, later) -> later)
              .orElseGet(
                  () ->
                      details.isEmpty()
                          ? Reason.of(Code.ALL_QUEUES_DROPPED)
                          : details.get(details.size() - 1));
      jobs.put(job.number(), new Waiting(decisive, List.copyOf(details)));
    }
  }

  Map<Long, Waiting> waiting() {
    return Map.copyOf(jobs);
  }

  List<Reason> queues() {
    return List.copyOf(queues);
  }
}
