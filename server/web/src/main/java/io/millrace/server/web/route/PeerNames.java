package io.millrace.server.web.route;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names of the hosts from which requests come. */
public final class PeerNames {

  private PeerNames() {}

  /**
   * Name of the host at an address, the address itself when it has none; empty for this host, which
   * has the name that the installation was given.
   */
  public static String host(String address) {
    try {
      InetAddress peer = InetAddress.getByName(address);
      return peer.isLoopbackAddress() ? "" : peer.getCanonicalHostName();
    } catch (UnknownHostException e) {
      return address;
    }
  }
}
