package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;
import java.util.ArrayList;
import java.util.List;

/** One try to place a task: what it needs for how long, and what was found out on the way. */
final class Attempt {

  private final Job job;
  private final int task;
  private final long duration;
  private final List<Reason> reasons = new ArrayList<>();
  private boolean silent;

  Attempt(Job job, int task, long duration) {
    this.job = job;
    this.task = task;
    this.duration = duration;
  }

  Job job() {
    return job;
  }

  int task() {
    return task;
  }

  long duration() {
    return duration;
  }

  /** Reasons are those why it does not start now; a search for later adds none. */
  void silence() {
    silent = true;
  }

  void because(Reason reason) {
    if (!silent && !reasons.contains(reason)) {
      reasons.add(reason);
    }
  }

  void because(Reason.Code code, String... details) {
    because(Reason.of(code, details));
  }

  List<Reason> reasons() {
    return reasons;
  }
}
