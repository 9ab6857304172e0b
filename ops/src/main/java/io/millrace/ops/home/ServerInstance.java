package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name of a home's server among those of its cluster. Kafka gives the shards back to a server
 * that comes again under its name, and lets only one at a time have it.
 */
public final class ServerInstance {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  private ServerInstance() {}

  /**
   * The name; empty before the first {@code up}.
   *
   * @throws IOException when the file cannot be understood
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

  /** Gives a home that has none a name that no other home has. */
  public static void ensure(Home home) throws IOException {
    if (read(home).isEmpty()) {
      SmallFile.write(home.instance(), "server-" + UUID.randomUUID() + "\n");
    }
  }
}
