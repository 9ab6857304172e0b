package io.millrace.ops.faults;

import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each granted run is carried out once, ends once, and no run is carried out without a grant. */
final class RunCheck {
  private record Run(String jobId, int number) {}

  private final Evidence evidence;
  private final Stories stories;
  private final Findings findings;
  private final Map<String, Errand> errands = new HashMap<>();

  RunCheck(Evidence evidence, Stories stories, Findings findings) {
    this.evidence = evidence;
    this.stories = stories;
    this.findings = findings;
    evidence.errands().forEach(errand -> errands.put(errand.token(), errand));
  }

  void run() {
    Set<Run> written = lines();
    for (JobStory job : stories.all()) {
      numbers(job);
      inTurn(job);
      if (!job.queued().isEmpty()) {
        silent(job, written);
      }
    }
  }

  /** The jobs' own file against the grants. */
  private Set<Run> lines() {
    Map<Run, Integer> counts = new LinkedHashMap<>();
    for (JobLine line : evidence.lines()) {
      counts.merge(new Run(line.jobId(), line.run()), 1, Integer::sum);
      stories.find(line.jobId()).ifPresent(job -> sameName(job, line));
    }
    counts.forEach(
        (run, count) -> {
          if (count > 1) {
            findings.twice(run.jobId, "run " + run.number + " wrote its line " + count + " times");
          }
          boolean granted =
              stories
                  .find(run.jobId)
                  .map(job -> job.grants().containsKey(run.number))
                  .orElse(false);
          if (!granted) {
            findings.unexplained(run.jobId, "run " + run.number + " ran and was never granted");
          }
        });
    return new HashSet<>(counts.keySet());
  }

  private void sameName(JobStory job, JobLine line) {
    if (!job.token().equals(line.token())) {
      findings.unexplained(
          job.id(), "is " + job.token() + ", and the script of " + line.token() + " ran as it");
    }
  }

  private void numbers(JobStory job) {
    job.grants()
        .forEach(
            (run, grants) -> {
              if (grants.size() > 1) {
                findings.twice(job.id(), "run " + run + " was granted more than once: " + grants);
              }
            });
    job.runEnds()
        .forEach(
            (run, ends) -> {
              if (ends.size() > 1) {
                findings.twice(job.id(), "run " + run + " ended more than once: " + ends);
              }
              if (!job.grants().containsKey(run)) {
                findings.unexplained(job.id(), "run " + run + " ended without a grant: " + ends);
              }
            });
    int expected = 1;
    for (int run : job.grants().keySet()) {
      if (run != expected) {
        findings.unexplained(job.id(), "run " + run + " was granted and run " + expected + " not");
        return;
      }
      expected++;
    }
  }

  /** In one shard's order no run is granted while another one has not ended. */
  private void inTurn(JobStory job) {
    Map<Integer, Integer> open = new HashMap<>();
    for (LedgerEntry entry : job.all()) {
      if (entry.fact() instanceof RunGranted granted) {
        Integer other = open.put(entry.shard(), granted.getRun());
        if (other != null) {
          findings.twice(job.id(), "granted while run " + other + " had not ended: " + entry);
        }
      } else if (entry.fact() instanceof RunFinished || entry.fact() instanceof RunRequeued) {
        open.remove(entry.shard());
      }
    }
    if (!open.isEmpty() && !job.ends().isEmpty()) {
      findings.unexplained(job.id(), "the job ended and run " + open.values() + " did not");
    }
  }

  /** Runs that ended and left no line. */
  private void silent(JobStory job, Set<Run> written) {
    Errand errand = errands.get(job.token());
    boolean killed = errand != null && errand.asked(Deed.DELETE);
    boolean rerun = errand != null && errand.asked(Deed.RERUN);
    for (Map.Entry<Integer, List<LedgerEntry>> ends : job.runEnds().entrySet()) {
      LedgerEntry end = ends.getValue().get(0);
      boolean requeued = end.fact() instanceof RunRequeued;
      if (requeued && !rerun) {
        findings.unexplained(job.id(), "requeued, and nobody asked for it: " + end);
      }
      // A run that was asked to end may have been caught before its script's first act.
      boolean excused = requeued ? rerun : killed;
      if (!excused && !written.contains(new Run(job.id(), ends.getKey()))) {
        findings.unexplained(job.id(), "run " + ends.getKey() + " ended and wrote no line: " + end);
      }
    }
  }
}
