package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.request.Job;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One try to place a task: what it needs for how long, and what was found out on the way. */
final class Attempt {

  private final Job job;
  private final int task;
  private final Category category;
  private final boolean reserve;
  private final List<Finding> findings = new ArrayList<>();

  private final Set<Finding> known = new HashSet<>();

  /** Whether the same finding can come from two places. */
  private boolean repeats;

  private boolean silent;

  /**
   * @param reserve whether it is promised a later start when it cannot start now
   */
  Attempt(Job job, int task, Category category, boolean reserve) {
    this.job = job;
    this.task = task;
    this.category = category;
    this.reserve = reserve;
  }

  Job job() {
    return job;
  }

  int task() {
    return task;
  }

  Category category() {
    return category;
  }

  long duration() {
    return category.duration();
  }

  boolean reserve() {
    return reserve;
  }

  /** Findings are those why it does not start now; a search for later adds none. */
  void silence() {
    silent = true;
  }

  /** The same containers will be looked at several times; what is found twice counts once. */
  void expectRepeats() {
    repeats = true;
    known.addAll(findings);
  }

  void because(Finding finding) {
    if (!silent && (!repeats || known.add(finding))) {
      findings.add(finding);
    }
  }

  /** A rule that keeps the job out, which may hold for several places. */
  void because(Reason reason) {
    Finding finding = new Finding.Plain(reason);
    if (!silent && known.add(finding)) {
      findings.add(finding);
    }
  }

  List<Finding> findings() {
    return findings;
  }
}
