package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.request.TaskRange;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;

/** Which jobs a command line names: numbers, names and patterns, each perhaps with tasks. */
public final class Targets {

  /** A number, name or pattern; tasks is null for all. */
  public record JobTarget(String name, TaskRange tasks) {

    public boolean means(Job job) {
      return CellJobs.meant(name, job)
          && (tasks == null
              || (Texts.isTask(job) && tasks.contains(job.getSpec().getGridEngine().getTask())));
    }

    public boolean isNumber() {
      return name.matches("\\d{1,12}");
    }
  }

  private Targets() {}

  /** The operands of a command: {@code 12 13.1-4 name* -t 2-3}, also with commas between them. */
  public static List<JobTarget> of(List<String> operands) {
    List<JobTarget> targets = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      if (operands.get(i).equals("-t") && i + 1 < operands.size() && !targets.isEmpty()) {
        JobTarget last = targets.remove(targets.size() - 1);
        targets.add(new JobTarget(last.name(), TaskRange.of(operands.get(++i))));
        continue;
      }
      for (String word : operands.get(i).split(",")) {
        int dot = word.indexOf('.');
        boolean tasks = word.matches("\\d{1,12}\\.\\d.*");
        targets.add(
            tasks
                ? new JobTarget(word.substring(0, dot), TaskRange.of(word.substring(dot + 1)))
                : new JobTarget(word, null));
      }
    }
    return targets;
  }
}
