package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.RecordedRequest;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that each granted run is carried out once and ends once, and that no run is carried out
 * without a grant.
 */
final class RunCheck {
  private record CheckedRun(String jobId, int number) {}

  private final Evidence evidence;
  private final JobHistories histories;
  private final Defects defects;
  private final Map<String, RecordedRequest> requests = new HashMap<>();

  RunCheck(Evidence evidence, JobHistories histories, Defects defects) {
    this.evidence = evidence;
    this.histories = histories;
    this.defects = defects;
    evidence.requests().forEach(request -> requests.put(request.token(), request));
  }

  void run() {
    Set<CheckedRun> written = lines();
    for (JobHistory job : histories.all()) {
      numbers(job);
      inTurn(job);
      if (!job.queued().isEmpty()) {
        silent(job, written);
      }
    }
  }

  /** Compares the file that the jobs wrote with the grants. */
  private Set<CheckedRun> lines() {
    Map<CheckedRun, Integer> counts = new LinkedHashMap<>();
    for (JobLine line : evidence.lines()) {
      counts.merge(new CheckedRun(line.jobId(), line.run()), 1, Integer::sum);
      histories.find(line.jobId()).ifPresent(job -> sameName(job, line));
    }
    counts.forEach(
        (run, count) -> {
          if (count > 1) {
            defects.twice(run.jobId, "run " + run.number + " wrote its line " + count + " times");
          }
          boolean granted =
              histories
                  .find(run.jobId)
                  .map(job -> job.grants().containsKey(run.number))
                  .orElse(false);
          if (!granted) {
            defects.unexplained(run.jobId, "run " + run.number + " ran and was never granted");
          }
        });
    return new HashSet<>(counts.keySet());
  }

  private void sameName(JobHistory job, JobLine line) {
    if (!job.token().equals(line.token())) {
      defects.unexplained(
          job.id(), "is " + job.token() + ", and the script of " + line.token() + " ran as it");
    }
  }

  private void numbers(JobHistory job) {
    job.grants()
        .forEach(
            (run, grants) -> {
              if (grants.size() > 1) {
                defects.twice(job.id(), "run " + run + " was granted more than once: " + grants);
              }
            });
    job.runEnds()
        .forEach(
            (run, ends) -> {
              if (ends.size() > 1) {
                defects.twice(job.id(), "run " + run + " ended more than once: " + ends);
              }
              if (!job.grants().containsKey(run)) {
                defects.unexplained(job.id(), "run " + run + " ended without a grant: " + ends);
              }
            });
    int expected = 1;
    for (int run : job.grants().keySet()) {
      if (run != expected) {
        defects.unexplained(job.id(), "run " + run + " was granted and run " + expected + " not");
        return;
      }
      expected++;
    }
  }

  /** Checks that within a shard no run of a job is granted before the last one has ended. */
  private void inTurn(JobHistory job) {
    Map<Integer, Integer> open = new HashMap<>();
    for (LedgerEntry entry : job.all()) {
      if (entry.fact() instanceof RunGranted granted) {
        Integer other = open.put(entry.shard(), granted.getRun());
        if (other != null) {
          defects.twice(job.id(), "granted while run " + other + " had not ended: " + entry);
        }
      } else if (entry.fact() instanceof RunFinished || entry.fact() instanceof RunRequeued) {
        open.remove(entry.shard());
      }
    }
    if (!open.isEmpty() && !job.ends().isEmpty()) {
      defects.unexplained(job.id(), "the job ended and run " + open.values() + " did not");
    }
  }

  /** Reports runs that ended without having written a line. */
  private void silent(JobHistory job, Set<CheckedRun> written) {
    RecordedRequest request = requests.get(job.token());
    boolean task = !job.campaignTag().isEmpty() && job.isToldToEnd();
    boolean killed = task || request != null && request.asked(JobOperation.DELETE);
    boolean rerun = request != null && request.asked(JobOperation.RERUN);
    for (Map.Entry<Integer, List<LedgerEntry>> ends : job.runEnds().entrySet()) {
      LedgerEntry end = ends.getValue().get(0);
      boolean requeued = end.fact() instanceof RunRequeued;
      if (requeued && !rerun && !isLostOutside(job, ends.getKey(), end)) {
        defects.unexplained(job.id(), "requeued, and nobody asked for it: " + end);
      }
      // A run that was told to end may have been killed before its script wrote the line.
      // What becomes of one in an outside system is looked at with that system's accounting.
      boolean excused =
          evidence.outside().filter(it -> it.has(job)).isPresent() || (requeued ? rerun : killed);
      if (!excused && !written.contains(new CheckedRun(job.id(), ends.getKey()))) {
        defects.unexplained(job.id(), "run " + ends.getKey() + " ended and wrote no line: " + end);
      }
    }
  }

  /** It was told in words that its host there was lost, and the other system says so. */
  private boolean isLostOutside(JobHistory job, int run, LedgerEntry end) {
    return evidence
        .outside()
        .filter(it -> end.fact() instanceof RunRequeued back && back.getWhy().contains(": "))
        .filter(it -> it.lost(job, run))
        .isPresent();
  }
}
