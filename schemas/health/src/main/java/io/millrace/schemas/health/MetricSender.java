package io.millrace.schemas.health;

import java.net.URI;

/** Sends the numbers of a part to who collects them; found as a service. */
public interface MetricSender {

  /** Sends them there from now on, until the process ends; nobody waits for it. */
  void begin(URI receiver, Health health);
}
