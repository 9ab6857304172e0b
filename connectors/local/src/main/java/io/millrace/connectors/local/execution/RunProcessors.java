package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import io.millrace.connectors.local.host.ProcessorGroups;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.spool.Spool;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which processors are whose. A run that shares its host has as many for itself as were set aside
 * for it, together with its tasks, until it ends; one that finds fewer free is bound to none.
 *
 * <p>What is chosen appears with the run's directory, in its request, and its supervisor writes it
 * into its group. So there is no moment at which a choice is known to a living process alone. A run
 * that stands still gives way: those who come meanwhile may have its processors, and it gets others
 * when it goes on and they are not free.
 */
final class RunProcessors {
  private static final Logger log = LoggerFactory.getLogger(RunProcessors.class);

  private final Optional<ProcessorGroups> groups;

  /**
   * @param groups empty where all runs share all processors
   */
  RunProcessors(Optional<ProcessorGroups> groups) {
    this.groups = groups;
  }

  /** Takes up what runs of an earlier process have. */
  void recover(Collection<LiveRun> found, Spool spool) throws IOException {
    if (groups.isEmpty()) {
      return;
    }
    for (LiveRun run : found) {
      if (run.begun != null || spool.has(run.id, LiveRun.OUTCOME)) {
        // It has entered its group, which may be bound anew since; or it has none any more.
        run.processors = groups.get().of(run.id.directoryName());
      }
      run.suspended = !run.processors.isEmpty() && spool.isSuspended(run.id);
    }
  }

  /**
   * Chooses for a run that is to begin.
   *
   * @param all runs that are known, perhaps this one too
   * @return its processors in the kernel's form of a list; empty: it is bound to none
   */
  String bind(LiveRun run, RunRequest request, Collection<LiveRun> all) {
    int wanted = request.terms().limits().processors();
    if (groups.isPresent() && wanted > 0) {
      try {
        run.processors = choose(groups.get(), run, wanted, all);
      } catch (IOException e) { // it begins all the same
        log.warn("{} has no {} processors of its own: {}", run.id, wanted, e.toString());
      }
    }
    return run.processors.text();
  }

  /**
   * Notes that a run is to stand still or to go on. One that goes on is bound to other processors
   * when somebody has been given its own.
   *
   * @return whether it is to stand still
   */
  boolean standing(LiveRun run, String order, Collection<LiveRun> all) {
    boolean stands = order.equals(OrderSubject.SUSPEND);
    if (groups.isPresent() && run.suspended && !stands && !run.processors.isEmpty()) {
      try {
        rebind(groups.get(), run, all);
      } catch (IOException e) { // it goes on all the same
        log.warn("{} may share its processors with others: {}", run.id, e.toString());
      }
    }
    run.suspended = stands;
    return stands;
  }

  private static void rebind(ProcessorGroups groups, LiveRun run, Collection<LiveRun> all)
      throws IOException {
    Optional<ProcessorSet> others = ofItsOthers(run, all);
    ProcessorSet chosen = others.orElse(run.processors);
    if (others.isEmpty() && !chosen.in(taken(groups, run, all)).isEmpty()) {
      chosen = choose(groups, run, run.processors.size(), all);
    }
    if (!chosen.equals(run.processors)) {
      groups.bind(run.id.directoryName(), chosen);
      run.processors = chosen;
    }
  }

  private static ProcessorSet choose(
      ProcessorGroups groups, LiveRun run, int wanted, Collection<LiveRun> all) throws IOException {
    Optional<ProcessorSet> others = ofItsOthers(run, all);
    if (others.isPresent()) {
      return others.get();
    }
    ProcessorSet available = groups.available();
    ProcessorSet free = available.without(taken(groups, run, all));
    Optional<ProcessorSet> chosen = groups.choose(free, wanted);
    if (chosen.isEmpty()) {
      log.info(
          "{} has no {} processors of its own: {} of {} are free",
          run.id,
          wanted,
          free.size(),
          available.size());
    }
    return chosen.orElse(ProcessorSet.NONE);
  }

  /** What the script and the tasks of the same run have. */
  private static Optional<ProcessorSet> ofItsOthers(LiveRun run, Collection<LiveRun> all) {
    return all.stream()
        .filter(other -> other != run && together(run.id, other.id) && isBound(other))
        .map(other -> other.processors)
        .findFirst();
  }

  /** What others have, as far as they do not stand still and this run does not begin after them. */
  private static ProcessorSet taken(ProcessorGroups groups, LiveRun run, Collection<LiveRun> all)
      throws IOException {
    Set<String> known = new HashSet<>(Set.of(run.id.directoryName()));
    ProcessorSet taken = ProcessorSet.NONE;
    for (LiveRun other : all) {
      if (other.stage != RunStage.ENDED) {
        known.add(other.id.directoryName());
      }
      if (isBound(other) && !together(run.id, other.id) && !run.id.follows(other.id)) {
        taken = taken.and(other.processors);
      }
    }
    return taken.and(groups.ofOthers(known));
  }

  /** One that has not begun has no group yet, and could not be given others. */
  private static boolean isBound(LiveRun run) {
    boolean givesWay = run.suspended && run.begun != null;
    return run.stage != RunStage.ENDED && !givesWay && !run.processors.isEmpty();
  }

  /** Whether they are the script and tasks of one run. */
  private static boolean together(RunId one, RunId other) {
    return one.jobId().equals(other.jobId()) && one.run() == other.run();
  }
}
