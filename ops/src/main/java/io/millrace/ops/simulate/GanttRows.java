package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Assigns processor numbers to the jobs of a schedule for a Gantt chart, since the scheduler only
 * counts processors. A job gets the lowest gap that is large enough, else the lowest free
 * processors.
 */
final class GanttRows {

  /** Processors [from, to) that a job uses for its whole run time. */
  record Bar(int job, int from, int to) {}

  private final Schedule schedule;

  /** Free ranges of processors: start to end (exclusive). */
  private final TreeMap<Integer, Integer> free = new TreeMap<>();

  private final List<List<Bar>> bars = new ArrayList<>();

  private GanttRows(Schedule schedule) {
    this.schedule = schedule;
    free.put(0, schedule.workload().processors());
  }

  /** The bars of each job, in the order of the workload. */
  static List<List<Bar>> of(Schedule schedule) {
    GanttRows rows = new GanttRows(schedule);
    rows.fill();
    return rows.bars;
  }

  private void fill() {
    int jobs = schedule.startS().length;
    IntStream.range(0, jobs).forEach(it -> bars.add(List.of()));
    PriorityQueue<Integer> running = new PriorityQueue<>(Comparator.comparingLong(schedule::endS));
    List<Integer> byStart =
        IntStream.range(0, jobs)
            .boxed()
            .sorted(Comparator.comparingLong(it -> schedule.startS()[it]))
            .toList();
    for (int job : byStart) {
      while (!running.isEmpty() && schedule.endS(running.peek()) <= schedule.startS()[job]) {
        bars.get(running.poll()).forEach(this::giveBack);
      }
      bars.set(job, take(job));
      running.add(job);
    }
  }

  private List<Bar> take(int index) {
    TraceJob job = schedule.workload().jobs().get(index);
    int left = job.processors();
    List<Bar> taken = new ArrayList<>();
    for (Map.Entry<Integer, Integer> gap : free.entrySet()) {
      if (gap.getValue() - gap.getKey() >= left) {
        taken.add(new Bar(index, gap.getKey(), gap.getKey() + left));
        left = 0;
        break;
      }
    }
    for (Map.Entry<Integer, Integer> gap : free.entrySet()) {
      if (left > 0) {
        int count = Math.min(left, gap.getValue() - gap.getKey());
        taken.add(new Bar(index, gap.getKey(), gap.getKey() + count));
        left -= count;
      }
    }
    if (left > 0) {
      throw new IllegalStateException("job " + job.id() + " runs on more than there is");
    }
    for (Bar bar : taken) {
      int end = free.remove(bar.from());
      if (end > bar.to()) {
        free.put(bar.to(), end);
      }
    }
    return taken;
  }

  private void giveBack(Bar bar) {
    int from = bar.from();
    int to = bar.to();
    Map.Entry<Integer, Integer> below = free.floorEntry(from);
    if (below != null && below.getValue() == from) {
      from = below.getKey();
    }
    Integer above = free.remove(to);
    free.put(from, above == null ? to : above);
  }
}
