package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * Submissions of which nobody waits for the command any more, as those of a process before this
 * one: each may be carried out yet, as long as its command may live.
 */
final class LeftSubmissions {

  private final BridgeParts parts;
  private final Set<OutsideTag> left = new HashSet<>();

  /** Until when their commands may live. */
  private Instant end = Instant.MIN;

  LeftSubmissions(BridgeParts parts) {
    this.parts = parts;
  }

  /** What is about to be submitted was so before, or its answers were not taken. */
  void leave() {
    end = parts.clock().instant().plus(parts.terms().commandLimit());
    parts.journal().runs(OutsideRunState.ABOUT_TO_SUBMIT).forEach(it -> left.add(it.tag()));
  }

  /** A run is submitted by this process. */
  void forget(OutsideTag run) {
    left.remove(run);
  }

  /** Forgets those of which it is known what became of them. */
  void trim() {
    left.removeIf(
        it ->
            parts
                .journal()
                .run(it)
                .filter(run -> run.state() == OutsideRunState.ABOUT_TO_SUBMIT)
                .isEmpty());
  }

  /**
   * Until when the command of an unclear submission may have lived. What a process before this one
   * has noted was of a clock that may have been put back since.
   */
  Instant lived(OutsideRun run, Instant now) {
    Instant said = run.unclear().orElse(run.since());
    boolean other = said.isAfter(now) || said.isBefore(end);
    return left.contains(run.tag()) && other ? end : said;
  }
}
