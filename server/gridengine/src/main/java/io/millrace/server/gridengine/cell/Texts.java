package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;

/** Numbers and ranges as Grid Engine writes them. */
public final class Texts {

  private Texts() {}

  /** Number of the Grid Engine job of which this is a task. */
  public static long number(Job job) {
    return isTask(job) ? job.getSpec().getGridEngine().getArray() : job.getNumber();
  }

  public static boolean isTask(Job job) {
    return job.getSpec().getGridEngine().getTask() > 0;
  }

  /** "40.2" for a task of an array, "39" for a job. */
  public static String id(Job job) {
    return isTask(job)
        ? number(job) + "." + job.getSpec().getGridEngine().getTask()
        : Long.toString(number(job));
  }

  /** "job-array task 40.2" or "job 39". */
  public static String noun(Job job) {
    return (isTask(job) ? "job-array task " : "job ") + id(job);
  }

  /**
   * Task numbers in ascending order, shortened: "1-3:1", "7,10".
   *
   * @param step distance of neighbours in the array
   */
  public static String ranges(List<Integer> tasks, TaskRange array) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < tasks.size()) {
      int end = i;
      while (end + 1 < tasks.size() && tasks.get(end + 1) - tasks.get(end) == array.step()) {
        end++;
      }
      if (end - i >= 2 || (end > i && array.step() == 1)) {
        parts.add(tasks.get(i) + "-" + tasks.get(end) + ":" + array.step());
      } else {
        for (int each = i; each <= end; each++) {
          parts.add(tasks.get(each).toString());
        }
      }
      i = end + 1;
    }
    return String.join(",", parts);
  }
}
