package io.millrace.server.accounting.book;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.jobs.JobAttributes;

/**
 * Whose job it is, and who is told about it.
 *
 * @param who user, group, account, project and name, as accounting lines have them
 * @param address {@code owner@host}; empty when the book does not know it
 * @param name of the job
 * @param points letters of Mail_Points
 * @param users Mail_Users; empty for the owner alone
 */
public record Submitter(String who, String address, String name, String points, String users) {

  private static final String USUAL_POINTS = "a";

  /** Users of Grid Engine get mail only when they ask for it, which they cannot yet. */
  private static final String NONE = "n";

  static Submitter of(JobSpec spec) {
    String usual = spec.getGridEngine() == null ? USUAL_POINTS : NONE;
    return new Submitter(
        JobTexts.who(spec),
        spec.getOwner() + "@" + spec.getSubmitHost(),
        spec.getName(),
        JobAttributes.passed(spec, "Mail_Points", usual),
        JobAttributes.passed(spec, "Mail_Users", ""));
  }

  /** Of a job from a time when nobody was told. */
  static Submitter unknown(String who) {
    return new Submitter(who, "", "", NONE, "");
  }
}
