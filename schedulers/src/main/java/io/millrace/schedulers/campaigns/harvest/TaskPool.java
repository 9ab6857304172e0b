package io.millrace.schedulers.campaigns.harvest;

import io.millrace.schedulers.campaigns.predictors.ClusterSight;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * The tasks of a campaign at a cluster: those that wait and those that run. The bag has any number
 * of tasks; one that is killed or taken back goes to its end.
 */
final class TaskPool {

  /**
   * A task at the cluster.
   *
   * @param runS for how long it runs
   * @param sending which sending it belongs to
   */
  private record TaskAtCluster(double runS, long sending) {}

  /**
   * @param order number of the start
   */
  private record StartedTask(TaskAtCluster task, long order, double beganS, double endS) {}

  private final TaskMix mix;
  private final Random random;

  private final Deque<TaskAtCluster> waiting = new ArrayDeque<>();
  private final TreeMap<Long, StartedTask> running = new TreeMap<>();
  private final PriorityQueue<StartedTask> ends =
      new PriorityQueue<>(
          Comparator.comparingDouble(StartedTask::endS).thenComparingLong(StartedTask::order));
  private long sending;
  private long starts;
  private int runningOfLast;
  private long done;
  private double doneSeconds;
  private long killed;
  private double killedSeconds;

  TaskPool(TaskMix mix) {
    this.mix = mix;
    this.random = new Random(mix.seed());
  }

  int waiting() {
    return waiting.size();
  }

  long done() {
    return done;
  }

  /** Seconds that finished tasks ran. */
  double doneSeconds() {
    return doneSeconds;
  }

  long killed() {
    return killed;
  }

  double killedSeconds() {
    return killedSeconds;
  }

  double nextEndS() {
    return ends.isEmpty() ? Double.POSITIVE_INFINITY : ends.peek().endS();
  }

  ClusterSight sight(int processors, int room) {
    return new ClusterSight(
        processors,
        room - used(),
        waiting.size(),
        running.size(),
        runningOfLast,
        new ClusterSight.TypicalTask(mix.processors(), done == 0 ? 0 : doneSeconds / done));
  }

  private int used() {
    return running.size() * mix.processors();
  }

  /** Ends the youngest until the others fit into the room. */
  void shrink(int room, double nowS) {
    while (used() > room) {
      StartedTask run = running.lastEntry().getValue();
      if (run.endS() <= nowS) {
        finish(run);
        continue;
      }
      leave(run);
      killed++;
      killedSeconds += nowS - run.beganS();
    }
  }

  /** Takes out the runs whose time is over. */
  void end(double nowS) {
    while (nextEndS() <= nowS) {
      finish(ends.peek());
    }
  }

  private void finish(StartedTask run) {
    leave(run);
    done++;
    doneSeconds += run.task().runS();
  }

  private void leave(StartedTask run) {
    running.remove(run.order());
    ends.remove(run);
    if (run.task().sending() == sending) {
      runningOfLast--;
    }
  }

  void begin(int room, double nowS) {
    while (!waiting.isEmpty() && used() + mix.processors() <= room) {
      TaskAtCluster task = waiting.poll();
      StartedTask run = new StartedTask(task, starts++, nowS, nowS + task.runS());
      running.put(run.order(), run);
      ends.add(run);
      if (task.sending() == sending) {
        runningOfLast++;
      }
    }
  }

  /** Takes back those sent last; returns how many there were. */
  int takeBack(int count) {
    int taken = 0;
    for (; taken < count && !waiting.isEmpty(); taken++) {
      waiting.removeLast();
    }
    return taken;
  }

  void send(int count) {
    sending++;
    runningOfLast = 0;
    for (int i = 0; i < count; i++) {
      waiting.add(new TaskAtCluster(mix.nextS(random), sending));
    }
  }
}
