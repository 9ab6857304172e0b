package io.millrace.schedulers.gridengine.language.options;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Values of the options of one object: those that its text names, else the usual ones. */
public final class OptionValues {

  /**
   * Where the values stand.
   *
   * @param file the name of the text
   * @param lines by option
   */
  record Origin(String file, Map<String, Integer> lines) {

    static final Origin NONE = new Origin("", Map.of());
  }

  private final OptionTable table;
  private final Map<String, String> values;
  private final Origin origin;

  OptionValues(OptionTable table, Map<String, String> values, Origin origin) {
    this.table = table;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    this.origin = origin;
  }

  /** A refusal of the option's value, with file and line of the value. */
  public ConfigurationRefused refused(String option, String reason) {
    String file = origin.file().isEmpty() ? table.title() : origin.file();
    return new ConfigurationRefused(
        file, origin.lines().getOrDefault(option, 0), option + " " + reason);
  }

  public OptionTable table() {
    return table;
  }

  /** Value of an option of the table. */
  public String get(String name) {
    String value = values.get(name);
    return value != null ? value : table.option(name).usual();
  }

  /** Whether the text named the option. */
  public boolean names(String name) {
    return values.containsKey(name);
  }

  public double number(String name) {
    return Numbers.real(get(name)).orElseThrow();
  }

  public long seconds(String name) {
    return Numbers.time(get(name)).orElseThrow().longValue();
  }

  public boolean truth(String name) {
    return Numbers.truth(get(name)).orElseThrow() > 0;
  }

  /** The value; empty when it is NONE. */
  public Optional<String> optional(String name) {
    return Optional.of(get(name)).filter(value -> !Form.none(value));
  }

  /** A copy with another value, which is checked as a line of a text would be. */
  public OptionValues with(String name, String value) {
    table.check(
        table.option(name), value, new ConfigurationRefused.ConfigurationLine(table.title(), 0));
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, value);
    return new OptionValues(table, changed, origin);
  }

  /** A copy with the option reset to its usual value. */
  public OptionValues reset(String name) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.remove(table.option(name).name());
    return new OptionValues(table, changed, origin);
  }

  /** The values that the text names, in its order. */
  public Map<String, String> named() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OptionValues that
        && table == that.table
        && table.options().stream().allMatch(o -> get(o.name()).equals(that.get(o.name())));
  }

  @Override
  public int hashCode() {
    return table.options().stream().map(o -> get(o.name())).toList().hashCode();
  }

  @Override
  public String toString() {
    return table.title() + values;
  }
}
