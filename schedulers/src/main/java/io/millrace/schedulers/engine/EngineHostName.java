package io.millrace.schedulers.engine;

import java.io.IOException;

/** Short name of this host, for display. */
final class EngineHostName {

  private EngineHostName() {}

  static String local() {
    String fromEnvironment = System.getenv("HOSTNAME");
    if (fromEnvironment != null && !fromEnvironment.isEmpty()) {
      return io.millrace.schemas.HostName.untilDot(fromEnvironment);
    }
    try {
      return io.millrace.schemas.HostName.untilDot();
    } catch (IOException e) {
      // A host that cannot resolve its own name still runs engines; the name is only shown.
      return "localhost";
    }
  }
}
