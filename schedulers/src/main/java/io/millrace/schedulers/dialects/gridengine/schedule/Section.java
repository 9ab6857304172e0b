package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import java.util.ArrayList;
import java.util.List;

/**
 * A run's lines in the file schedule: {@code
 * job:task:what:start:duration:level:name:resource:amount}. Without reservations there is no
 * timetable, so nothing is written.
 */
final class Section {

  private final boolean wanted;
  private final List<String> lines = new ArrayList<>();

  Section(Policy policy) {
    this.wanted = policy.monitors() && policy.promises() > 0;
  }

  boolean wanted() {
    return wanted;
  }

  void add(Job job, int task, String what, Assignment assignment, List<Use> uses) {
    if (!wanted) {
      return;
    }
    long end = Span.of(assignment.start(), assignment.duration()).to();
    for (Use use : uses) {
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
