package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.TaskRange;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The states of all tasks of a campaign as ranges of equal ones, without gaps and in order. */
public final class TaskRanges {

  private TaskRanges() {}

  /** All tasks of a new campaign. */
  static List<TaskRange> fresh(int tasks) {
    return new ArrayList<>(List.of(new TaskRange(0, tasks - 1, TaskStatus.WAITING)));
  }

  /** The same tasks, of which one has another status. */
  static List<TaskRange> with(List<TaskRange> ranges, int task, TaskStatus status) {
    List<TaskRange> changed = new ArrayList<>(ranges.size() + 2);
    for (TaskRange range : ranges) {
      if (task < range.getFirst() || task > range.getLast()) {
        add(changed, range.getFirst(), range.getLast(), range.getStatus());
      } else {
        add(changed, range.getFirst(), task - 1, range.getStatus());
        add(changed, task, task, status);
        add(changed, task + 1, range.getLast(), range.getStatus());
      }
    }
    return changed;
  }

  /** The same tasks; those of one status have another one. */
  static List<TaskRange> replaced(List<TaskRange> ranges, TaskStatus from, TaskStatus to) {
    List<TaskRange> changed = new ArrayList<>(ranges.size());
    for (TaskRange range : ranges) {
      TaskStatus status = range.getStatus() == from ? to : range.getStatus();
      add(changed, range.getFirst(), range.getLast(), status);
    }
    return changed;
  }

  private static void add(List<TaskRange> ranges, int first, int last, TaskStatus status) {
    if (first > last) {
      return;
    }
    TaskRange before = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
    if (before != null && before.getStatus() == status) {
      before.setLast(last);
    } else {
      ranges.add(new TaskRange(first, last, status));
    }
  }

  /** Where a task is. */
  static TaskStatus status(List<TaskRange> ranges, int task) {
    return ranges.stream()
        .filter(range -> range.getFirst() <= task && task <= range.getLast())
        .findFirst()
        .orElseThrow()
        .getStatus();
  }

  /** The first tasks of a status. */
  static List<Integer> first(List<TaskRange> ranges, TaskStatus status, int most) {
    List<Integer> tasks = new ArrayList<>();
    for (TaskRange range : ranges) {
      for (int task = range.getFirst();
          range.getStatus() == status && task <= range.getLast() && tasks.size() < most;
          task++) {
        tasks.add(task);
      }
    }
    return tasks;
  }

  /** How many tasks have such a status. */
  public static int count(List<TaskRange> ranges, Predicate<TaskStatus> which) {
    return ranges.stream()
        .filter(range -> which.test(range.getStatus()))
        .mapToInt(range -> range.getLast() - range.getFirst() + 1)
        .sum();
  }
}
