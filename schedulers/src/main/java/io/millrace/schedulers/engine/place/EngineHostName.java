package io.millrace.schedulers.engine.place;

import io.millrace.schemas.HostName;
import java.io.IOException;

/** Short name of this host, for display. */
public final class EngineHostName {

  private EngineHostName() {}

  public static String local() {
    String fromEnvironment = System.getenv("HOSTNAME");
    if (fromEnvironment != null && !fromEnvironment.isEmpty()) {
      return HostName.untilDot(fromEnvironment);
    }
    try {
      return HostName.untilDot();
    } catch (IOException e) {
      // A host that cannot resolve its own name still runs engines; the name is only shown.
      return "localhost";
    }
  }
}
