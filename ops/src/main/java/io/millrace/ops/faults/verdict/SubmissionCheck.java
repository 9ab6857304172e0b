package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.RecordedRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that each confirmed submission is one job, and that each job was submitted by a client.
 */
final class SubmissionCheck {
  private final Evidence evidence;
  private final JobHistories histories;
  private final Defects defects;

  SubmissionCheck(Evidence evidence, JobHistories histories, Defects defects) {
    this.evidence = evidence;
    this.histories = histories;
    this.defects = defects;
  }

  void run() {
    Map<String, List<JobHistory>> byToken = histories.byToken();
    Set<String> tokens = new HashSet<>();
    for (RecordedRequest request : evidence.requests()) {
      tokens.add(request.token());
      List<JobHistory> jobs = byToken.getOrDefault(request.token(), List.of());
      if (request.jobId().isPresent()) {
        confirmed(request, request.jobId().get(), jobs);
      } else {
        refused(request, jobs);
      }
    }
    byToken.forEach(
        (token, jobs) -> {
          if (!tokens.contains(token)) {
            // Jobs of campaigns are looked at by the check of attempts.
            jobs.stream()
                .filter(job -> job.campaignTag().isEmpty())
                .forEach(job -> stranger(job, token));
          }
        });
  }

  private void confirmed(RecordedRequest request, String id, List<JobHistory> jobs) {
    boolean known = false;
    for (JobHistory job : jobs) {
      if (!job.id().equals(id)) {
        defects.twice(
            job.id(), "token " + request.token() + " was confirmed as " + id + " and is this too");
      } else if (job.queued().size() > 1) {
        defects.twice(id, "queued more than once: " + job.queued());
      }
      known |= job.id().equals(id);
    }
    if (!known) {
      defects.lost(id, "qsub printed this id for " + request.token() + ", the ledger has no job");
    }
  }

  private void refused(RecordedRequest request, List<JobHistory> jobs) {
    for (JobHistory job : jobs) {
      defects.unexplained(
          job.id(), "qsub failed for token " + request.token() + " and the job exists");
    }
    if (jobs.size() > 1) {
      defects.twice(request.token(), "submitted as " + jobs.stream().map(JobHistory::id).toList());
    }
  }

  private void stranger(JobHistory job, String token) {
    String whose = token.isEmpty() ? "its submission is not in the ledger" : "name " + token;
    defects.unexplained(job.id(), "nobody submitted this job: " + whose);
  }
}
