package io.millrace.ops.faults;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each submission that was confirmed is one job, and each job was submitted by somebody. */
final class SubmissionCheck {
  private final Evidence evidence;
  private final Stories stories;
  private final Findings findings;

  SubmissionCheck(Evidence evidence, Stories stories, Findings findings) {
    this.evidence = evidence;
    this.stories = stories;
    this.findings = findings;
  }

  void run() {
    Map<String, List<JobStory>> byToken = stories.byToken();
    Set<String> tokens = new HashSet<>();
    for (Errand errand : evidence.errands()) {
      tokens.add(errand.token());
      List<JobStory> jobs = byToken.getOrDefault(errand.token(), List.of());
      if (errand.jobId().isPresent()) {
        confirmed(errand, errand.jobId().get(), jobs);
      } else {
        refused(errand, jobs);
      }
    }
    byToken.forEach(
        (token, jobs) -> {
          if (!tokens.contains(token)) {
            jobs.forEach(job -> stranger(job, token));
          }
        });
  }

  private void confirmed(Errand errand, String id, List<JobStory> jobs) {
    boolean known = false;
    for (JobStory job : jobs) {
      if (!job.id().equals(id)) {
        findings.twice(
            job.id(), "token " + errand.token() + " was confirmed as " + id + " and is this too");
      } else if (job.queued().size() > 1) {
        findings.twice(id, "queued more than once: " + job.queued());
      }
      known |= job.id().equals(id);
    }
    if (!known) {
      findings.lost(id, "qsub printed this id for " + errand.token() + ", the ledger has no job");
    }
  }

  private void refused(Errand errand, List<JobStory> jobs) {
    for (JobStory job : jobs) {
      findings.unexplained(
          job.id(), "qsub failed for token " + errand.token() + " and the job exists");
    }
    if (jobs.size() > 1) {
      findings.twice(errand.token(), "submitted as " + jobs.stream().map(JobStory::id).toList());
    }
  }

  private void stranger(JobStory job, String token) {
    String whose = token.isEmpty() ? "its submission is not in the ledger" : "name " + token;
    findings.unexplained(job.id(), "nobody submitted this job: " + whose);
  }
}
