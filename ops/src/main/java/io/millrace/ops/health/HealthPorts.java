package io.millrace.ops.health;

import io.millrace.ops.process.EngineParts;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.program.SocketText;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The health ports of the parts of a home: each at a fixed distance above the first one, so that
 * monitoring need not ask.
 *
 * @param first address of the server
 * @param forwarders parts that serve outside clusters, in the order in which they were asked for
 * @param engines parts of further scheduler objects, in that order
 */
public record HealthPorts(InetSocketAddress first, List<String> forwarders, List<String> engines) {

  /** Parts that a home has once, in the order of their ports. */
  private static final List<String> ONCE =
      List.of("server", "gateway", "accounting", "web", "engine", "campaigns", "sites");

  private static final String EXECUTOR = "executor";
  private static final int EXECUTORS_FROM = 10;
  private static final int FORWARDERS_FROM = 80;
  private static final int FORWARDERS_MOST = 20;
  private static final int ENGINES_FROM = FORWARDERS_FROM + FORWARDERS_MOST;
  private static final int LAST = ENGINES_FROM + EngineParts.MOST - 1;
  private static final int PORT_MAX = 65_535;

  /**
   * @param text {@code [ADDRESS:]PORT}
   * @param forwarders names of the parts that serve outside clusters
   * @param engines names of the engines of further scheduler objects
   * @throws IllegalArgumentException in one line
   */
  public static HealthPorts of(String text, List<String> forwarders, List<String> engines) {
    InetSocketAddress first = SocketText.parse(text);
    if (forwarders.size() > FORWARDERS_MOST) {
      throw new IllegalArgumentException(
          "there are ports for " + FORWARDERS_MOST + " clusters of --forward");
    }
    if (first.getPort() == 0 || first.getPort() + LAST > PORT_MAX) {
      throw new IllegalArgumentException(
          "parts need the port and those up to "
              + LAST
              + " above it; "
              + first.getPort()
              + " does not do");
    }
    return new HealthPorts(first, List.copyOf(forwarders), List.copyOf(engines));
  }

  /** Address of a part; empty for those that tell nothing. */
  public Optional<InetSocketAddress> address(String part) {
    int above = above(part);
    return above < 0
        ? Optional.empty()
        : Optional.of(new InetSocketAddress(first.getAddress(), first.getPort() + above));
  }

  private int above(String part) {
    if (part.equals(EXECUTOR)) {
      return EXECUTORS_FROM;
    }
    if (part.startsWith(EXECUTOR + "-")) {
      return EXECUTORS_FROM + Integer.parseInt(part.substring(EXECUTOR.length() + 1)) - 1;
    }
    if (engines.contains(part)) {
      return ENGINES_FROM + engines.indexOf(part);
    }
    int forwarder = forwarders.indexOf(part);
    return forwarder >= 0 ? FORWARDERS_FROM + forwarder : ONCE.indexOf(part);
  }

  /** The option of a part. */
  public List<String> option(String part) {
    return address(part).map(address -> List.of(Health.OPTION, text(address))).orElse(List.of());
  }

  /** As in a URL. */
  static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
