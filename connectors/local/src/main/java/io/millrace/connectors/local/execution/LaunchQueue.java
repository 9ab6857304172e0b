package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.execution.LiveRun.RunStage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The order in which runs are launched: as they came, each after the earlier runs of its job, and
 * no more at once than may be starting. Not thread-safe.
 */
final class LaunchQueue {
  private final int startingMost;
  private final Consumer<LiveRun> launching;
  private final Deque<LiveRun> waiting = new ArrayDeque<>();

  /** Runs that wait for the end of an earlier run of their job. */
  private final List<LiveRun> behind = new ArrayList<>();

  private int starting;

  /**
   * @param startingMost how many may be launched and have not begun
   * @param launching launches one
   */
  LaunchQueue(int startingMost, Consumer<LiveRun> launching) {
    this.startingMost = startingMost;
    this.launching = launching;
  }

  /** Runs that wait for nothing but their turn. */
  int waiting() {
    return waiting.size();
  }

  /**
   * Adds a run that has not begun.
   *
   * @param all among them the earlier runs of its job
   */
  void add(LiveRun run, Collection<LiveRun> all) {
    if (run.id.run() > 1) {
      run.comesAfter(all.stream().filter(other -> run.id.follows(other.id)).toList());
    }
    if (run.mustWait()) {
      behind.add(run);
    } else {
      waiting.add(run);
    }
  }

  /** Adds a run that its supervisor clears up, or cancels: that waits for no other one. */
  void addEnding(LiveRun run) {
    waiting.add(run);
  }

  /** Has a run whose supervisor died launched again, as the next one. */
  void again(LiveRun run) {
    run.stage = RunStage.WAITING;
    waiting.addFirst(run);
  }

  /** Launches runs as far as the bound allows. */
  void launch() {
    behind.removeIf(run -> !run.mustWait() && waiting.add(run));
    while (starting < startingMost && !waiting.isEmpty()) {
      LiveRun run = waiting.remove();
      run.stage = RunStage.LAUNCHED;
      starting++;
      launching.accept(run);
    }
  }

  /** Moves a run on; one that leaves LAUNCHED makes room for another one. */
  void advance(LiveRun run, RunStage stage) {
    if (run.stage == RunStage.WAITING) {
      waiting.remove(run);
      behind.remove(run);
    } else if (run.stage == RunStage.LAUNCHED) {
      starting--;
    }
    run.stage = stage;
  }
}
