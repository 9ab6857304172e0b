package io.millrace.schemas.health;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Where the health of a part is told; found as a service, so that a part needs no HTTP itself. */
public interface HealthDoor {

  /**
   * Tells it there from now on, until the process ends.
   *
   * @throws IOException in one line when nobody can listen there
   */
  void open(InetSocketAddress address, Health health) throws IOException;
}
