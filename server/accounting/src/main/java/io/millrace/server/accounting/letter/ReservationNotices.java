package io.millrace.server.accounting.letter;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import io.millrace.server.mail.MailMessage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.apache.avro.specific.SpecificRecord;

/**
 * Who is written to about reservations: those of their mail users, else the owner. Each fact
 * carries the whole record, so that nothing is kept.
 */
public final class ReservationNotices implements FactReader {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ENGLISH);

  private final FactHandlers handlers = new FactHandlers();
  private final MailQueue box;
  private final ZoneId zone;

  public ReservationNotices(MailQueue box, ZoneId zone) {
    this.box = box;
    this.zone = zone;
    handlers.on(
        ReservationConfirmed.class,
        (shard, meta, fact) -> {
          // What an open transaction holds is told when it is committed.
          if (!fact.getHeld()) {
            confirmed(meta, fact.getReservation());
          }
        });
    handlers.on(
        ReservationSettled.class,
        (shard, meta, fact) -> {
          boolean stays =
              fact.getKind() == TransactionKind.RESERVE || fact.getKind() == TransactionKind.MODIFY;
          if (fact.getCommitted() && stays) {
            confirmed(meta, fact.getReservation());
          }
        });
    handlers.on(
        ReservationStarted.class,
        (shard, meta, fact) ->
            write('b', meta, fact.getReservation(), "Reservation period starting"));
    handlers.on(
        ReservationReturned.class,
        (shard, meta, fact) -> {
          if (fact.getOverStartMs() >= 0) {
            write('e', meta, fact.getReservation(), "Reservation period over");
          }
        });
    handlers.on(ReservationEnded.class, (shard, meta, fact) -> ended(meta, fact));
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }

  private void confirmed(FactMeta meta, Reservation one) {
    ReservationSpec spec = one.getSpec();
    String window = "from " + time(spec.getStartMs()) + " until " + time(spec.getEndMs());
    write('c', meta, one, "Reservation confirmed\n" + window + "\non " + one.getNodes());
  }

  private String time(long ms) {
    return TIME.format(Instant.ofEpochMilli(ms).atZone(zone));
  }

  /** Who deletes his own knows it, and so does who was told at once that there is no room. */
  private void ended(FactMeta meta, ReservationEnded fact) {
    Reservation last = fact.getReservation();
    if (last.getAtOnce() && last.getShares().isEmpty()) {
      return;
    }
    if (last.getState() == ReservationState.FINISHED) {
      write('e', meta, last, "Reservation period over");
      return;
    }
    String by = last.getEndedBy();
    if (by.isEmpty()) {
      write('a', meta, last, "Reservation deleted by PBS Server\n" + fact.getWhy());
    } else if (!by.startsWith(last.getSpec().getOwner() + "@")) {
      write('a', meta, last, "Reservation deleted at request of " + by);
    }
  }

  private void write(char point, FactMeta meta, Reservation one, String text) {
    ReservationSpec spec = one.getSpec();
    if (spec.getMailPoints().indexOf(point) < 0) {
      return;
    }
    List<String> to =
        spec.getMailUsers().isEmpty()
            ? List.of(spec.getOwner() + "@" + spec.getSubmitHost())
            : spec.getMailUsers();
    String name = spec.getName().isEmpty() ? "NULL" : spec.getName();
    String head = "PBS Reservation Id: " + one.getId() + "\nReservation Name:   " + name + "\n";
    box.put(
        new MailMessage(meta.getAtMs(), to, "PBS RESERVATION " + one.getId(), head + text + "\n"));
  }
}
