package io.millrace.connectors.bridge.system;

import java.util.List;

/**
 * A reservation of hosts of an outside cluster, as it is to be there now.
 *
 * @param name here, as R7
 * @param begun whether its window has begun: the hosts are its own now
 * @param hosts as the outside system calls them
 * @param accounts there that may use it
 */
public record OutsideReservation(
    String name, boolean begun, List<String> hosts, List<String> accounts) {

  public OutsideReservation {
    hosts = hosts.stream().distinct().sorted().toList();
    accounts = accounts.stream().distinct().sorted().toList();
  }

  /** The name of its queue there, which no other cluster of ours gives to one of its own. */
  public static String queue(String cluster, String name) {
    return "mr." + cluster + "." + name;
  }
}
