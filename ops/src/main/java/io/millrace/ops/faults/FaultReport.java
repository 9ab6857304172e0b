package io.millrace.ops.faults;

import io.millrace.ops.faults.kill.Restarter;
import io.millrace.ops.faults.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Result of a run of the harness.
 *
 * @param planted what the sabotage did; empty without one
 * @param ended whether all jobs ended before the wait was given up
 * @param refused submissions that clients reported as failed
 */
public record FaultReport(
    FaultSettings settings, Verdict verdict, Counts counts, String planted, boolean ended) {

  public FaultReport {
    if (!ended) {
      // Who reads the counters only must not take it for a clean run.
      verdict = verdict.givenUp(settings.patience().toSeconds());
    }
  }

  /**
   * What was struck.
   *
   * @param fates kills, ends and restarts of each part
   * @param others how often what is no part was struck
   * @param meanwhile strikes before the end of the campaign
   */
  record StrikeCounts(
      Map<String, Restarter.Fate> fates, Map<String, Integer> others, int meanwhile) {
    int all() {
      return fates.values().stream().mapToInt(Restarter.Fate::kills).sum()
          + others.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * @param jobs submissions that were begun
   * @param refused submissions that clients reported as failed
   * @param gaveWay attempts at tasks of the campaign that had to give way to local jobs
   * @param there runs that an outside system saw exit by themselves
   * @param strikes what was killed, or struck otherwise
   * @param seconds whole time after the system was up
   */
  record Counts(
      int jobs, int refused, int gaveWay, int there, StrikeCounts strikes, double seconds) {}

  /** Exit status: 0 when the verdict finds no defect. */
  public int status() {
    return verdict.clean() ? 0 : 1;
  }

  public Verdict verdict() {
    return verdict;
  }

  String json() {
    return settings.campaign().isPresent() ? campaignJson() : jobsJson();
  }

  private String campaignJson() {
    return String.format(
        Locale.ROOT,
        "{\"tasks\":%d,\"kills\":%d,\"lost\":%d,\"counted_twice\":%d,\"attempts_twice\":%d,"
            + "\"unexplained\":%d,\"seconds\":%.1f}",
        settings.size().tasks(),
        counts.strikes.all(),
        verdict.lost(),
        verdict.countedTwice(),
        attemptsTwice(),
        unexplained(),
        counts.seconds);
  }

  /** An attempt that an outside system has twice is one, too. */
  private int attemptsTwice() {
    return verdict.twice() + verdict.submittedAgain();
  }

  /** Nor is it explained where an outside system says otherwise. */
  private int unexplained() {
    return verdict.unexplained() + verdict.endedEarly() + verdict.disagreements();
  }

  private String there() {
    return settings
        .campaign()
        .flatMap(FaultSettings.CampaignTerms::outside)
        .map(it -> ", and " + counts.there + " jobs exited in the " + it.system())
        .orElse("");
  }

  private String jobsJson() {
    return String.format(
        Locale.ROOT,
        "{\"jobs\":%d,\"kills\":%d,\"lost\":%d,\"twice\":%d,\"unexplained\":%d,\"seconds\":%.1f}",
        counts.jobs,
        counts.strikes.all(),
        verdict.lost(),
        verdict.twice(),
        verdict.unexplained(),
        counts.seconds);
  }

  /** The result as text for people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (settings.campaign().isPresent()) {
      lines.add(
          "a campaign of "
              + settings.size().tasks()
              + " tasks, of which "
              + counts.gaveWay
              + " attempts had to give way, with "
              + counts.strikes.meanwhile
              + " kills before its end"
              + there());
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "seed %d: %d jobs (%d submissions refused), %d kills, %.1f s",
            settings.size().seed(),
            counts.jobs,
            counts.refused,
            counts.strikes.all(),
            counts.seconds));
    counts
        .strikes
        .fates()
        .forEach(
            (part, fate) ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %-12s killed %3d times, slowest recovery %5.1f s%s",
                        part,
                        fate.kills(),
                        fate.slowestSeconds(),
                        fate.ownEnds() == 0
                            ? ""
                            : ", ended " + fate.ownEnds() + " times by itself")));
    counts
        .strikes
        .others()
        .forEach((what, times) -> lines.add("  " + what + " " + times + " times"));
    if (!planted.isEmpty()) {
      lines.add("planted: " + planted);
    }
    if (!ended) {
      lines.add("gave up waiting: no change for " + settings.patience().toSeconds() + " s");
    }
    String counted =
        settings.campaign().isPresent() ? ", counted twice " + verdict.countedTwice() : "";
    lines.add(
        String.format(
            "lost %d%s, twice %d, unexplained %d",
            verdict.lost(), counted, attemptsTwice(), unexplained()));
    return lines;
  }
}
