package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import java.util.AbstractList;
import java.util.List;

/**
 * Findings as a list that puts them into words only when they are read: there are as many as
 * places, for each of thousands of jobs.
 */
public final class ObstacleTexts extends AbstractList<Reason> {

  private final List<Obstacle> findings;
  private final String quoted;

  public ObstacleTexts(List<Obstacle> findings, String quoted) {
    this.findings = List.copyOf(findings);
    this.quoted = quoted;
  }

  @Override
  public Reason get(int index) {
    return findings.get(index).reason(quoted);
  }

  @Override
  public int size() {
    return findings.size();
  }
}
