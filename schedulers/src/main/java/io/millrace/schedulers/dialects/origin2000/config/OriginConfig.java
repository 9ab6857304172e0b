package io.millrace.schedulers.dialects.origin2000.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of all options. */
public final class OriginConfig {

  private final Map<OriginOption, Object> given;
  private final Map<OriginOption, Integer> lines;

  OriginConfig(Map<OriginOption, Object> given, Map<OriginOption, Integer> lines) {
    this.given = Collections.unmodifiableMap(given);
    this.lines = Collections.unmodifiableMap(lines);
  }

  /** The value, or the usual one; null when there is none. */
  public Object value(OriginOption option) {
    return given.getOrDefault(option, option.usual());
  }

  /** Whether the text sets the option. */
  public boolean gives(OriginOption option) {
    return given.containsKey(option);
  }

  /** The line that sets the option last; 0 when none does. */
  int line(OriginOption option) {
    return lines.getOrDefault(option, 0);
  }

  /** A number, seconds, or 0 and 1 of a boolean. */
  public long number(OriginOption option) {
    return (Long) value(option);
  }

  public boolean on(OriginOption option) {
    return number(option) != 0;
  }

  /** Whether a boolean or date holds at a time. */
  public boolean enforced(OriginOption option, long now) {
    return on(option) && now >= number(option);
  }

  public double real(OriginOption option) {
    return (Double) value(option);
  }

  public Optional<String> word(OriginOption option) {
    return Optional.ofNullable((String) value(option));
  }

  public OriginVariance variance(OriginOption option) {
    return (OriginVariance) value(option);
  }

  public List<OriginQueueName> queues(OriginOption option) {
    List<OriginQueueName> queues = new ArrayList<>();
    ((List<?>) value(option)).forEach(it -> queues.add((OriginQueueName) it));
    return queues;
  }

  /** The same with one option at its usual value. */
  public OriginConfig reset(OriginOption option) {
    Map<OriginOption, Object> rest = new EnumMap<>(OriginOption.class);
    rest.putAll(given);
    rest.remove(option);
    return new OriginConfig(rest, lines);
  }

  /** A text with the options that are set, in the order of the table. */
  public String print(OriginPlace place) {
    StringBuilder text = new StringBuilder();
    for (OriginOption option : OriginOption.values()) {
      if (gives(option)) {
        text.append(option).append('\t').append(option.type().write(value(option), place));
        text.append('\n');
      }
    }
    return text.toString();
  }

  /** For each option that is set: its value, its meaning and what it changes. */
  public List<String> explain(OriginPlace place) {
    List<String> lines = new ArrayList<>();
    for (OriginOption option : OriginOption.values()) {
      if (gives(option)) {
        String usual = value(option).equals(option.usual()) ? " (as usual)" : "";
        String written = option.type().write(value(option), place);
        lines.add(option + " = " + written + usual + ": " + option.meaning());
        lines.add("    " + option.changes());
      }
    }
    return lines;
  }
}
