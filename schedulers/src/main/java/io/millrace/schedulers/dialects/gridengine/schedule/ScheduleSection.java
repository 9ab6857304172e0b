package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.dialects.gridengine.schedule.load.SchedConf;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.ArrayList;
import java.util.List;

/**
 * A run's lines in the file schedule: {@code
 * job:task:what:start:duration:level:name:resource:amount}. Without reservations there is no
 * timetable, so nothing is written.
 */
final class ScheduleSection {

  private final boolean wanted;
  private final List<String> lines = new ArrayList<>();

  ScheduleSection(SchedConf policy) {
    this.wanted = policy.monitors() && policy.promises() > 0;
  }

  boolean wanted() {
    return wanted;
  }

  void add(
      GridEngineJob job, int task, String what, Assignment assignment, List<ResourceUse> uses) {
    if (!wanted) {
      return;
    }
    long end = TimeSpan.of(assignment.start(), assignment.duration()).to();
    for (ResourceUse use : uses) {
      lines.add(
          job.number()
              + ":"
              + task
              + ":"
              + what
              + ":"
              + assignment.start()
              + ":"
              + (end - assignment.start())
              + ":"
              + use.level().letter()
              + ":"
              + use.container()
              + ":"
              + use.resource()
              + ":"
              + Numbers.six(use.amount()));
    }
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
