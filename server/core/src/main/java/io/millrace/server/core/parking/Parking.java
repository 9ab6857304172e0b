package io.millrace.server.core.parking;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.Commands;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Parked;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.decision.Registry;
import io.millrace.server.core.state.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/**
 * Commands that cannot be decided before something else has happened. They are kept in the state
 * until then; the decider of that event releases them, and they go through the inbox again. A timer
 * refuses those that waited too long. A parked command that is sent again stays parked.
 */
public final class Parking {

  /** What a command waits for. */
  public enum Cause {
    /** A job on its way to another shard; subject: its number. */
    JOB("job", 10_000),
    /** A node on its way from one shard to another; subject: its name. */
    NODE("node", 10_000),
    /** Job numbers; no subject. */
    NUMBERS("numbers", 20_000),
    /** More of a limit of the server; subject: the limit. */
    LIMIT("limit", 20_000),
    /** What a queue's old shard answered to submissions; subject: that shard and the change. */
    ANSWERS("answers", 20_000);

    private final String word;
    private final long patienceMs;

    Cause(String word, long patienceMs) {
      this.word = word;
      this.patienceMs = patienceMs;
    }

    String place(String subject) {
      return word + "/" + subject + "/";
    }

    static Cause of(String place) {
      String word = place.substring(0, place.indexOf('/'));
      for (Cause cause : values()) {
        if (cause.word.equals(word)) {
          return cause;
        }
      }
      throw new IllegalStateException("nothing waits in " + place);
    }
  }

  /** Kind of the timers; the subject is the place. */
  public static final String TIMER = "parked";

  /** Commands that may lie in one shard: as many as a gateway has unanswered at most. */
  static final int COMMANDS_MAX = 4096;

  /** Bytes that they may take together: all of them are kept in memory. */
  static final long BYTES_MAX = 32 << 20;

  /** Leaves room for the envelope of the fact. */
  private static final long ONE_MAX = Topics.MESSAGE_BYTES_MAX - 4096;

  /** What is done instead of a refusal for commands that nobody waits for. */
  private static final Registry REFUSALS = Registry.ofRefusals(Commands.PROTOCOL);

  private Parking() {}

  /** Parks the command, or refuses it when there is no room; adds to the decision. */
  public static Decision park(
      Context c, Cause cause, String subject, SpecificRecord command, Decision decision) {
    return park(c, cause.place(subject), 0, command, decision);
  }

  /**
   * Parks the command until there is more of a limit.
   *
   * @param units how much it needs
   */
  public static Decision parkForLimit(
      Context c, String subject, long units, SpecificRecord command, Decision decision) {
    return park(c, Cause.LIMIT.place(subject), units, command, decision);
  }

  private static Decision park(
      Context c, String where, long units, SpecificRecord command, Decision decision) {
    Cause cause = Cause.of(where);
    if (!mayWait(command, cause)) {
      throw new IllegalArgumentException(
          command.getSchema().getName() + " cannot be parked for " + cause.word);
    }
    String place = where + Keys.command(c.meta().getId());
    Parked lying = c.view().parked().get(place);
    if (lying != null && answersAlso(meta(command(c, lying)), c.meta())) {
      return decision;
    }
    Parked parked = new Parked();
    parked.setPlace(place);
    parked.setSinceMs(lying == null ? c.nowMs() : lying.getSinceMs());
    parked.setUntilMs(parked.getSinceMs() + cause.patienceMs);
    parked.setUnits(units);
    parked.setCommand(CarriedRecord.of(c.view().codec(), command));
    if (!roomFor(c, parked)) {
      refuse(c, command, PbsError.TRY_AGAIN, ": too many requests wait", decision);
      return decision;
    }
    return decision.fact(new CommandParked(c.stamp(), parked));
  }

  /** Whether the answer to a copy that lies here is one to another copy, too. */
  private static boolean answersAlso(CommandMeta lying, CommandMeta copy) {
    return lying.getReplyTo() == copy.getReplyTo() && lying.getDeadlineMs() >= copy.getDeadlineMs();
  }

  /** Whether the command's schema says that it may wait for this (property "waits"). */
  private static boolean mayWait(SpecificRecord command, Cause cause) {
    return command.getSchema().getObjectProp("waits") instanceof List<?> causes
        && causes.contains(cause.word);
  }

  private static boolean roomFor(Context c, Parked parked) {
    int[] commands = {1};
    long[] bytes = {bytes(parked)};
    c.view()
        .parked()
        .scan(
            "",
            null,
            (place, other) -> {
              commands[0]++;
              bytes[0] += bytes(other);
              return true;
            });
    return bytes(parked) <= ONE_MAX && commands[0] <= COMMANDS_MAX && bytes[0] <= BYTES_MAX;
  }

