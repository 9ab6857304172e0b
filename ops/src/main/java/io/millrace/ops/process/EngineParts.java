package io.millrace.ops.process;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The engines that run in processes of their own, and the names of these processes: {@code engine}
 * for that of the scheduler object that every cluster has, {@code engine-NAME} for others.
 *
 * @param schedulers names of scheduler objects, in the order in which they were asked for
 */
public record EngineParts(List<String> schedulers) {

  /** The scheduler object that every cluster has. */
  private static final String DEFAULT_SCHEDULER = "default";

  /** Each has a port for its health. */
  public static final int MOST = 20;

  private static final String PART = "engine";
  private static final String PREFIX = PART + "-";

  /** They become names of files. Scheduler objects may have others. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,14}");

  public static EngineParts none() {
    return new EngineParts(List.of());
  }

  /**
   * Reads a list of scheduler objects, with commas between; the default one where it is empty.
   *
   * @throws IllegalArgumentException in one line
   */
  public static EngineParts parse(String text) {
    if (text.isEmpty()) {
      return new EngineParts(List.of(DEFAULT_SCHEDULER));
    }
    List<String> names = Arrays.stream(text.split(",", -1)).distinct().toList();
    for (String name : names) {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "names of scheduler objects have a letter, then up to 14 letters, digits, '_', '.' and"
                + " '-'; not '"
                + name
                + "'");
      }
    }
    if (names.size() > MOST) {
      throw new IllegalArgumentException("at most " + MOST + " engines run apart");
    }
    return new EngineParts(names);
  }

  public boolean isEmpty() {
    return schedulers.isEmpty();
  }

  /** Names of the processes that others than the default scheduler have, in their order. */
  public List<String> named() {
    return schedulers.stream().map(EngineParts::part).filter(part -> !part.equals(PART)).toList();
  }

  /** Name of the process of a scheduler object's engine. */
  public static String part(String scheduler) {
    return scheduler.equals(DEFAULT_SCHEDULER) ? PART : PREFIX + scheduler;
  }

  /** Whether a part is an engine. */
  public static boolean isOne(String part) {
    return part.equals(PART) || part.startsWith(PREFIX);
  }

  /** The same, as it can be read again. */
  public String text() {
    return String.join(",", schedulers);
  }
}
