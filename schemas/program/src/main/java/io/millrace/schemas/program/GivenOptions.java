package io.millrace.schemas.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.commons.cli.CommandLine;

/** Parsed options of a program's command line. Options are named with their dashes. */
public final class GivenOptions {

  static final String SERVERS = "--bootstrap-servers";
  static final String PROPERTIES = "--properties";

  /**
   * What nobody reads is not made, unless the file says otherwise: beans for each measurement of
   * each client, and measurements that are sent to the broker.
   */
  private static final Map<String, Object> QUIET_CLIENT =
      Map.of("metric.reporters", "", "enable.metrics.push", "false");

  /** Kafka's name for the setting. */
  private static final String BROKERS = "bootstrap.servers";

  private final ProgramName program;
  private final CommandLine given;

  GivenOptions(ProgramName program, CommandLine given) {
    this.program = program;
    this.given = given;
  }

  /** Exception for a wrong command line, with one line of text. */
  public UsageException wrong(String what) {
    return program.wrong(what);
  }

  public boolean has(String name) {
    return given.hasOption(name);
  }

  /** Value of a given option; an empty text for a flag, and where an optional one was left out. */
  public Optional<String> get(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    String[] values = given.getOptionValues(name);
    return Optional.of(values == null ? "" : values[values.length - 1]);
  }

  public String require(String name) throws UsageException {
    return get(name).orElseThrow(() -> wrong(name + " is missing"));
  }

  /** A whole number within bounds. */
  public int number(String name, int whenAbsent, int least, int most) throws UsageException {
    Optional<String> text = get(name);
    if (text.isEmpty()) {
      return whenAbsent;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(bounds(name, least, most) + "'" + text.get() + "'");
    }
    throw wrong(bounds(name, least, most) + text.get());
  }

  private static String bounds(String name, int least, int most) {
    return name + " takes a number from " + least + " to " + most + ", not ";
  }

  /**
   * Reads an option whose value must be one of two words.
   *
   * @return whether it is the first one
   */
  public boolean isFirst(String name, String first, String second, String whenAbsent)
      throws UsageException {
    String text = get(name).orElse(whenAbsent);
    if (!text.equals(first) && !text.equals(second)) {
      throw wrong(name + " is " + first + " or " + second + ", not " + text);
    }
    return text.equals(first);
  }

  public List<String> operands() {
    return List.copyOf(given.getArgList());
  }

  /**
   * Settings of Kafka clients: from the file given by {@code --properties}, and the brokers, which
   * the file may contain too.
   */
  public Map<String, Object> kafka() throws UsageException {
    return kafka(PROPERTIES);
  }

  /**
   * Settings of Kafka clients from the file that another option names.
   *
   * @param fileOption names the file; the settings are few without it
   */
  public Map<String, Object> kafka(String fileOption) throws UsageException {
    Properties file = new Properties();
    if (has(fileOption)) {
      load(file, require(fileOption));
    }
    Map<String, Object> kafka = new HashMap<>();
    file.forEach((name, value) -> kafka.put((String) name, value));
    QUIET_CLIENT.forEach(kafka::putIfAbsent);
    get(SERVERS).ifPresent(servers -> kafka.put(BROKERS, servers));
    if (!kafka.containsKey(BROKERS)) {
      throw wrong(SERVERS + " is missing");
    }
    return kafka;
  }

  private void load(Properties settings, String file) throws UsageException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      settings.load(in);
    } catch (NoSuchFileException e) {
      throw wrong("there is no file " + file);
    } catch (IOException e) {
      throw wrong("cannot read " + file + ": " + e.getMessage());
    }
  }
}
