package io.millrace.schedulers.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The jobs of a trace that can be replayed on a machine.
 *
 * @param processors size of the machine
 * @param startEpochS when the trace begins, in seconds since 1970
 * @param jobs in order of submission
 * @param findings what was wrong with the trace, and what was left out of it
 */
public record Workload(
    int processors, long startEpochS, List<TraceJob> jobs, TraceFindings findings) {

  /** Largest machine; a larger number is taken for a mistake. */
  public static final int PROCESSORS_MAX = 9_999_999;

  /** The order of jobs submitted in the same second, which the format does not tell. */
  public enum SameSecond {
    /**
     * The shortest run first, then the smallest, then the lowest estimate. The replay whose values
     * are published for the archive's traces does so, and bursts make it matter: 5 % of the mean
     * slowdown of EASY on CTC-SP2.
     */
    SHORTEST,
    /** As the lines stand in the file. */
    FILE
  }

  private static final Comparator<TraceJob> SUBMISSION =
      Comparator.comparingLong(TraceJob::submitS);

  private static final Comparator<TraceJob> SHORTEST_FIRST =
      SUBMISSION
          .thenComparingLong(TraceJob::runS)
          .thenComparingInt(TraceJob::processors)
          .thenComparingLong(TraceJob::estimateS);

  public Workload {
    jobs = List.copyOf(jobs);
  }

  /**
   * Leaves out what cannot be replayed: lines without run time or processors, parts of jobs, and
   * jobs larger than the machine.
   */
  public static Workload of(Trace trace, int processors, SameSecond order) {
    TraceFindings findings = new TraceFindings();
    findings.addAll(trace.findings());
    List<TraceJob> jobs = new ArrayList<>(trace.lines().size());
    for (Trace.TraceLine line : trace.lines()) {
      long wanted =
          line.sizes().requested() < 0 ? line.sizes().allocated() : line.sizes().requested();
      long run = line.times().runS();
      TraceFinding reason = reason(line, wanted, processors);
      if (reason != null) {
        findings.add(reason, line.number());
        continue;
      }
      long estimate = Math.max(run, line.times().requestedS());
      long submit = line.times().submitS();
      jobs.add(
          new TraceJob(
              line.job(),
              submit,
              run,
              (int) wanted,
              estimate,
              line.submitter(),
              line.times().waitS()));
    }
    jobs.sort(order == SameSecond.SHORTEST ? SHORTEST_FIRST : SUBMISSION);
    return new Workload(processors, trace.startEpochS(), jobs, findings);
  }

  private static TraceFinding reason(Trace.TraceLine line, long wanted, int processors) {
    if (line.status() >= 2 && line.status() <= 4) {
      return TraceFinding.PARTIAL;
    }
    if (line.times().runS() <= 0) {
      return TraceFinding.NO_RUN_TIME;
    }
    if (wanted <= 0) {
      return TraceFinding.NO_PROCESSORS;
    }
    return wanted > processors ? TraceFinding.TOO_MANY_PROCESSORS : null;
  }
}
