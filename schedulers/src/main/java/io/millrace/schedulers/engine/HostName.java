package io.millrace.schedulers.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Short name of this host. */
final class HostName {

  private HostName() {}

  static String local() {
    String fromEnvironment = System.getenv("HOSTNAME");
    if (fromEnvironment != null && !fromEnvironment.isEmpty()) {
      return shorten(fromEnvironment);
    }
    try {
      return shorten(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      // A host that does not know itself still runs engines; the name is only shown.
      return "localhost";
    }
  }

  private static String shorten(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }
}
