package io.millrace.server.accounting.account;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.file.DayFiles;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.time.ZoneId;
import org.apache.avro.specific.SpecificRecord;

/** The lines of reservations. Each fact carries the whole record, so that nothing is kept. */
public final class ReservationAccounts implements FactReader {

  private static final String SCHEDULER = "Scheduler";

  private final FactHandlers handlers = new FactHandlers();
  private final DayFiles files;
  private final ReservationLine line;

  public ReservationAccounts(DayFiles files, ZoneId zone) {
    this.files = files;
    this.line = new ReservationLine(zone);
    handlers.on(
        ReservationSubmitted.class,
        (shard, meta, fact) -> add(meta, line.asked(meta.getAtMs(), fact.getReservation())));
    handlers.on(ReservationConfirmed.class, (shard, meta, fact) -> confirmed(meta, fact));
    handlers.on(ReservationSettled.class, (shard, meta, fact) -> settled(meta, fact));
    handlers.on(
        ReservationStarted.class,
        (shard, meta, fact) -> add(meta, line.began(meta.getAtMs(), fact.getReservation())));
    handlers.on(
        ReservationReturned.class,
        (shard, meta, fact) -> {
          long startMs = fact.getOverStartMs();
          if (startMs >= 0) {
            add(
                meta,
                line.over(meta.getAtMs(), fact.getReservation(), startMs, fact.getOverEndMs()));
          }
        });
    handlers.on(ReservationEnded.class, (shard, meta, fact) -> ended(meta, fact.getReservation()));
  }

  /** What an open transaction holds is told when it is committed. */
  private void confirmed(FactMeta meta, ReservationConfirmed fact) {
    if (!fact.getHeld()) {
      String by = fact.getScheduler().isEmpty() ? meta.getPrincipal() : SCHEDULER;
      add(meta, line.confirmed(meta.getAtMs(), fact.getReservation(), by));
    }
  }

  private void settled(FactMeta meta, ReservationSettled fact) {
    boolean stays =
        fact.getKind() == TransactionKind.RESERVE || fact.getKind() == TransactionKind.MODIFY;
    if (fact.getCommitted() && stays) {
      add(meta, line.confirmed(meta.getAtMs(), fact.getReservation(), SCHEDULER));
    }
  }

  private void ended(FactMeta meta, Reservation last) {
    if (last.getState() == ReservationState.FINISHED) {
      add(
          meta,
          line.over(meta.getAtMs(), last, last.getSpec().getStartMs(), last.getSpec().getEndMs()));
    }
    add(meta, line.removed(meta.getAtMs(), last));
  }

  private void add(FactMeta meta, String text) {
    files.add(meta.getAtMs(), text);
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
