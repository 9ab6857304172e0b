package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name of a home's server among those of its cluster. It is the static group instance id: Kafka
 * gives a restarted server its shards back and allows only one server of that name at a time.
 */
public final class ServerInstance {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  private ServerInstance() {}

  /**
   * The name; empty before the first {@code up}.
   *
   * @throws IOException when the file cannot be parsed
   */
  public static Optional<String> read(Home home) throws IOException {
    if (!Files.exists(home.instance())) {
      return Optional.empty();
    }
    String name = Files.readString(home.instance()).strip();
    if (!NAME.matcher(name).matches()) {
      throw new IOException(
          home.instance()
              + " is damaged: the name of the server among those of the cluster (without the file"
              + " the next ./millrace up gives it a new one)");
    }
    return Optional.of(name);
  }

  /** Gives a home without a server name a new, unique one. */
  public static void ensure(Home home) throws IOException {
    if (read(home).isEmpty()) {
      SmallFile.write(home.instance(), "server-" + UUID.randomUUID() + "\n");
    }
  }
}
