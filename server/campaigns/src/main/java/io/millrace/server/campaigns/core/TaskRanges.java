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

  /** The same tasks and so many more, which wait. */
  static List<TaskRange> longer(List<TaskRange> ranges, int tasks) {
    List<TaskRange> longer = new ArrayList<>(ranges);
    int first = ranges.get(ranges.size() - 1).getLast() + 1;
    add(longer, first, first + tasks - 1, TaskStatus.WAITING);
    return longer;
  }

  /** The same tasks, of which one has another status. */
  static List<TaskRange> with(List<TaskRange> ranges, int task, TaskStatus status) {
    int at = position(ranges, task);
    // The task's range and its neighbours are all that can change: there may be very many others.
    int from = Math.max(0, at - 1);
    int to = Math.min(ranges.size(), at + 2);
    List<TaskRange> some = new ArrayList<>();
    for (TaskRange range : ranges.subList(from, to)) {
      if (task < range.getFirst() || task > range.getLast()) {
        add(some, range.getFirst(), range.getLast(), range.getStatus());
      } else {
        add(some, range.getFirst(), task - 1, range.getStatus());
        add(some, task, task, status);
        add(some, task + 1, range.getLast(), range.getStatus());
      }
    }
    List<TaskRange> changed = new ArrayList<>(ranges.size() + 2);
    changed.addAll(ranges.subList(0, from));
    changed.addAll(some);
    changed.addAll(ranges.subList(to, ranges.size()));
    return changed;
  }

  /** Which of the ranges has the task. */
  private static int position(List<TaskRange> ranges, int task) {
    int low = 0;
    int high = ranges.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).getLast() < task) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
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
    return ranges.get(position(ranges, task)).getStatus();
  }

  /** Whether a task has this status; tasks that wait are at the end, mostly. */
  static boolean has(List<TaskRange> ranges, TaskStatus status) {
    for (int i = ranges.size() - 1; i >= 0; i--) {
      if (ranges.get(i).getStatus() == status) {
        return true;
      }
    }
    return false;
  }

  /** The first tasks of a status. */
  static List<Integer> first(List<TaskRange> ranges, TaskStatus status, int most) {
    List<Integer> tasks = new ArrayList<>();
    for (TaskRange range : ranges) {
      if (tasks.size() >= most) {
        break;
      }
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
