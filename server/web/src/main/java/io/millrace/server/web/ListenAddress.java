package io.millrace.server.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code [ADDRESS:]PORT}, where a door may listen. */
public final class ListenAddress {

  private static final Pattern FORM =
      Pattern.compile("(?:(\\[[0-9a-fA-F:.%]+\\]|[A-Za-z0-9._-]+):)?(\\d{1,5})");

  private ListenAddress() {}

  /**
   * Without an address it is the loopback one.
   *
   * @param tls whether there is a certificate: without one nobody else's host may connect, since
   *     tokens would travel in the open
   * @throws IllegalArgumentException in one line
   */
  public static InetSocketAddress parse(String text, boolean tls) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(2)) > 65535) {
      throw new IllegalArgumentException("give [ADDRESS:]PORT, not " + text);
    }
    int port = Integer.parseInt(form.group(2));
    try {
      InetAddress address =
          form.group(1) == null
              ? InetAddress.getLoopbackAddress()
              : InetAddress.getByName(form.group(1));
      if (!tls && !address.isLoopbackAddress()) {
        throw new IllegalArgumentException(
            "plain HTTP stays on this host: for "
                + form.group(1)
                + " give a certificate and its key");
      }
      return new InetSocketAddress(address, port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("there is no host " + form.group(1), e);
    }
  }
}
