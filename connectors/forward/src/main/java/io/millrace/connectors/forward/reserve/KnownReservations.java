package io.millrace.connectors.forward.reserve;

import io.millrace.schemas.state.Reservation;
import java.io.IOException;
import java.util.Collection;

/** The present reservations, as far as their topic was read. */
interface KnownReservations {

  Collection<Reservation> present();

  /** Whether the topic has had no record at all since it was opened. */
  boolean isBlank();

  /**
   * @throws IOException when the topic was made anew since it was opened: all has to be read again
   */
  void checkSame() throws IOException, InterruptedException;

  /** Which home's they are. */
  String home() throws IOException, InterruptedException;
}
