package io.millrace.server.accounting.daylog;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.daylog.LogLine.Event;
import io.millrace.server.accounting.daylog.LogLine.LogObjectKind;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What the server's day log says of reservations, in PBS's words where it has some. */
public final class ReservationLog implements FactReader {

  private final FactHandlers handlers = new FactHandlers();
  private final ServerLogLines lines;

  public ReservationLog(ServerLogLines lines) {
    this.lines = lines;
    decisions();
    windows();
  }

  private void decisions() {
    handlers.on(
        ReservationSubmitted.class,
        (shard, meta, fact) -> tell(meta, fact.getReservation(), asked(fact.getReservation())));
    handlers.on(ReservationConfirmed.class, (shard, meta, fact) -> confirmed(meta, fact));
    handlers.on(
        ReservationDenied.class,
        (shard, meta, fact) -> {
          add(meta, Event.JOB, fact.getReservation(), "Reservation denied");
          tell(meta, fact.getReservation(), "Not confirmed: " + fact.getWhy());
        });
    handlers.on(
        ReservationAltered.class,
        (shard, meta, fact) -> {
          boolean decides = fact.getReservation().getAsked() != null;
          String what = decides ? "Alteration requested" : "Reservation altered";
          String names = fact.getChanged().isEmpty() ? "" : ": " + fact.getChanged();
          tell(meta, fact.getReservation(), what + " at request of " + fact.getBy() + names);
        });
    handlers.on(
        ReservationSettled.class,
        (shard, meta, fact) -> {
          String what = fact.getCommitted() ? "Transaction committed" : "Transaction aborted";
          String by = fact.getBy().isEmpty() ? "" : " at request of " + fact.getBy();
          String why = fact.getBy().isEmpty() ? ": " + fact.getWhy() : "";
          tell(meta, fact.getReservation(), what + by + why);
        });
  }

  private void windows() {
    handlers.on(
        ReservationStarted.class,
        (shard, meta, fact) -> tell(meta, fact.getReservation(), "Its window begins"));
    handlers.on(
        ReservationReturned.class,
        (shard, meta, fact) -> {
          Reservation one = fact.getReservation();
          String next = " is the next of " + one.getOccurrences();
          tell(meta, one, "An occurrence is over; " + one.getOccurrence() + next);
        });
    handlers.on(
        ReservationDegraded.class,
        (shard, meta, fact) -> tell(meta, fact.getReservation(), lost(fact.getReservation())));
    handlers.on(
        ReservationRetried.class,
        (shard, meta, fact) ->
            tell(meta, fact.getReservation(), "Looked at again; " + lost(fact.getReservation())));
    handlers.on(
        ReservationClosing.class,
        (shard, meta, fact) -> {
          if (fact.getReservation().getState() == ReservationState.BEING_DELETED) {
            tell(meta, fact.getReservation(), "To be deleted" + by(fact.getReservation()));
          } else {
            tell(meta, fact.getReservation(), "Its jobs are deleted: " + fact.getWhy());
          }
        });
    handlers.on(
        ReservationEnded.class,
        (shard, meta, fact) ->
            add(meta, Event.DEBUG, fact.getReservation(), "reservation deleted"));
  }

  private static String asked(Reservation one) {
    return "New reservation requested by "
        + one.getSpec().getOwner()
        + "@"
        + one.getSpec().getSubmitHost()
        + ", start="
        + one.getSpec().getStartMs() / 1000
        + " end="
        + one.getSpec().getEndMs() / 1000;
  }

  private void confirmed(FactMeta meta, ReservationConfirmed fact) {
    Reservation one = fact.getReservation();
    String by =
        fact.getScheduler().isEmpty() ? lines.user(meta) : "scheduler " + fact.getScheduler();
    boolean alteration = fact.getHeld() && one.getPending().getKind() == TransactionKind.MODIFY;
    String where = " by " + by + " on " + one.getNodes();
    tell(
        meta,
        one,
        alteration ? "Its alteration is confirmed by " + by : "Reservation confirmed" + where);
  }

  private static String lost(Reservation one) {
    if (one.getLost().isEmpty()) {
      return "All of its nodes can be used again";
    }
    List<String> lost = new ArrayList<>();
    for (LostNode node : one.getLost()) {
      String with = node.getTakenBy().isEmpty() ? "" : " with " + node.getTakenBy();
      lost.add(node.getNode() + " " + node.getWhy() + with);
    }
    return "Nodes are lost: " + String.join(", ", lost);
  }

  private static String by(Reservation one) {
    return one.getEndedBy().isEmpty() ? "" : " at request of " + one.getEndedBy();
  }

  private void tell(FactMeta meta, Reservation one, String text) {
    add(meta, Event.RESERVATION, one, text);
  }

  private void add(FactMeta meta, Event event, Reservation one, String text) {
    lines.add(meta, event, LogObjectKind.RESERVATION, one.getId(), text);
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
