package io.millrace.ops.faults;

import io.millrace.schemas.fact.RunFinished;
import java.util.HashMap;
import java.util.Map;

/** Each job ends once, with the exit status of its script unless somebody ended it. */
final class EndCheck {
  /** 256 + SIGTERM: a run that was ended by a signal, as PBS shows it. */
  private static final int TERMINATED = 271;

  private final Evidence evidence;
  private final Stories stories;
  private final Findings findings;

  EndCheck(Evidence evidence, Stories stories, Findings findings) {
    this.evidence = evidence;
    this.stories = stories;
    this.findings = findings;
  }

  void run() {
    Map<String, Errand> errands = new HashMap<>();
    evidence.errands().forEach(errand -> errands.put(errand.token(), errand));
    for (JobStory job : stories.all()) {
      if (job.queued().isEmpty()) {
        continue; // the check of submissions speaks of it
      }
      if (job.ends().isEmpty()) {
        findings.lost(job.id(), "never ended; last fact " + job.all().get(job.all().size() - 1));
      } else if (job.ends().size() > 1) {
        findings.twice(job.id(), "ended more than once: " + job.ends());
      }
      Errand errand = errands.get(job.token());
      if (errand != null) {
        job.ends().forEach(end -> status(job, errand, end));
      }
    }
  }

  private void status(JobStory job, Errand errand, LedgerEntry end) {
    if (!(end.fact() instanceof RunFinished finished)) {
      if (!errand.asked(Deed.DELETE)) {
        findings.unexplained(job.id(), "deleted, and nobody asked for it: " + end);
      }
      return;
    }
    int status = finished.getExitStatus();
    boolean own = status == errand.exitStatus();
    boolean ended = status == TERMINATED && errand.asked(Deed.DELETE);
    if (!own && !ended) {
      findings.unexplained(
          job.id(),
          "exit status "
              + status
              + " where its script ends with "
              + errand.exitStatus()
              + ": "
              + end
              + (finished.getMessage().isEmpty() ? "" : ", message " + finished.getMessage()));
    }
  }
}
