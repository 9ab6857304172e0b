package io.millrace.schemas.program;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code [ADDRESS:]PORT}, where something may listen. */
public final class SocketText {

  private static final Pattern FORM =
      Pattern.compile("(?:(\\[[0-9a-fA-F:.%]+\\]|[A-Za-z0-9._-]+):)?(\\d{1,5})");

  private SocketText() {}

  /** The address as {@link #parse} reads it. */
  public static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /**
   * Without an address it is the loopback one.
   *
   * @throws IllegalArgumentException in one line
   */
  public static InetSocketAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches() || Integer.parseInt(form.group(2)) > 65535) {
      throw new IllegalArgumentException("give [ADDRESS:]PORT, not " + text);
    }
    int port = Integer.parseInt(form.group(2));
    try {
      return new InetSocketAddress(
          form.group(1) == null
              ? InetAddress.getLoopbackAddress()
              : InetAddress.getByName(form.group(1)),
          port);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("there is no host " + form.group(1), e);
    }
  }
}
