package io.millrace.ops.e2e;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a cell's file {@code schedule}: one section for each run of the scheduler.
 *
 * @param text of the file
 * @param names of the jobs, by their numbers in the file
 */
record LiveSchedule(String text, Map<String, String> names) {

  private static final String SECTION = "::::";
  private static final Double NEVER = Double.POSITIVE_INFINITY;

  /** A task's start: seconds after the first start, and the lines of what it was granted. */
  record Start(long offset, List<String> granted) {}

  /**
   * The scheduler runs, counted from that of the first start, in which a task was first and last
   * seen.
   */
  record Seen(long first, long last) {}

  /**
   * Whether the scheduler ran every second, so that counting its runs gives the same start times.
   */
  boolean ranEachSecond(double toleranceS) {
    long first = -1;
    long sections = 0;
    for (String line : text.lines().toList()) {
      String[] part = line.split(":");
      if (line.startsWith(SECTION)) {
        sections += first < 0 ? 0 : 1;
      } else if (part[2].equals("STARTING")) {
        long second = Long.parseLong(part[3]);
        first = first < 0 ? second : first;
        if (Math.abs(second - first - sections) > toleranceS) {
          return false;
        }
      }
    }
    return true;
  }

  /** The starts by job name and task. */
  Map<String, Start> starts() {
    Map<String, Start> starts = new LinkedHashMap<>();
    long first = -1;
    for (String line : text.lines().toList()) {
      String[] part = line.split(":");
      if (part.length > 8 && part[2].equals("STARTING")) {
        long second = Long.parseLong(part[3]);
        first = first < 0 ? second : first;
        starts.computeIfAbsent(task(part), i -> new Start(second, new ArrayList<>()));
        starts.get(task(part)).granted().add(String.join(":", List.of(part).subList(5, 9)));
      }
    }
    long begin = first;
    starts.replaceAll((id, start) -> new Start(start.offset() - begin, start.granted()));
    return starts;
  }

  /** When the scheduler saw each task start and run, by job name and task. */
  Map<String, Seen> seen() {
    Map<String, Seen> seen = new LinkedHashMap<>();
    long run = -1;
    boolean begun = false;
    for (String line : text.lines().toList()) {
      String[] part = line.split(":");
      if (line.startsWith(SECTION)) {
        run += begun ? 1 : 0;
      } else if (part[2].equals("STARTING") || part[2].equals("RUNNING")) {
        run = begun ? run : 0;
        begun = true;
        Seen now = new Seen(run, run);
        seen.merge(task(part), now, (old, latest) -> new Seen(old.first(), latest.last()));
      }
    }
    return seen;
  }

  /**
   * Tasks that started in time but were seen running for too long: there the machine was late, not
   * the scheduler. A task that started late although it could have started in time is not among
   * them.
   *
   * @param starts the latest second of each start, by job name and task
   * @param ends the latest run of the scheduler that no longer sees each task
   */
  List<String> endedLate(Map<String, Double> starts, Map<String, Double> ends) {
    Map<String, Start> started = starts();
    return seen().entrySet().stream()
        .filter(task -> task.getValue().last() + 1 > ends.getOrDefault(task.getKey(), NEVER))
        .map(Map.Entry::getKey)
        .filter(task -> started.get(task).offset() <= starts.getOrDefault(task, NEVER))
        .toList();
  }

  private String task(String[] part) {
    return names.get(part[0]) + "." + part[1];
  }
}
