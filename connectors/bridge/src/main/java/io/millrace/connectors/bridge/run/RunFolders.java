package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.util.List;
import java.util.Optional;

/** The claims of runs and what their wrappers have written. */
public interface RunFolders {

  /** Who holds the claim of a run. */
  enum RunClaim {
    /** A wrapper does, or did: the script has begun. */
    RUN,
    /** We do, and no copy of the run can begin any more. */
    CLOSED
  }

  /** Takes the claim, so that no copy can begin any more, or finds that it was taken. */
  Told<RunClaim> close(OutsideTag tag, String account) throws InterruptedException;

  /**
   * Removes folders of an account's runs, with all that is in them. From then on another copy of
   * such a run could begin.
   *
   * @return true; nothing when some may be left
   */
  Told<Boolean> remove(List<OutsideTag> tags, String account) throws InterruptedException;

  /** For how many days they are kept after the ends of their runs are known here. */
  default int keptDays() {
    return ClusterKeys.KEEP_DAYS_USUAL;
  }

  /**
   * Whether there is no such account any more, so that nothing can ever be made or begun in its
   * name; false also where nobody can say.
   */
  default boolean isAccountGone(String account) {
    return false;
  }

  /** Whether the claim is taken, by whomever; false also where nobody can say. */
  default boolean isTaken(OutsideTag tag, String account) {
    return false;
  }

  /**
   * The outside job that has begun the script; empty when none has, or none has said so.
   *
   * @throws java.io.UncheckedIOException when the host of the folders is not reached, or what the
   *     wrapper has written cannot be read
   */
  Optional<OutsideId> begunAs(OutsideTag tag, String account);

  /**
   * How the wrapper says that the script has ended; empty when it has said nothing.
   *
   * @throws java.io.UncheckedIOException when the host of the folders is not reached, or what the
   *     wrapper has written cannot be read
   */
  Optional<OutsideEnd> exit(OutsideTag tag, String account);
}
