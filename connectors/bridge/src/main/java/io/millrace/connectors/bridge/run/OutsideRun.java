package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.Instant;
import java.util.Optional;

/**
 * A run and what is known of it. The functions below are the moves of the state machine; none of
 * them leaves {@code ENDED}.
 *
 * @param order what is to be run
 * @param state where it is
 * @param since when it got there; of one not heard of, since when
 * @param id its number outside
 * @param submitted when its submission was answered
 * @param attempts how often it was submitted
 * @param unclear until when the command of an unclear submission may have lived
 * @param delete whether it is to be deleted
 * @param end how it has ended; before that, what a record says that the queue has yet to confirm
 */
public record OutsideRun(
    OutsideSubmission order,
    OutsideRunState state,
    Instant since,
    Optional<OutsideId> id,
    Optional<Instant> submitted,
    int attempts,
    Optional<Instant> unclear,
    boolean delete,
    Optional<OutsideEnd> end) {

  /** A run that was ordered now. */
  public static OutsideRun ordered(OutsideSubmission order, Instant now) {
    return new OutsideRun(
        order,
        OutsideRunState.ORDERED,
        now,
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        false,
        Optional.empty());
  }

  public OutsideTag tag() {
    return order.tag();
  }

  public String account() {
    return order.account();
  }

  /** Just before the command is started; that the answer is unclear holds until there is one. */
  OutsideRun aboutToSubmit(Instant now) {
    return with(OutsideRunState.ABOUT_TO_SUBMIT, now, attempts + 1, Optional.of(now));
  }

  /** The command is over, and its answer does not say what it has done. */
  OutsideRun unclearSince(Instant now) {
    return with(OutsideRunState.ABOUT_TO_SUBMIT, since, attempts, Optional.of(now));
  }

  /** The same where the system had no room: that is no failure, however often it comes. */
  OutsideRun unclearWhileFull(Instant now) {
    int before = Math.max(1, attempts - 1);
    return with(OutsideRunState.ABOUT_TO_SUBMIT, since, before, Optional.of(now));
  }

  /** It is known not to be outside. */
  OutsideRun orderedAgain(Instant now) {
    return with(OutsideRunState.ORDERED, now, attempts, Optional.empty());
  }

  /** The command was never started: that was no attempt. */
  OutsideRun notSent(Instant now) {
    return with(OutsideRunState.ORDERED, now, Math.max(0, attempts - 1), Optional.empty());
  }

  private OutsideRun with(OutsideRunState to, Instant at, int tries, Optional<Instant> open) {
    return state == OutsideRunState.ENDED
        ? this
        : new OutsideRun(
            order, to, at, Optional.empty(), Optional.empty(), tries, open, delete, end);
  }

  OutsideRun submittedAs(OutsideId number, Instant now) {
    return state == OutsideRunState.ENDED
        ? this
        : new OutsideRun(
            order,
            OutsideRunState.SUBMITTED,
            now,
            Optional.of(number),
            Optional.of(now),
            attempts,
            Optional.empty(),
            delete,
            end);
  }

  /** The outside system shows it in a state. */
  OutsideRun seen(OutsideRunState to, Instant now) {
    return state == to || !state.isOutside()
        ? this
        : new OutsideRun(order, to, now, id, submitted, attempts, unclear, delete, end);
  }

  /** A record says that it has ended; anybody could have written it. */
  OutsideRun recorded(OutsideEnd said) {
    return state == OutsideRunState.ENDED
        ? this
        : new OutsideRun(
            order, state, since, id, submitted, attempts, unclear, delete, Optional.of(said));
  }

  /** The queue shows it: what a record says is not so. */
  OutsideRun withoutRecord() {
    return state == OutsideRunState.ENDED || end.isEmpty()
        ? this
        : new OutsideRun(
            order, state, since, id, submitted, attempts, unclear, delete, Optional.empty());
  }

  OutsideRun toDelete() {
    return new OutsideRun(order, state, since, id, submitted, attempts, unclear, true, end);
  }

  OutsideRun ended(OutsideEnd how, Instant now) {
    return state == OutsideRunState.ENDED
        ? this
        : new OutsideRun(
            order,
            OutsideRunState.ENDED,
            now,
            id,
            submitted,
            attempts,
            unclear,
            delete,
            Optional.of(how));
  }
}
