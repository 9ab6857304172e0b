package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as a database keeps it.
 *
 * @param id its number
 * @param account whose job it is; empty where the database does not say so, as of one that has no
 *     association
 * @param tag the mark of a run
 * @param submitted when it was submitted
 * @param word its state as Slurm calls it
 * @param end how it ended, with what it has used; empty for one that is not over
 * @param whole whether all of its steps are over, too
 */
record SacctJob(
    OutsideId id,
    String account,
    Optional<OutsideTag> tag,
    Optional<Instant> submitted,
    String word,
    Optional<OutsideEnd> end,
    boolean whole) {

  /** Whether it is a job that a queue has shown: numbers are used again. */
  boolean is(OutsideJob job) {
    return id.equals(job.id())
        && (account.isEmpty() || account.equals(job.account()))
        && tag.isPresent()
        && tag.equals(job.tag())
        && submitted.isPresent()
        && submitted.equals(job.submitted());
  }

  /** Whether it says how the job ended, with the status where there is one. */
  boolean tellsEnd() {
    return end.filter(it -> it.cause() != OutsideCause.EXITED || it.status() >= 0).isPresent();
  }

  /** The same of an account of which nobody else's job can be. */
  SacctJob of(String whose) {
    return new SacctJob(id, whose, tag, submitted, word, end, whole);
  }

  /**
   * As a record.
   *
   * @param how it ended
   * @param certain whether the queue says so, too
   */
  OutsideRecord record(OutsideEnd how, boolean certain) {
    return new OutsideRecord(id, account, tag, submitted, how, certain, Map.of("state", word));
  }

  /** As a queue would show it that forgets no job. */
  OutsideJob job() {
    return new OutsideJob(
        id, "", account, tag, OutsideState.ENDED, word, submitted, "", 0, end, "", List.of());
  }
}
