package io.millrace.server.core.job.array;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.server.core.decision.Context;

/**
 * Who asked for a deletion, and how.
 *
 * @param by who asked
 * @param quiet nobody is written to about it
 * @param force runs whose hosts are not heard end here and now
 */
public record DeletionRequest(String by, boolean quiet, boolean force) {
  private static final String QUIET = " quietly";
  private static final String FORCE = " by force";

  /** That of a qdel. */
  public static DeletionRequest of(Context c, DeleteJob command) {
    String by = c.meta().getPrincipal() + "@" + c.meta().getHost();
    return new DeletionRequest(by, command.getQuiet(), command.getForce());
  }

  /** One of the server itself, or of somebody whose qdel was carried out before. */
  public static DeletionRequest of(String server) {
    return new DeletionRequest(server, false, false);
  }

  /** Reads the form of {@link #text}; names of users and hosts have no blanks. */
  static DeletionRequest parse(String text) {
    int end = text.indexOf(' ');
    return new DeletionRequest(
        end < 0 ? text : text.substring(0, end), text.contains(QUIET), text.contains(FORCE));
  }

  String text() {
    return by + (quiet ? QUIET : "") + (force ? FORCE : "");
  }
}
