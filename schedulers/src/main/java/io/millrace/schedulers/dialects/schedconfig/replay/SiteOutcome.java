package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schemas.pbs.schedconfig.share.ShareCommand;
import java.util.List;
import java.util.Map;

/**
 * What became of a session.
 *
 * @param startOrder labels in the order of the starts
 * @param considered labels that each cycle looked at, one by one
 * @param jobs by label, in the order of submission
 * @param shares what pbsfs answered
 * @param snapshots states in between
 */
public record SiteOutcome(
    List<String> startOrder,
    List<List<String>> considered,
    Map<String, SiteJobEnd> jobs,
    List<ShareAnswer> shares,
    List<SiteSnapshot> snapshots) {

  /**
   * A job at the end of the session.
   *
   * @param state PBS's letter: R, Q, F or S
   * @param start its first start; null when it never started
   * @param comment why it waits; empty for none
   * @param promise its promise; null for none
   */
  public record SiteJobEnd(String state, SiteStart start, String comment, Promised promise) {}

  /**
   * A start.
   *
   * @param place among all starts, from 1
   * @param cycle from 1
   * @param seconds since the beginning
   */
  public record SiteStart(int place, int cycle, double seconds, String nodes) {}

  /** A start that is promised, in seconds since the beginning. */
  public record Promised(double seconds, String nodes) {}

  /** An answer of pbsfs. */
  public record ShareAnswer(
      double atS, List<String> args, ShareCommand.ShareCommandAnswer answer) {}

  /** States of jobs, and comments of those that wait, by label. */
  public record SiteSnapshot(
      double atS, Map<String, String> states, Map<String, String> comments) {}
}
