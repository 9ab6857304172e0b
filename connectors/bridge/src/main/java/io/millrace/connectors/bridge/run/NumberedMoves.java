package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves that name a job by its number alone. They are hints: one says what the queue would show
 * now, and nothing of how a job has ended or whether a doubt about it is over. The queue is asked
 * for that in its pace: where many jobs end, lines of ends would have it asked all the time.
 */
final class NumberedMoves {

  /** So many wait for their run to get its number; those of jobs of others are among them. */
  static final int WAITING_MOST = 10_000;

  /** By how much the clock there may be behind, and a line cuts off less than a second. */
  private static final Duration APART = Duration.ofSeconds(6);

  private static final Set<OutsideRunState> BEFORE_BEGIN =
      Set.of(OutsideRunState.SUBMITTED, OutsideRunState.WAITING);

  private final BridgeParts parts;

  /** The last of each job that no run has, in the order in which they came. */
  private final Map<OutsideId, WaitingMove> waiting = new LinkedHashMap<>();

  private record WaitingMove(OutsideMove move, Instant until) {}

  NumberedMoves(BridgeParts parts) {
    this.parts = parts;
  }

  /** A line can come before the answer to the submission that its job is from. */
  void take(OutsideMove move) throws IOException {
    if (isTaken(move)) {
      return;
    }
    waiting.remove(move.id());
    waiting.put(
        move.id(),
        new WaitingMove(move, parts.clock().instant().plus(parts.terms().commandLimit())));
    if (waiting.size() > WAITING_MOST) {
      waiting.remove(waiting.keySet().iterator().next());
    }
  }

  /** Takes those whose runs have got their numbers meanwhile. */
  void takeWaiting() throws IOException {
    Instant now = parts.clock().instant();
    List<OutsideMove> known = new ArrayList<>();
    for (Iterator<WaitingMove> each = waiting.values().iterator(); each.hasNext(); ) {
      WaitingMove next = each.next();
      boolean found = parts.journal().run(next.move.id()).isPresent();
      if (found) {
        known.add(next.move);
      }
      // Also where the clock was put back since it came.
      Instant latest = now.plus(parts.terms().commandLimit());
      if (found || !now.isBefore(next.until) || next.until.isAfter(latest)) {
        each.remove();
      }
    }
    for (OutsideMove move : known) {
      isTaken(move);
    }
  }

  /** Whether a run has the number; numbers are used again, for jobs of others and later ones. */
  private boolean isTaken(OutsideMove move) throws IOException {
    Optional<OutsideRun> run = parts.journal().run(move.id());
    if (run.isEmpty()) {
      return false;
    }
    boolean others = !move.account().isEmpty() && !move.account().equals(run.get().account());
    if (!others && !isEarlier(move, run.get())) {
      see(run.get(), move.state());
    }
    return true;
  }

  /** Whether it was before the submission of the run: then it was of a job with its number. */
  private boolean isEarlier(OutsideMove move, OutsideRun run) {
    Instant begun = run.submitted().orElse(run.since()).minus(parts.terms().commandLimit());
    return move.at().isBefore(begun.minus(APART));
  }

  private void see(OutsideRun run, OutsideState state) throws IOException {
    boolean begins = state == OutsideState.RUNNING && BEFORE_BEGIN.contains(run.state());
    boolean ends =
        state == OutsideState.ENDING
            && run.state().isOutside()
            && run.state() != OutsideRunState.NOT_HEARD_OF;
    if (begins || ends) {
      OutsideRunState to = begins ? OutsideRunState.RUNNING : OutsideRunState.ENDING;
      OutsideRun now = run.seen(to, parts.clock().instant());
      if (now != run) {
        parts.journal().put(now);
      }
    }
  }
}
