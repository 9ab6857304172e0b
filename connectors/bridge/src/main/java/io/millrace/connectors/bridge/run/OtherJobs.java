package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsidePlaces;
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
          there && !isOurs(job) ? holdings(job) : List.<OutsideHolding>of()) {
        Map<String, Long> sum = now.computeIfAbsent(holding.host(), it -> new TreeMap<>());
        holding.amounts().forEach((name, amount) -> sum.merge(name, amount, OtherJobs::sum));
      }
    }
    held = Map.copyOf(now);
  }

  private static long sum(long one, long more) {
    return one > Long.MAX_VALUE - more ? Long.MAX_VALUE : one + more;
  }

  /** Which of several hosts has how many processors not each queue says: then an equal part. */
  private static List<OutsideHolding> holdings(OutsideJob job) {
    if (!job.holdings().isEmpty()) {
      return job.holdings();
    }
    List<String> hosts = OutsidePlaces.hosts(job.place());
    return hosts.stream()
        .map(
            it -> {
              long part = (job.slots() + hosts.size() - 1) / hosts.size();
              return OutsideHolding.of(it, Map.of(OutsideHolding.NCPUS, part));
            })
        .toList();
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
