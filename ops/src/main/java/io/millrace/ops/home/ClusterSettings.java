package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Settings fixed when this home was initialised.
 *
 * @param bootstrapServers where the brokers are
 * @param shards number of shards
 * @param embedded ports of this home's own broker; null when the home uses an external cluster
 */
public record ClusterSettings(String bootstrapServers, int shards, EmbeddedPorts embedded) {

  /**
   * Ports of the embedded parts, all on loopback.
   *
   * @param broker clients
   * @param controller the broker's own quorum
   * @param registry Confluent's REST calls
   * @param listen a further address for executors on other hosts; empty for none
   */
  public record EmbeddedPorts(int broker, int controller, int registry, String listen) {

    /** Port for clients at the additional address. */
    public int outside() {
      return broker + 10;
    }
  }

  /** Chooses ports that are free now, and kept from other homes while this process runs. */
  public static ClusterSettings embedded(int shards, String listen) throws IOException {
    int port = FreePorts.choose(new Random());
    return new ClusterSettings(
        "127.0.0.1:" + port, shards, new EmbeddedPorts(port, port + 1, port + 2, listen));
  }

  public boolean isEmbedded() {
    return embedded != null;
  }

  /** Ports of this home that another program listens on. */
  public List<Integer> taken() {
    return Stream.of(embedded.broker, embedded.controller, embedded.registry)
        .filter(port -> !FreePorts.free(port))
        .toList();
  }

  public void write(Home home) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# Fixed when this home was initialised.\n");
    text.append("bootstrap.servers=").append(bootstrapServers).append('\n');
    text.append("shards=").append(shards).append('\n');
    if (embedded != null) {
      text.append("broker.port=").append(embedded.broker).append('\n');
      text.append("controller.port=").append(embedded.controller).append('\n');
      text.append("registry.port=").append(embedded.registry).append('\n');
      text.append("broker.listen=").append(embedded.listen).append('\n');
    }
    SmallFile.write(home.settings(), text.toString());
  }

  /**
   * @throws IOException when the home was not initialised, or its settings cannot be understood
   */
  public static ClusterSettings read(Home home) throws IOException {
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace: run ./millrace up");
    }
    Map<String, Object> settings = ClientSettings.read(home.settings());
    EmbeddedPorts ports = null;
    if (settings.containsKey("broker.port")) {
      ports =
          new EmbeddedPorts(
              number(home, settings, "broker.port"),
              number(home, settings, "controller.port"),
              number(home, settings, "registry.port"),
              settings.getOrDefault("broker.listen", "").toString());
    }
    return new ClusterSettings(
        settings.getOrDefault("bootstrap.servers", "").toString(),
        number(home, settings, "shards"),
        ports);
  }

  private static int number(Home home, Map<String, Object> settings, String name)
      throws IOException {
    try {
      return Integer.parseInt(settings.getOrDefault(name, "").toString());
    } catch (NumberFormatException e) {
      throw new IOException(home.settings() + ": " + name + " must be a number");
    }
  }
}
