package io.millrace.schedulers.engine;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Command line of an engine apart.
 *
 * @param scheduler name of the scheduler object
 * @param shadow true to decide and print without being obeyed
 * @param monitorFolder where MONITOR=1 of a Grid Engine policy writes; empty for nowhere
 * @param kafka client settings, {@code bootstrap.servers} among them
 */
record ApartOptions(
    String scheduler, boolean shadow, Optional<Path> monitorFolder, Map<String, Object> kafka) {

  static final String USAGE =
      "usage: EngineApartMain --bootstrap-servers HOST:PORT [--properties FILE]"
          + " --scheduler NAME [--shadow] [--monitor-folder DIR]";

  /**
   * @throws IllegalArgumentException with one line that says what is wrong
   */
  static ApartOptions parse(String[] arguments) {
    Map<String, Object> kafka = new HashMap<>();
    String servers = null;
    String scheduler = null;
    boolean shadow = false;
    Optional<Path> monitorFolder = Optional.empty();
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--bootstrap-servers" -> servers = value(arguments, ++i);
        case "--properties" -> kafka.putAll(read(value(arguments, ++i)));
        case "--scheduler" -> scheduler = value(arguments, ++i);
        case "--shadow" -> shadow = true;
        case "--monitor-folder" -> monitorFolder = Optional.of(Path.of(value(arguments, ++i)));
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    if (scheduler == null) {
      throw new IllegalArgumentException("--scheduler NAME is missing");
    }
    if (servers != null) {
      kafka.put("bootstrap.servers", servers);
    }
    if (!kafka.containsKey("bootstrap.servers")) {
      throw new IllegalArgumentException("--bootstrap-servers HOST:PORT is missing");
    }
    return new ApartOptions(scheduler, shadow, monitorFolder, Map.copyOf(kafka));
  }

  private static String value(String[] arguments, int index) {
    if (index >= arguments.length) {
      throw new IllegalArgumentException(arguments[index - 1] + " needs a value");
    }
    return arguments[index];
  }

  private static Map<String, Object> read(String file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(file))) {
      properties.load(reader);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
    }
    Map<String, Object> settings = new HashMap<>();
    properties.forEach((key, value) -> settings.put(key.toString(), value));
    return settings;
  }
}
