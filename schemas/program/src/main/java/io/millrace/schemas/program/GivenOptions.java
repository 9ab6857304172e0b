package io.millrace.schemas.program;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;

/** Parsed options of a program's command line. Options are named with their dashes. */
public final class GivenOptions {

  static final String SERVERS = "--bootstrap-servers";
  static final String PROPERTIES = "--properties";

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
    Map<String, Object> kafka =
        has(fileOption) ? load(require(fileOption)) : KafkaClientFile.of(Map.of());
    get(SERVERS).ifPresent(servers -> kafka.put(BROKERS, servers));
    if (!kafka.containsKey(BROKERS)) {
      throw wrong(SERVERS + " is missing");
    }
    return kafka;
  }

  private Map<String, Object> load(String file) throws UsageException {
    try {
      return KafkaClientFile.read(Path.of(file));
    } catch (IOException e) {
      throw wrong(e.getMessage());
    }
  }
}
