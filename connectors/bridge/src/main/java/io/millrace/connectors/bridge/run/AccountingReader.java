package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads logs and accounting on, and knows how far that is known to be complete. */
final class AccountingReader {

  private static final Logger log = LoggerFactory.getLogger(AccountingReader.class);

  /** Pieces that one step reads, so that a long file does not keep the bridge from other work. */
  private static final int PIECES = 16;

  /** What takes the changes. */
  interface OutsideChangesHandler {
    void take(OutsideChanges changes) throws IOException, InterruptedException;
  }

  private final BridgeParts parts;
  private Instant readAt = Instant.MIN;

  /** Of what ended before, records may be lost. */
  private Instant gapAt;

  private String trouble = "";

  AccountingReader(BridgeParts parts) {
    this.parts = parts;
    Instant now = parts.clock().instant();
    // A gap of later than now is one of before the clock was put back.
    this.gapAt = parts.journal().gap().map(it -> it.isAfter(now) ? now : it).orElse(Instant.MIN);
  }

  private void gap(Instant at) throws IOException {
    gapAt = at;
    parts.journal().gap(at);
  }

  /** What was written before it is read for the first time is never read, as ends of runs here. */
  private boolean isFirstAndLate() {
    return parts.system().hasAccounting()
        && parts.journal().cursor().isEmpty()
        && (!parts.journal().outside().isEmpty()
            || parts.journal().count(OutsideRunState.ABOUT_TO_SUBMIT) > 0);
  }

  void read(OutsideChangesHandler taker) throws IOException, InterruptedException {
    for (int i = 0; i < PIECES; i++) {
      Instant begun = parts.clock().instant();
      Told<OutsideChanges> told = parts.system().changes(parts.journal().cursor());
      if (told instanceof Told.Nothing<OutsideChanges> nothing) {
        trouble = nothing.why();
        return;
      }
      OutsideChanges changes = ((Told.Answered<OutsideChanges>) told).value();
      trouble = "";
      if (changes.gap()) {
        gap(begun);
        log.warn(
            "accounting got shorter, or was replaced, before it was read to its end: ends from"
                + " before count only as the queue and the files of runs have them; have it rotated"
                + " by a new name for the old file");
      }
      if (isFirstAndLate()) {
        gap(begun);
        log.warn(
            "accounting is read for the first time, from its end: ends from before count only as"
                + " the queue and the files of runs have them");
      }
      taker.take(changes);
      parts.journal().cursor(changes.cursor());
      if (changes.atEnd()) {
        readAt = begun;
        return;
      }
    }
  }

  /** Whether all that was written until a moment has been read, or nothing is ever written. */
  boolean isReadSince(Instant moment) {
    return !parts.system().hasAccounting() || !readAt.isBefore(moment);
  }

  /** Whether each end after a moment must have left a record that we have read. */
  boolean isCompleteSince(Instant moment) {
    return parts.system().hasAccounting() && gapAt.isBefore(moment);
  }

  /** Why it cannot be read. */
  Optional<String> trouble() {
    return Optional.of(trouble).filter(it -> !it.isEmpty());
  }
}
