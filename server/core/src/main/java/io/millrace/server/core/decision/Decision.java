package io.millrace.server.core.decision;

import io.millrace.schemas.command.Continue;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Timer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * The result of a decider: facts, an answer (or none yet), messages to shards, orders to executors.
 */
public final class Decision {
  private final List<SpecificRecord> facts = new ArrayList<>(2);
  private final List<Message> messages = new ArrayList<>(1);
  private final List<SpecificRecord> dispatch = new ArrayList<>(1);
  private final List<DecidedAnswer> answers = new ArrayList<>(1);
  private List<String> queues = List.of();

  /**
   * An answer to a command: this one, or an earlier one that has waited for its end.
   *
   * @param kept what is remembered of the lines, and said when the command is repeated
   */
  public record DecidedAnswer(
      io.millrace.schemas.common.CommandMeta to,
      int code,
      List<String> lines,
      List<String> kept,
      boolean interim) {}

  /** No facts and no answer: the answer comes later or was given before. */
  public static Decision none() {
    return new Decision();
  }

  public static Decision rejected(Context context, PbsError error) {
    return none().answer(context.meta(), error.code(), List.of(error.text()));
  }

  public static Decision rejected(Context context, PbsError error, String subject) {
    return none().answer(context.meta(), error.code(), List.of(error.text(subject)));
  }

  public static Decision rejected(Context context, PbsRefusal refused) {
    return none().answer(context.meta(), refused.code(), List.of(refused.getMessage()));
  }

  /** A submission that came too late; the second line says up to which deadline it is withdrawn. */
  public static Decision withdrawn(Context context) {
    String deadline = Long.toString(context.meta().getDeadlineMs());
    List<String> lines = List.of(PbsError.WITHDRAWN.text(), deadline);
    return none().answer(context.meta(), PbsError.WITHDRAWN.code(), lines);
  }

  public static Decision done(Context context, String... lines) {
    return none().answer(context.meta(), 0, List.of(lines));
  }

  /** Removes a timer that was due; the caller adds what follows. */
  public static Decision fired(Context context, Timer timer) {
    return none().fact(new TimerFired(context.stamp(), timer));
  }

  public Decision fact(SpecificRecord fact) {
    facts.add(fact);
    return this;
  }

  public Decision answer(io.millrace.schemas.common.CommandMeta to, int code, List<String> lines) {
    return answer(to, code, lines, lines);
  }

  /** An answer that is too long to be remembered as it is. */
  public Decision answer(
      io.millrace.schemas.common.CommandMeta to, int code, List<String> lines, List<String> kept) {
    answers.add(new DecidedAnswer(to, code, List.copyOf(lines), List.copyOf(kept), false));
    return this;
  }

  /** A line to show while the answer is awaited. */
  public Decision interim(io.millrace.schemas.common.CommandMeta to, String line) {
    answers.add(new DecidedAnswer(to, 0, List.of(line), List.of(), true));
    return this;
  }

  /** Appends another decision. */
  public Decision add(Decision other) {
    facts.addAll(other.facts);
    answers.addAll(other.answers);
    messages.addAll(other.messages);
    dispatch.addAll(other.dispatch);
    return this;
  }

  public Decision tell(int shard, SpecificRecord command) {
    messages.add(new Message(shard, command));
    return this;
  }

  /** Sends this shard a command to go on with continued work. */
  public Decision goOn(Context context, String work, String cursor) {
    return tell(context.shard(), new Continue(context.asShard(), work, cursor));
  }

  public Decision dispatch(SpecificRecord order) {
    dispatch.add(order);
    return this;
  }

  /** The answer is about a submission to these queues and goes where they go. */
  public Decision aboutSubmissionTo(List<String> names) {
    queues = names;
    return this;
  }

  public List<String> queues() {
    return queues;
  }

  public List<SpecificRecord> facts() {
    return facts;
  }

  public List<Message> messages() {
    return messages;
  }

  public List<SpecificRecord> dispatch() {
    return dispatch;
  }

  public List<DecidedAnswer> answers() {
    return answers;
  }

  /** Code of the answer to the command itself; 0 when it was not refused. */
  public int code(CommandId command) {
    return answers.stream()
        .filter(a -> !a.interim() && a.to().getId().equals(command))
        .mapToInt(DecidedAnswer::code)
        .findFirst()
        .orElse(0);
  }
}
