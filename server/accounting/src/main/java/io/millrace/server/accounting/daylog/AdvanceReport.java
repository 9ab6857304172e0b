package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * The lines of a Grid Engine's reporting file about reservations that were made by its commands.
 * Its separator is not taken by a name; one in an account is shown as another character.
 */
public final class AdvanceReport implements FactReader {

  /** The revision of a reservation with its first confirmation; it is asked for with the first. */
  private static final long GRANTED = 2;

  private static final String ACCOUNT = "sge";
  private static final String NO_RESOURCES = "NONE";

  /** The option of qrsub with two arguments. */
  private static final String ENVIRONMENT = "-pe";

  private final FactHandlers handlers = new FactHandlers();
  private final LogFolders folders;

  /** Those that have lost hosts since we began, and may get others in their place. */
  private final Set<Long> unsatisfied = new HashSet<>();

  public AdvanceReport(LogFolders folders) {
    this.folders = folders;
    handlers.on(ReservationConfirmed.class, (shard, meta, fact) -> confirmed(meta, fact));
    handlers.on(ReservationSettled.class, (shard, meta, fact) -> settled(meta, fact));
    handlers.on(
        ReservationStarted.class,
        (shard, meta, fact) ->
            log(meta, fact.getReservation(), "r:START TIME REACHED:start time of AR reached"));
    handlers.on(
        ReservationDegraded.class, (shard, meta, fact) -> degraded(meta, fact.getReservation()));
    handlers.on(
        ReservationRetried.class, (shard, meta, fact) -> retried(meta, fact.getReservation()));
    handlers.on(ReservationEnded.class, (shard, meta, fact) -> ended(meta, fact.getReservation()));
  }

  private void confirmed(FactMeta meta, ReservationConfirmed fact) {
    Reservation one = fact.getReservation();
    if (one.getRevision() == GRANTED) {
      if (!fact.getHeld()) {
        granted(meta, one);
      }
    } else if (!isHeld(one) && one.getLost().isEmpty() && unsatisfied.contains(one.getNumber())) {
      satisfied(meta, one); // with other nodes
    }
  }

  /** What qrsub asks for is held until its licences were counted once more. */
  private void settled(FactMeta meta, ReservationSettled fact) {
    if (fact.getKind() == TransactionKind.RESERVE && fact.getCommitted()) {
      granted(meta, fact.getReservation());
    }
  }

  private void granted(FactMeta meta, Reservation one) {
    add(meta, one, "new_ar", one.getSpec().getOwner());
    if (one.getSpec().getGridEngine() != null) {
      GridEngineReservation asked = one.getSpec().getGridEngine();
      String attributes =
          String.join(
              ":",
              one.getSpec().getName(),
              option(asked.getOptions(), "-A", ACCOUNT).replace(':', '_'),
              seconds(one.getSpec().getStartMs()),
              seconds(one.getSpec().getEndMs()),
              asked.getEnvironment(),
              option(asked.getOptions(), "-l", NO_RESOURCES));
      changed(meta, one, "ar_attr", attributes);
    }
  }

  /** The first argument of an option. */
  private static String option(List<String> words, String name, String otherwise) {
    int at = 0;
    while (at + 1 < words.size()) {
      if (words.get(at).equals(name)) {
        return words.get(at + 1);
      }
      at += words.get(at).equals(ENVIRONMENT) ? 3 : 2;
    }
    return otherwise;
  }

  /** Whether nobody has granted it yet. */
  private static boolean isHeld(Reservation one) {
    return one.getPending() != null && one.getPending().getKind() == TransactionKind.RESERVE;
  }

  private void degraded(FactMeta meta, Reservation one) {
    if (isHeld(one)) {
      return;
    }
    if (one.getLost().isEmpty()) {
      satisfied(meta, one);
      return;
    }
    unsatisfied.add(one.getNumber());
    // Of one that was so before, also before we began, a node was lost earlier.
    if (one.getLost().stream().allMatch(it -> it.getSinceMs() >= meta.getAtMs())) {
      String state = one.getStartedMs() >= 0 ? "E" : "W";
      log(meta, one, state + ":RESOURCES UNSATISFIED:AR resources unsatisfied");
    }
  }

  /** What was too small may be large enough again, which is seen when others are looked for. */
  private void retried(FactMeta meta, Reservation one) {
    if (one.getLost().isEmpty() && unsatisfied.contains(one.getNumber())) {
      satisfied(meta, one);
    }
  }

  private void satisfied(FactMeta meta, Reservation one) {
    unsatisfied.remove(one.getNumber());
    String state = one.getStartedMs() >= 0 ? "r" : "w";
    log(meta, one, state + ":RESOURCES SATISFIED:AR resources satisfied");
  }

  private void ended(FactMeta meta, Reservation one) {
    unsatisfied.remove(one.getNumber());
    if (one.getOnlyHeld() || one.getBooked().isEmpty()) {
      return; // it was never granted
    }
    boolean over = one.getState() == ReservationState.FINISHED;
    log(meta, one, over ? "x:TERMINATED:end time of AR reached" : "d:DELETED:AR deleted");
    if (one.getSpec().getGridEngine() != null) {
      for (QueueSlots each : one.getSpec().getGridEngine().getGranted()) {
        changed(
            meta, one, "ar_acct", each.getQueue().replaceFirst("@", ":") + ":" + each.getSlots());
      }
    }
  }

  private void log(FactMeta meta, Reservation one, String text) {
    changed(meta, one, "ar_log", text);
  }

  private void changed(FactMeta meta, Reservation one, String kind, String text) {
    if (one.getSpec().getGridEngine() != null) {
      String number = Long.toString(one.getNumber());
      String line = String.join(":", seconds(one.getCreatedMs()), number, text);
      folders.report().add(meta.getAtMs(), head(meta, kind) + line);
    }
  }

  private void add(FactMeta meta, Reservation one, String kind, String text) {
    if (one.getSpec().getGridEngine() != null) {
      folders.report().add(meta.getAtMs(), head(meta, kind) + one.getNumber() + ":" + text);
    }
  }

  private static String head(FactMeta meta, String kind) {
    String at = seconds(meta.getAtMs());
    return at + ":" + kind + ":" + at + ":";
  }

  private static String seconds(long ms) {
    return Long.toString(ms / 1000);
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }
}
