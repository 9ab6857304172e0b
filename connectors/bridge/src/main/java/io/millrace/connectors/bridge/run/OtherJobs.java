package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Jobs of the cluster that are no runs of this journal, and what they hold of its hosts. */
final class OtherJobs {
  private final RunJournal journal;
  private Map<String, Map<String, Long>> held = Map.of();

  OtherJobs(RunJournal journal) {
    this.journal = journal;
  }

  /** The queue has answered with all of its jobs. */
  void take(List<OutsideJob> jobs) {
    Map<String, Map<String, Long>> now = new TreeMap<>();
    for (OutsideJob job : jobs) {
      boolean there = job.state() == OutsideState.RUNNING || job.state() == OutsideState.ENDING;
      for (OutsideHolding holding :
          there && !isOurs(job) ? job.shares() : List.<OutsideHolding>of()) {
        Map<String, Long> sum = now.computeIfAbsent(holding.host(), it -> new TreeMap<>());
        holding.amounts().forEach((name, amount) -> sum.merge(name, amount, OutsideHolding::sum));
      }
    }
    held = Map.copyOf(now);
  }

  /**
   * Whether it is a run here: by its number, or by its mark while its number is not known. Anybody
   * can give a job the mark of a run, but not of another account's.
   */
  private boolean isOurs(OutsideJob job) {
    Optional<OutsideRun> run =
        journal.run(job.id()).or(() -> job.tag().flatMap(it -> marked(it, job.id())));
    return run.filter(it -> it.account().equals(job.account())).isPresent();
  }

  /** A run of one job, or of an array, whose mark each of its tasks has. */
  private Optional<OutsideRun> marked(OutsideTag mark, OutsideId id) {
    Optional<OutsideRun> run =
        id.task() == 0 ? journal.run(mark) : journal.run(new OutsideTask(mark, id.task()));
    return run.filter(it -> it.id().isEmpty());
  }

  /** What they hold by host, without its domain, and by the resource's name here. */
  Map<String, Map<String, Long>> held() {
    return held;
  }
}
