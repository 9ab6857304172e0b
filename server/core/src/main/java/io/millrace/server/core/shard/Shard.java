package io.millrace.server.core.shard;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.Commands;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ClockSetBack;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.Facts;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.KindDeciders;
import io.millrace.server.core.decision.MessageIds;
import io.millrace.server.core.decision.RecordSizes;
import io.millrace.server.core.decision.Registry;
import io.millrace.server.core.snapshot.Snapshots;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One shard: takes commands in the order of its inbox, decides, applies. Single-threaded. */
public final class Shard implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

  /**
   * Most timers decided before one command; their facts and the command's stay below {@link
   * Context#FACTS_MAX}.
   */
  private static final int TIMERS_MAX = 24;

  /** Clocks of brokers differ a little; for so long the shard's time stands still. */
  private static final long CLOCK_SLACK_MS = 60_000;

  /** A timer that fails is tried again after this time, then twice this time, and so on. */
  private static final long TIMER_RETRY_MS = 60_000;

  private static final int TIMER_TRIES_MAX = 6;

  private static final String NO_SHARD = ": there is no such shard";

  private static final String TOO_LONG = ": what follows from it is too long for a record";

  /** Codes of rejections that are not remembered: the same command may be decided again. */
  private static final Set<Integer> NOT_REMEMBERED =
      Set.of(
          PbsError.UNKNOWN_SCRIPT.code(),
          PbsError.COMMAND_TOO_OLD.code(),
          PbsError.COMMAND_LATE.code());

  /**
   * Codes of rejections that hold up to the command's deadline: a copy of it that is still on its
   * way gets the same answer, and whoever asks again with a later deadline has it decided.
   */
  private static final Set<Integer> UP_TO_THE_DEADLINE =
      Set.of(PbsError.WITHDRAWN.code(), PbsError.TRY_AGAIN.code());

  private final State state;
  private final Registry deciders = Registry.ofDeciders(Commands.PROTOCOL);
  private final KindDeciders timers = KindDeciders.of(Timer.SCHEMA$);
  private final Registry appliers = Registry.ofAppliers(Facts.PROTOCOL);

  private final Snapshots snapshots;

  public Shard(State state) {
    this.state = state;
    this.snapshots = new Snapshots(state);
  }

  /** Releases an unfinished snapshot, which is not completed. */
  @Override
  public void close() {
    snapshots.close();
  }

  public View view() {
    return state;
  }

  /**
   * Decides one command at the shard's time max(previous, recordTimeMs), after the timers that are
   * due by then. When the record's time is much earlier than the previous one the clock was set
   * back, and the shard's time is, too.
   *
   * <p>A command that its family may not send is refused before all of that and leaves nothing in
   * the state.
   *
   * @param from where the command came from, which the command itself cannot claim
   */
  public CommandOutcome handle(CommandFamily from, SpecificRecord command, long recordTimeMs) {
    return handle(from, "", command, recordTimeMs);
  }

  /**
   * The same for a command that has proven to come from a host.
   *
   * @param host an executor's; empty when nothing proves it
   */
  public CommandOutcome handle(
      CommandFamily from, String host, SpecificRecord command, long recordTimeMs) {
    Optional<String> refusal = from.refusal(command);
    if (refusal.isEmpty() && from == CommandFamily.EXECUTOR) {
      Context asked = new Context(state, recordTimeMs, Envelope.ofCommand(command));
      refusal = HostRule.refusal(asked, host, command);
    }
    if (refusal.isPresent()) {
      return refused(from, command, refusal.get());
    }
    CommandOutcome outcome = CommandOutcome.empty();
    CommandMeta meta = Envelope.ofCommand(command);
    MessageIds ids = new MessageIds(meta, state.shard());
    long timeMs = ShardNumbers.of(state).getTimeMs();
    if (recordTimeMs < timeMs - CLOCK_SLACK_MS) {
      LOG.warn("the clock was set back by {} ms", timeMs - recordTimeMs);
      Context before = new Context(state, recordTimeMs, meta, ids);
      Decision back = Decision.none().fact(new ClockSetBack(before.stamp(), timeMs));
      carryOut(back, recordTimeMs, meta, outcome);
    }
    long nowMs = Math.max(ShardNumbers.of(state).getTimeMs(), recordTimeMs);
    fireTimers(meta, nowMs, ids, outcome);
    Context context = new Context(state, nowMs, meta, ids, recordTimeMs);
    Decision decision = gate(context, command);
    if (decision == null) {
      decision = decide(context, command);
    }
    carryOut(decision, nowMs, meta, outcome);
    return outcome.withCode(decision.code(meta.getId()));
  }

  /**
   * When an idle shard has to look at its timers, or Long.MAX_VALUE: when one is due, or a while
   * later when all it does is to forget.
   */
  public long nextTimerMs() {
    long[] due = {Long.MAX_VALUE};
    state
        .timers()
        .scan(
            "",
            null,
            (key, timer) -> {
              long patienceMs = AnswerMemory.patienceMs(timer);
              due[0] = Math.min(due[0], timer.getDueMs() + patienceMs);
              return patienceMs > 0;
            });
    return due[0];
  }

  /** Applies one fact of the ledger: the way to rebuild a state. */
  public void apply(SpecificRecord fact) {
    FactMeta meta = Envelope.ofFact(fact);
    ShardState before = ShardNumbers.of(state);
    if (meta.getSeq() != before.getSeq() + 1) {
      throw new IllegalStateException(
          "fact " + meta.getSeq() + " follows " + before.getSeq() + ": the ledger has a gap");
    }
    ShardState after = Copies.of(before);
    after.setSeq(meta.getSeq());
    boolean back = fact instanceof ClockSetBack;
    after.setTimeMs(back ? meta.getAtMs() : Math.max(before.getTimeMs(), meta.getAtMs()));
    AnswerMemory.noteLeap(before, after);
    state.numbers().put(Keys.NUMBERS, after);
    appliers.apply(state, fact);
  }

  private void fireTimers(CommandMeta meta, long nowMs, MessageIds ids, CommandOutcome outcome) {
    List<Timer> due = new ArrayList<>();
    state
        .timers()
        .scan(
            "",
            Keys.time(nowMs + 1),
            (key, timer) -> {
              due.add(timer);
              return due.size() < TIMERS_MAX;
            });
    for (Timer timer : due) {
      Context context = new Context(state, nowMs, meta, ids);
      carryOut(fire(timer, context), nowMs, meta, outcome);
    }
  }

  /** Nobody waits for a timer: one that cannot be decided is told to the administrator's log. */
  private Decision fire(Timer timer, Context context) {
    try {
      return timers.decide(context, timer);
    } catch (RuntimeException e) {
      String incident = Keys.incident(context.meta()) + "-" + timer.getKind();
      LOG.error("incident {}: timer {} was not decided", incident, timer, e);
      // Numbers of facts that the failed decision took are used again.
      return failed(new Context(state, context.nowMs(), context.meta()), timer, incident);
    }
  }

  /** Pushed out a few times, because the state that it stumbled on may change, then given up. */
  private static Decision failed(Context context, Timer timer, String incident) {
    boolean again = timer.getFailures() + 1 < TIMER_TRIES_MAX;
    long againMs = again ? context.nowMs() + (TIMER_RETRY_MS << timer.getFailures()) : -1;
    return Decision.none().fact(new TimerFailed(context.stamp(), timer, incident, againMs));
  }

  /**
   * Gateways are answered, since they write for those who wait, and the campaign server, which
   * would take its tasks for sent. Nobody else: the answer would go where the refused record says;
   * the campaign server's goes to its own topic, whatever the record says.
   */
  private static CommandOutcome refused(CommandFamily from, SpecificRecord command, String why) {
    CommandMeta meta = Envelope.ofCommand(command);
    PbsError error = PbsError.COMMAND_FAMILY;
    CommandOutcome outcome = CommandOutcome.refused(error.code(), why);
    boolean campaign = from == CommandFamily.CAMPAIGN;
    if ((campaign || from == CommandFamily.USER) && meta.getReplyTo() >= 0) {
      Reply reply = new Reply(meta.getId(), error.code(), List.of(error.text()), false);
      int to = campaign ? Topics.REPLY_TO_CAMPAIGNS : meta.getReplyTo();
      outcome.replies().add(new CommandOutcome.AddressedReply(to, reply));
    }
    return outcome;
  }

  /** Refuses or repeats what must not be decided; null lets the command through. */
  private Decision gate(Context context, SpecificRecord command) {
    CommandMeta meta = context.meta();
    if (meta.getReplyTo() < 0) {
      return null;
    }
    Answer answer = state.answers().get(Keys.command(meta.getId()));
    if (answer != null && !AnswerMemory.isOpenAgain(answer, meta)) {
      return Decision.none().answer(meta, answer.getCode(), answer.getLines());
    }
    boolean old = AnswerMemory.mayBeForgotten(context.numbers(), meta.getId(), context.nowMs());
    if (old && !(command instanceof LaunchTask)) { // its run remembers that command
      return Decision.rejected(context, PbsError.COMMAND_TOO_OLD);
    }
    if (context.late() && !(command instanceof SubmitJobs)) { // it may have to go to another shard
      return Decision.rejected(context, PbsError.COMMAND_LATE);
    }
    return null;
  }

  private Decision decide(Context context, SpecificRecord command) {
    try {
      boolean snapshot = command instanceof Continue it && it.getWork().equals(Snapshots.WORK);
      if (snapshot) {
        return snapshots.go(context, ((Continue) command).getCursor());
      }
      Decision decision = deciders.decide(context, command);
      if (!RecordSizes.fit(decision)) {
        return Decision.rejected(context, PbsError.INVALID_REQUEST, TOO_LONG);
      }
      boolean exist = decision.messages().stream().allMatch(it -> exists(it.shard()));
      return exist ? decision : Decision.rejected(context, PbsError.INVALID_REQUEST, NO_SHARD);
    } catch (RuntimeException e) {
      snapshots.close(); // it would miss the records that were read for this decision
      String incident = Keys.incident(context.meta());
      LOG.error("incident {}: {} was not decided", incident, IncidentText.of(command), e);
      return Decision.rejected(context, PbsError.INCIDENT, " " + incident);
    }
  }

  private boolean exists(int shard) {
    return shard >= 0 && shard < state.shards();
  }

  private void carryOut(Decision decision, long nowMs, CommandMeta cause, CommandOutcome outcome) {
    for (SpecificRecord fact : decision.facts()) {
      apply(fact);
      outcome.facts().add(fact);
    }
    for (Decision.DecidedAnswer answer : decision.answers()) {
      give(answer, decision.queues(), new Context(state, nowMs, cause), outcome);
    }
    outcome.messages().addAll(decision.messages());
    outcome.dispatch().addAll(decision.dispatch());
  }

  private void give(
      Decision.DecidedAnswer answer, List<String> queues, Context context, CommandOutcome outcome) {
    CommandMeta to = answer.to();
    if (to.getReplyTo() < 0) {
      return;
    }
    Reply reply = new Reply(to.getId(), answer.code(), answer.lines(), answer.interim());
    outcome.replies().add(new CommandOutcome.AddressedReply(to.getReplyTo(), reply));
    Answer known = state.answers().get(Keys.command(to.getId()));
    boolean bounded = UP_TO_THE_DEADLINE.contains(answer.code());
    long deadlineMs = bounded ? to.getDeadlineMs() : 0;
    boolean notKept =
        answer.interim()
            || NOT_REMEMBERED.contains(answer.code())
            || (bounded && deadlineMs == 0)
            || (known != null && !AnswerMemory.isOpenAgain(known, to));
    if (!notKept) {
      long round = ShardNumbers.of(state).getAnswerRound();
      Answer kept = new Answer(to.getId(), answer.code(), answer.kept(), queues, round, deadlineMs);
      SpecificRecord fact = new CommandAnswered(context.stamp(), kept);
      apply(fact);
      outcome.facts().add(fact);
    }
  }
}
