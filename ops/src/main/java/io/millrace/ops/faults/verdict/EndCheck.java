package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.RecordedRequest;
import io.millrace.schemas.fact.RunFinished;
import java.util.HashMap;
import java.util.Map;

/** Checks that each job ends once, with the exit status of its script unless it was deleted. */
final class EndCheck {
  /** 256 + SIGTERM: a run that was ended by a signal, as PBS shows it. */
  private static final int TERMINATED = 271;

  private final Evidence evidence;
  private final JobHistories histories;
  private final Defects defects;

  EndCheck(Evidence evidence, JobHistories histories, Defects defects) {
    this.evidence = evidence;
    this.histories = histories;
    this.defects = defects;
  }

  void run() {
    Map<String, RecordedRequest> requests = new HashMap<>();
    evidence.requests().forEach(request -> requests.put(request.token(), request));
    for (JobHistory job : histories.all()) {
      if (job.queued().isEmpty() || isOutside(job)) {
        continue; // another check speaks of it
      }
      if (job.ends().isEmpty()) {
        defects.lost(job.id(), "never ended; last fact " + job.all().get(job.all().size() - 1));
      } else if (job.ends().size() > 1) {
        defects.twice(job.id(), "ended more than once: " + job.ends());
      }
      RecordedRequest request = requests.get(job.token());
      if (request != null) {
        job.ends().forEach(end -> status(job, request, end));
      }
    }
  }

  private boolean isOutside(JobHistory job) {
    return evidence.outside().filter(it -> it.has(job)).isPresent();
  }

  private void status(JobHistory job, RecordedRequest request, LedgerEntry end) {
    if (!(end.fact() instanceof RunFinished finished)) {
      if (!request.asked(JobOperation.DELETE)) {
        defects.unexplained(job.id(), "deleted, and nobody asked for it: " + end);
      }
      return;
    }
    int status = finished.getExitStatus();
    boolean own = status == request.exitStatus();
    boolean ended = status == TERMINATED && request.asked(JobOperation.DELETE);
    if (!own && !ended) {
      defects.unexplained(
          job.id(),
          "exit status "
              + status
              + " where its script ends with "
              + request.exitStatus()
              + ": "
              + end
              + (finished.getMessage().isEmpty() ? "" : ", message " + finished.getMessage()));
    }
  }
}