  private static long bytes(Parked parked) {
    return parked.getCommand().remaining();
  }

  /** Releases all commands that wait for such an event, whatever it is about. */
  public static void releaseAll(Context c, Cause cause, Decision decision) {
    releaseFrom(c, cause.word + "/", command -> true, decision);
  }

  /** Releases the commands that wait for an event which has happened. */
  public static void release(Context c, Cause cause, String subject, Decision decision) {
    release(c, cause, subject, command -> true, decision);
  }

  /**
   * Releases as many submissions as there are numbers for, at least one, in the order of their
   * arrival.
   */
  public static void releaseWithNumbers(Context c, long numbers, Decision decision) {
    long[] left = {numbers};
    release(
        c,
        Cause.NUMBERS,
        "",
        command -> {
          boolean served = left[0] > 0;
          left[0] -= command instanceof SubmitJobs jobs ? jobs.getJobs().size() : 1;
          return served;
        },
        decision);
  }

  /**
   * Releases those commands that wait for a limit and fit into what is left of it, in the order of
   * their ids, and refuses all others.
   *
   * @param units what is left
   */
  public static void releaseFitting(
      Context c, String subject, long units, PbsRefusal otherwise, Decision decision) {
    List<String> places = new ArrayList<>();
    long[] left = {units};
    String from = Cause.LIMIT.place(subject);
    c.view()
        .parked()
        .scan(
            from,
            from + Character.MAX_VALUE,
            (place, parked) -> {
              SpecificRecord command = command(c, parked);
              places.add(place);
              if (parked.getUnits() <= left[0]) {
                left[0] -= parked.getUnits();
                decision.tell(c.shard(), command);
              } else {
                List<String> lines = List.of(otherwise.getMessage());
                decision.answer(meta(command), otherwise.code(), lines);
              }
              return true;
            });
    if (!places.isEmpty()) {
      decision.fact(new CommandsReleased(c.stamp(), places));
    }
  }

  private static void release(
      Context c, Cause cause, String subject, Predicate<SpecificRecord> wanted, Decision decision) {
    releaseFrom(c, cause.place(subject), wanted, decision);
  }

  private static void releaseFrom(
      Context c, String from, Predicate<SpecificRecord> wanted, Decision decision) {
    List<String> places = new ArrayList<>();
    c.view()
        .parked()
        .scan(
            from,
            from + Character.MAX_VALUE,
            (place, parked) -> {
              SpecificRecord command = command(c, parked);
              if (!wanted.test(command)) {
                return false;
              }
              places.add(place);
              decision.tell(c.shard(), command);
              return true;
            });
    if (!places.isEmpty()) {
      decision.fact(new CommandsReleased(c.stamp(), places));
    }
  }

  /** Refuses a command that was parked for too long; nothing to do when it was released. */
  public static void late(Context c, String place, Decision decision) {
    Parked parked = c.view().parked().get(place);
    if (parked == null || parked.getUntilMs() > c.nowMs()) {
      return;
    }
    decision.fact(new CommandsReleased(c.stamp(), List.of(place)));
    SpecificRecord command = command(c, parked);
    switch (Cause.of(place)) {
      case JOB -> refuse(c, command, PbsError.BAD_STATE, "", decision);
      case NODE -> refuse(c, command, PbsError.NODE_BUSY, "", decision);
      case NUMBERS -> {
        String why = ": no job numbers, shard " + Topics.ADMINISTRATIVE_SHARD + " does not answer";
        refuse(c, command, PbsError.TRY_AGAIN, why, decision);
      }
      case LIMIT -> {
        String why =
            ": what other schedulers have of a limit of the server is not known, shards do not"
                + " answer";
        refuse(c, command, PbsError.TRY_AGAIN, why, decision);
      }
      case ANSWERS -> {
        String shard = place.substring(place.indexOf('/') + 1, place.indexOf('-'));
        String why = ": shard " + shard + ", where the queue was, does not answer";
        refuse(c, command, PbsError.TRY_AGAIN, why, decision);
      }
    }
  }

  private static void refuse(
      Context c, SpecificRecord command, PbsError error, String why, Decision decision) {
    if (REFUSALS.knows(command.getClass())) {
      decision.add(REFUSALS.decide(c, command));
    } else {
      decision.answer(meta(command), error.code(), List.of(error.text() + why));
    }
  }

  private static CommandMeta meta(SpecificRecord command) {
    return Envelope.ofCommand(command);
  }

  private static SpecificRecord command(Context c, Parked parked) {
    return CarriedRecord.read(c.view().codec(), parked.getCommand());
  }
}
