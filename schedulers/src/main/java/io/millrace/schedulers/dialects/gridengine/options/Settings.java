package io.millrace.schedulers.dialects.gridengine.options;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Values of the options of one object: those that its text names, else the usual ones. */
public final class Settings {

  /**
   * Where the values stand.
   *
   * @param file the name of the text
   * @param lines by option
   * @param objections what becomes of a text that only an earlier Millrace took
   */
  record Origin(String file, Map<String, Integer> lines, Objections objections) {

    static final Origin NONE = new Origin("", Map.of(), Objections.STRICT);
  }

  private final OptionTable table;
  private final Map<String, String> values;
  private final Origin origin;

  Settings(OptionTable table, Map<String, String> values, Origin origin) {
    this.table = table;
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    this.origin = origin;
  }

  /** What to tell the one who wrote the value of an option that cannot be taken, and where. */
  public Refused refused(String option, String reason) {
    String file = origin.file().isEmpty() ? table.title() : origin.file();
    return new Refused(file, origin.lines().getOrDefault(option, 0), option + " " + reason);
  }

  /**
   * The same of a value that an earlier Millrace took.
   *
   * @throws Refused unless the text was stored by one
   */
  public void object(String option, String reason) {
    origin.objections().raise(refused(option, reason));
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

  /** The value, unless it is NONE. */
  public Optional<String> optional(String name) {
    return Optional.of(get(name)).filter(value -> !Form.none(value));
  }

  /** A copy with another value; the value is checked as a line of a text would be. */
  public Settings with(String name, String value) {
    // What was objected to in the text need not be said again of each copy.
    boolean strictly = origin.objections() == Objections.STRICT;
    Objections objections = strictly ? Objections.STRICT : refused -> {};
    table.check(table.option(name), value, new Refused.Place(table.title(), 0), objections);
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.put(name, value);
    return new Settings(table, changed, origin);
  }

  /** A copy in which the option has its usual value again. */
  public Settings reset(String name) {
    Map<String, String> changed = new LinkedHashMap<>(values);
    changed.remove(table.option(name).name());
    return new Settings(table, changed, origin);
  }

  /** The values that the text named, in its order. */
  public Map<String, String> named() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings that
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
