package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One attempt to place a task: its needs and run time, and the findings on the way. */
public final class PlacementAttempt {

  private final GridEngineJob job;
  private final int task;
  private final Category category;
  private final boolean reserve;
  private final List<Obstacle> findings = new ArrayList<>();

  private final Set<Obstacle> known = new HashSet<>();

  /** Whether two places can yield the same finding. */
  private boolean repeats;

  private boolean silent;

  /**
   * @param reserve whether the job is to be promised a later start when it cannot start now
   */
  public PlacementAttempt(GridEngineJob job, int task, Category category, boolean reserve) {
    this.job = job;
    this.task = task;
    this.category = category;
    this.reserve = reserve;
  }

  public GridEngineJob job() {
    return job;
  }

  public int task() {
    return task;
  }

  public Category category() {
    return category;
  }

  public long duration() {
    return category.duration();
  }

  public boolean reserve() {
    return reserve;
  }

  /**
   * Ends the collection of findings: they say why the job does not start now, so a search for a
   * later start adds none.
   */
  public void silence() {
    silent = true;
  }

  /** The same levels will be compared several times, so equal findings are to be kept once. */
  public void expectRepeats() {
    repeats = true;
    known.addAll(findings);
  }

  public void because(Obstacle finding) {
    if (!silent && (!repeats || known.add(finding))) {
      findings.add(finding);
    }
  }

  /** Adds the finding of a rule, which may hold for several places. */
  public void because(Reason reason) {
    Obstacle finding = new Obstacle.Plain(reason);
    if (!silent && known.add(finding)) {
      findings.add(finding);
    }
  }

  public List<Obstacle> findings() {
    return findings;
  }
}
