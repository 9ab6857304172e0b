package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.RunBook;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;

/**
 * The starts that wait until best-effort runs are gone, and which runs these are.
 *
 * <p>Simple semantics: a start whose nodes have room begins. For another one runs are told to end,
 * see {@link BestEffortVictims}; it begins in the round after the last of them is gone. To the
 * state of the other jobs it has been proposed all the while. When a run has not ended a minute
 * after it should have been killed, the start is given up and the run counts from then on like any
 * other, until it ends.
 */
final class GivingWay {

  /**
   * The jobs that have to give way.
   *
   * @param jobs their numbers
   * @param killDelayMs how long the run of one may take to end
   */
  record Ours(Set<Long> jobs, LongUnaryOperator killDelayMs) {}

  private record WaitingStart(Start start, Set<Long> runs, long sinceMs, long untilMs) {}

  private final SchedulerState local;
  private final SchedulerState rest;
  private final Ours ours;
  private final BestEffortVictims victims;

  /** By the number of the job that is to start, in the order in which they were decided. */
  private final Map<Long, WaitingStart> waiting = new LinkedHashMap<>();

  /** Runs that are to end for others. */
  private final Set<Long> ending = new HashSet<>();

  /** Starts of best-effort jobs that are proposed and not answered. */
  private final Set<Long> proposed = new LinkedHashSet<>();

  /** Runs that did not end and count for the other jobs. */
  private final Set<Long> shown = new HashSet<>();

  GivingWay(SchedulerState local, SchedulerState rest, Ours ours) {
    this.local = local;
    this.rest = rest;
    this.ours = ours;
    this.victims = new BestEffortVictims(rest, ending, proposed);
  }

  int waiting() {
    return waiting.size();
  }

  boolean due(long nowMs) {
    return !waiting.isEmpty()
        && (waiting.values().stream().anyMatch(it -> it.runs.isEmpty()) || expiryMs() <= nowMs);
  }

  /** When the first start has waited too long; {@code Long.MAX_VALUE} for none. */
  long expiryMs() {
    long first = Long.MAX_VALUE;
    for (WaitingStart one : waiting.values()) {
      first = Math.min(first, one.untilMs);
    }
    return first;
  }

  /**
   * Whether a start finds its nodes free; otherwise it waits from now on.
   *
   * @param stops takes the runs that are to end for it
   */
  boolean hasRoom(Start start, long nowMs, List<Preempt> stops) {
    BestEffortVictims.VictimRuns found = victims.inTheWayOf(start.jobNumber());
    if (found.waitsFor().isEmpty()) {
      return true;
    }
    long delayMs = 0;
    for (long run : found.waitsFor()) {
      delayMs = Math.max(delayMs, ours.killDelayMs.applyAsLong(run));
    }
    long untilMs = nowMs + delayMs + RunBook.PATIENCE_MS;
    Set<Long> runs = new HashSet<>(found.waitsFor());
    waiting.put(start.jobNumber(), new WaitingStart(start, runs, nowMs, untilMs));
    for (long run : found.ended()) {
      ending.add(run);
      stops.add(new Preempt(run, start.jobNumber(), Preempt.BEST_EFFORT));
    }
    return false;
  }

  /** The starts for which all room is made. */
  List<Start> takeReady(long nowMs) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Start> ready = new ArrayList<>();
    for (WaitingStart one : List.copyOf(waiting.values())) {
      if (one.runs.isEmpty()) {
        long number = one.start.jobNumber();
        waiting.remove(number);
        if (isProposed(number)) {
          local.books().claims().waited(number, one.sinceMs, nowMs);
          ready.add(one.start);
        }
      }
    }
    return ready;
  }

  private boolean isProposed(long number) {
    JobSlots jobs = local.books().book().jobs();
    int slot = jobs.find(number);
    return slot != JobSlots.NONE && jobs.has(slot, JobSlots.PROPOSED);
  }

  /** Notes why the starts wait. */
  void note(long nowMs) {
    for (WaitingStart one : waiting.values()) {
      if (isProposed(one.start.jobNumber())) {
        local.books().claims().waits(one.start.jobNumber(), one.runs.size(), nowMs);
      }
    }
  }

  /**
   * A round begins. Gives up the starts that have waited too long; what they waited for counts from
   * now on.
   */
  void begin(long nowMs) {
    victims.begin();
    if (!local.settings().scheduling() || !local.policy().problem().isEmpty()) {
      // It was switched off, or the server is being ended: nothing starts any more.
      List.copyOf(waiting.keySet()).forEach(this::giveUp);
    }
    if (waiting.isEmpty() || expiryMs() > nowMs) {
      return;
    }
    for (WaitingStart one : List.copyOf(waiting.values())) {
      if (one.untilMs <= nowMs && !one.runs.isEmpty()) {
        one.runs.forEach(this::show);
        giveUp(one.start.jobNumber());
      }
    }
  }

  private void show(long run) {
    TimedAllocation hold = rest.books().holdings().get(run);
    if (hold != null && shown.add(run)) {
      local
          .books()
          .claims()
          .counts(run, hold.held().shares(rest.books().names()), hold.held().asked());
    }
  }

  /** The start of a job is not to be: it waits as others do. */
  void giveUp(long number) {
    if (waiting.remove(number) != null) {
      local.facts().withdraw(number);
    }
  }

  /** A job that was to start is gone, or its start is answered otherwise. */
  void forget(long number) {
    waiting.remove(number);
  }

  void proposed(long number) {
    proposed.add(number);
  }

  /** The start of a best-effort job is answered. */
  void granted(long number) {
    proposed.remove(number);
  }

  /** A best-effort run is gone, or its job. */
  void gone(long number) {
    ending.remove(number);
    proposed.remove(number);
    for (WaitingStart one : waiting.values()) {
      one.runs.remove(number);
    }
    if (shown.remove(number)) {
      local.facts().gone(number);
    }
  }

  /**
   * The shard did not end a run.
   *
   * @return the jobs that do not start for that reason
   */
  List<Long> notStopped(long number) {
    ending.remove(number);
    List<Long> waited =
        waiting.values().stream()
            .filter(it -> it.runs.contains(number))
            .map(it -> it.start.jobNumber())
            .toList();
    waited.forEach(this::giveUp);
    return waited;
  }
}
