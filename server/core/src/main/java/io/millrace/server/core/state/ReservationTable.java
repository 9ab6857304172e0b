package io.millrace.server.core.state;

import io.millrace.schemas.state.Reservation;
import java.util.function.Consumer;

/** The reservations of a shard; what they book of nodes changes with each of their records. */
final class ReservationTable implements Table<Reservation> {

  private final Table<Reservation> records;
  private final BookingTable bookings = new BookingTable();

  /**
   * @param records what those that are there already book counts
   */
  ReservationTable(Table<Reservation> records) {
    this.records = records;
    bookings.begin(records);
  }

  BookingTable bookings() {
    return bookings;
  }

  @Override
  public Reservation get(String key) {
    return records.get(key);
  }

  @Override
  public void scan(String from, String to, RecordVisitor<Reservation> visitor) {
    records.scan(from, to, visitor);
  }

  @Override
  public void each(Consumer<? super Reservation> sink) {
    records.each(sink);
  }

  @Override
  public void put(String key, Reservation value) {
    bookings.change(records.get(key), value);
    records.put(key, value);
  }

  @Override
  public void remove(String key) {
    bookings.change(records.get(key), null);
    records.remove(key);
  }

  @Override
  public Frozen<Reservation> freeze() {
    return records.freeze();
  }
}
