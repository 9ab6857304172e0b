package io.millrace.schedulers.dialects.origin2000.config;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The reader of a configuration: lines {@code OPTION argument}, comments from # to the end of the
 * line. The last of several lines for an option counts, but lists of queues are joined.
 */
public final class OriginConfigText {

  /** Most characters of a line. */
  public static final int LINE_MAX = 510;

  private final String file;
  private final OriginPlace place;
  private final Map<OriginOption, Object> values = new EnumMap<>(OriginOption.class);
  private final Map<OriginOption, Integer> lines = new EnumMap<>(OriginOption.class);
  private final List<String> warnings = new ArrayList<>();

  private OriginConfigText(String file, OriginPlace place) {
    this.file = file;
    this.place = place;
  }

  /**
   * A configuration that was read.
   *
   * @param warnings what was not looked at, with file and line
   */
  public record OriginConfigRead(OriginConfig config, List<String> warnings) {}

  /**
   * Reads the lines; whether they fit each other is checked by {@link OriginConfigChecks}.
   *
   * @throws ConfigurationRefused on the first line that is wrong
   */
  public static OriginConfigRead read(String file, String text, OriginPlace place) {
    OriginConfigText reader = new OriginConfigText(file, place);
    String[] all = text.split("\r?\n", -1);
    for (int i = 0; i < all.length; i++) {
      reader.take(all[i], i + 1);
    }
    return new OriginConfigRead(
        new OriginConfig(reader.values, reader.lines), List.copyOf(reader.warnings));
  }

  private void take(String line, int number) {
    if (line.length() > LINE_MAX) {
      throw refused(number, "the line is longer than " + LINE_MAX + " characters");
    }
    int comment = line.indexOf('#');
    String said = (comment < 0 ? line : line.substring(0, comment)).strip();
    if (said.isEmpty()) {
      return;
    }
    String[] words = said.split("\\s+");
    OriginOption option =
        OriginOption.named(words[0])
            .orElseThrow(
                () ->
                    refused(
                        number,
                        "'"
                            + shown(words[0])
                            + "' is no option"
                            + Nearest.hint(words[0], OriginOption.names())));
    if (words.length == 1) {
      throw refused(number, option + " has no argument: " + option.type().expected());
    }
    set(option, words[1], number);
    if (words.length > 2) {
      warn(number, "'" + shown(words[2]) + "' behind the argument is not looked at");
    }
  }

  private void set(OriginOption option, String argument, int number) {
    Object value;
    try {
      value = option.type().read(argument, place);
    } catch (IllegalArgumentException e) {
      String why = e.getMessage().isEmpty() ? "" : " (" + e.getMessage() + ")";
      throw refused(
          number,
          option + " is '" + shown(argument) + "', but must be " + option.type().expected() + why);
    }
    if (option.type().leaves(argument)) {
      warn(number, "of '" + shown(argument) + "' only " + value + " is looked at");
    }
    if (option.type() == OriginType.QUEUES) {
      List<Object> all = new ArrayList<>((List<?>) values.getOrDefault(option, List.of()));
      all.addAll((List<?>) value);
      value = List.copyOf(all);
    }
    values.put(option, value);
    lines.put(option, number);
  }

  private void warn(int number, String what) {
    warnings.add(refused(number, what).getMessage());
  }

  private ConfigurationRefused refused(int number, String reason) {
    return new ConfigurationRefused(file, number, reason);
  }

  /** The beginning of a word, so that a message stays a line. */
  private static String shown(String word) {
    int most = 60;
    return word.length() > most ? word.substring(0, most) + "..." : word;
  }
}
