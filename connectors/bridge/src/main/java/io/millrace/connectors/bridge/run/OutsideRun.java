package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
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
 * @param task of an array that it is, or was about to be; empty for a job of its own
 * @param doubt that it is over, and nobody can tell whether its script has begun
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
    Optional<OutsideEnd> end,
    Optional<OutsideTask> task,
    Optional<RunDoubt> doubt) {

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
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public OutsideTag tag() {
    return order.tag();
  }

  /** The mark that its job has outside. */
  OutsideTag mark() {
    return task.map(OutsideTask::array).orElse(tag());
  }

  /** What it is called outside when its job has a number. */
  OutsideId in(long number) {
    return new OutsideId(number, task.map(OutsideTask::index).orElse(0L));
  }

  public String account() {
    return order.account();
  }

  /** Just before the command is started; that the answer is unclear holds until there is one. */
  OutsideRun aboutToSubmit(Instant now) {
    return aboutToSubmit(now, Optional.empty());
  }

  /** The same, as a task where one is given. */
  OutsideRun aboutToSubmit(Instant now, Optional<OutsideTask> as) {
    return with(OutsideRunState.ABOUT_TO_SUBMIT, now, attempts + 1, Optional.of(now), as);
  }

  /** The command is over, and its answer does not say what it has done. */
  OutsideRun unclearSince(Instant now) {
    return with(OutsideRunState.ABOUT_TO_SUBMIT, since, attempts, Optional.of(now), task);
  }

  /** The same where the system had no room: that is no failure, however often it comes. */
  OutsideRun unclearWhileFull(Instant now) {
    int before = Math.max(1, attempts - 1);
    return with(OutsideRunState.ABOUT_TO_SUBMIT, since, before, Optional.of(now), task);
  }

  /** It is known not to be outside. */
  OutsideRun orderedAgain(Instant now) {
    return with(OutsideRunState.ORDERED, now, attempts, Optional.empty(), Optional.empty());
  }

  /** The command was never started: that was no attempt. */
  OutsideRun notSent(Instant now) {
    int before = Math.max(0, attempts - 1);
    return with(OutsideRunState.ORDERED, now, before, Optional.empty(), Optional.empty());
  }

  private OutsideRun with(
      OutsideRunState to, Instant at, int tries, Optional<Instant> open, Optional<OutsideTask> as) {
    return state == OutsideRunState.ENDED
        ? this
        : new OutsideRun(
            order,
            to,
            at,
            Optional.empty(),
            Optional.empty(),
            tries,
            open,
            delete,
            end,
            as,
            Optional.empty());
  }

  /** It is this job; what was said of the end of another one is not so of it. */
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
            Optional.empty(),
            task,
            Optional.empty());
  }

  /** The outside system shows it in a state. */
  OutsideRun seen(OutsideRunState to, Instant now) {
    return state == to || !state.isOutside()
        ? this
        : new OutsideRun(
            order, to, now, id, submitted, attempts, unclear, delete, end, task, doubt);
  }

  /** A record says that it has ended; anybody could have written it. */
  OutsideRun recorded(OutsideEnd said) {
    return toldOf(Optional.of(said));
  }

  /** The queue shows it: what a record says is not so. */
  OutsideRun withoutRecord() {
    return toldOf(Optional.empty());
  }

  private OutsideRun toldOf(Optional<OutsideEnd> said) {
    return state == OutsideRunState.ENDED || end.equals(said)
        ? this
        : new OutsideRun(
            order, state, since, id, submitted, attempts, unclear, delete, said, task, doubt);
  }

  OutsideRun toDelete() {
    return new OutsideRun(
        order, state, since, id, submitted, attempts, unclear, true, end, task, doubt);
  }

  /** It was looked once more whether its script has begun, and nobody could tell. */
  OutsideRun doubted(RunDoubt now) {
    return inDoubt(Optional.of(now));
  }

  /** It lives, and how it ends is yet to be told. */
  OutsideRun withoutDoubt() {
    return inDoubt(Optional.empty());
  }

  private OutsideRun inDoubt(Optional<RunDoubt> now) {
    return state == OutsideRunState.ENDED || doubt.equals(now)
        ? this
        : new OutsideRun(
            order, state, since, id, submitted, attempts, unclear, delete, end, task, now);
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
            Optional.of(how),
            task,
            Optional.empty());
  }
}
