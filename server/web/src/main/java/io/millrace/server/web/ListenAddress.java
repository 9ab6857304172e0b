package io.millrace.server.web;

import io.millrace.schemas.program.SocketText;
import java.net.InetSocketAddress;

/** {@code [ADDRESS:]PORT}, where a door may listen. */
public final class ListenAddress {

  private ListenAddress() {}

  /**
   * Without an address it is the loopback one.
   *
   * @param tls whether there is a certificate: without one nobody else's host may connect, since
   *     tokens would travel in the open
   * @throws IllegalArgumentException in one line
   */
  public static InetSocketAddress parse(String text, boolean tls) {
    InetSocketAddress address = SocketText.parse(text);
    if (!tls && !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "plain HTTP stays on this host: for "
              + text.substring(0, text.lastIndexOf(':'))
              + " give a certificate and its key");
    }
    return address;
  }
}
