package io.millrace.schedulers.dialects.gridengine.schedule;

import java.util.AbstractList;
import java.util.List;

/**
 * Findings in words, which are put together when somebody reads them: there are as many as places
 * for each of thousands of jobs.
 */
final class Details extends AbstractList<Reason> {

  private final List<Finding> findings;
  private final String quoted;

  Details(List<Finding> findings, String quoted) {
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
