package io.millrace.schemas.pbs.origin;

import io.millrace.schemas.pbs.schedconfig.InputSource;
import io.millrace.schemas.pbs.schedconfig.InputSource.InputKind;
import io.millrace.schemas.pbs.schedconfig.JoinedFiles;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The texts of an Origin2000 scheduler as far as shards look at them: without any check of values,
 * since schedulers obey no text that is wrong.
 *
 * @param files texts by their names
 * @param options words of the config by their options; queues of several lines are joined
 */
public record OriginWords(Map<String, String> files, Map<String, String> options) {
  private static final List<String> QUEUES =
      List.of(
          "SUBMIT_QUEUE", "BATCH_QUEUES", "SPECIAL_QUEUE", "DEDICATED_QUEUES", "EXTERNAL_QUEUES");

  private static final Set<String> OFF =
      Set.of("false", "off", "disable", "disabled", "no", "n", "0");

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("M/d/uuuu@H:m:s", Locale.ROOT)
          .withResolverStyle(ResolverStyle.LENIENT);

  private static final String DEDICATED = "dedicated_time:";
  private static final double DECAY_FACTOR = 0.75;
  private static final double OA_DECAY_FACTOR = 0.95;

  /** What is left of nothing is nothing; the logarithm of a factor has a bound with this. */
  private static final double LEAST_FACTOR = 1e-12;

  private static final double MOST_FACTOR = 1e12;

  /** Reads the text that a scheduler object carries. */
  public static OriginWords of(String text) {
    Map<String, String> files = JoinedFiles.split(text);
    Map<String, String> options = new LinkedHashMap<>();
    for (String line : files.getOrDefault("config", "").lines().toList()) {
      String[] words = line.split("#", 2)[0].strip().split("\\s+");
      if (words.length > 1) {
        boolean joined = QUEUES.contains(words[0]);
        options.merge(words[0], words[1], (old, now) -> joined ? old + "," + now : now);
      }
    }
    return new OriginWords(files, options);
  }

  /** A file's text; empty when it is not there. */
  public String file(String name) {
    return files.getOrDefault(name, "");
  }

  /** An option's word; empty when it is not given. */
  public String word(String option) {
    return options.getOrDefault(option, "");
  }

  /**
   * From where the dedicated times come: one input for each short name of a host with queues, and
   * for that of the system. Empty when no dedicated times count.
   */
  public List<InputSource> dedicatedTimes() {
    String command = word("DEDICATED_TIME_COMMAND");
    if (command.isEmpty() || !enforces("ENFORCE_DEDICATED_TIME")) {
      return List.of();
    }
    Set<String> names = new TreeSet<>();
    for (String list : QUEUES.subList(1, QUEUES.size())) {
      for (String queue : word(list).split(",")) {
        String[] parts = queue.split("@", 2);
        String host = parts.length > 1 ? parts[1] : file("host").strip();
        if (!queue.isEmpty() && !host.isEmpty()) {
          names.add(shortName(host));
        }
      }
    }
    if (!word("SYSTEM_NAME").isEmpty()) {
      names.add(shortName(word("SYSTEM_NAME")));
    }
    long eachS = number("DEDICATED_TIME_CACHE_SECS");
    return names.stream()
        .map(it -> new InputSource(dedicated(it), InputKind.TEXT, eachS, command + " " + it))
        .toList();
  }

  /** Whether an option is on, or will be from some date on. */
  private boolean enforces(String option) {
    String word = word(option).toLowerCase(Locale.ROOT);
    return !word.isEmpty() && !OFF.contains(word);
  }

  /** The files with allocations and their use; empty when they do not count. */
  public List<InputSource> accounts() {
    String folder = word("SCHED_ACCT_DIR");
    if (folder.isEmpty() || !enforces("ENFORCE_ALLOCATION")) {
      return List.of();
    }
    return Stream.of(GroupAccounts.ALLOCATIONS, GroupAccounts.CURRENT)
        .map(name -> new InputSource(fileInput(name), InputKind.FILE, 0, folder + "/" + name))
        .toList();
  }

  /** From when on allocations count, milliseconds since 1970; 0: they always do, or never. */
  public long allocationsFromMs() {
    try {
      ZoneId zone = ZoneId.of(file(JoinedFiles.ZONE).strip());
      LocalDateTime from = LocalDateTime.parse(word("ENFORCE_ALLOCATION"), DATE);
      return from.atZone(zone).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return 0; // a boolean
    }
  }

  /** Name of the input for a file. */
  public static String fileInput(String name) {
    return "file:" + name;
  }

  /** Name of the input that says the dedicated times of a host, by its short name. */
  public static String dedicated(String shortName) {
    return DEDICATED + shortName;
  }

  /** Whether an input says dedicated times. */
  public static boolean saysDedicatedTimes(String input) {
    return input.startsWith(DEDICATED);
  }

  /** A name up to its first dot, in small letters as the lines of the command are compared. */
  public static String shortName(String host) {
    int dot = host.indexOf('.');
    return (dot <= 0 ? host : host.substring(0, dot)).toLowerCase(Locale.ROOT);
  }

  private long number(String option) {
    String word = word(option);
    return word.matches("\\d{1,9}") ? Long.parseLong(word) : 0;
  }

  /** What is left of past usage after a day; the usual value where the text has no number. */
  public double decayFactor() {
    return factor("DECAY_FACTOR", DECAY_FACTOR);
  }

  /** The same for users whose group has used up its allocation. */
  public double slowFactor() {
    return factor("OA_DECAY_FACTOR", OA_DECAY_FACTOR);
  }

  private double factor(String option, double usual) {
    try {
      double factor = Double.parseDouble(word(option));
      boolean known = Double.isFinite(factor) && factor >= 0;
      return known ? Math.max(LEAST_FACTOR, Math.min(MOST_FACTOR, factor)) : usual;
    } catch (NumberFormatException e) {
      return usual;
    }
  }
}
