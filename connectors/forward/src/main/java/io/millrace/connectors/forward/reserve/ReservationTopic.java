package io.millrace.connectors.forward.reserve;

import io.millrace.connectors.forward.table.TableTopic;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.state.Reservation;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The present reservations of all shards, as their compacted topic has them. */
final class ReservationTopic implements KnownReservations, AutoCloseable {
  private final TableTopic<Reservation> topic;

  ReservationTopic(Map<String, Object> kafka, RecordCodec codec) {
    this.topic = new TableTopic<>(kafka, codec, "reservations", Reservation.class);
  }

  @Override
  public void checkSame() throws IOException, InterruptedException {
    topic.checkSame();
  }

  @Override
  public boolean isBlank() {
    return topic.isBlank();
  }

  @Override
  public String home() throws IOException, InterruptedException {
    return topic.home();
  }

  boolean read(Duration wait) throws IOException, InterruptedException {
    return topic.read(wait);
  }

  @Override
  public Collection<Reservation> present() {
    return topic.present().stream().map(TableTopic.TableRow::record).toList();
  }

  @Override
  public void close() {
    topic.close();
  }
}
