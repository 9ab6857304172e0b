package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The options of one kind of object, and its text: one option a line, name and value. */
public final class OptionTable {

  private final String title;
  private final Map<String, Option> options = new LinkedHashMap<>();
  private final Set<String> required;
  private final Consumer<OptionValues> together;

  /**
   * @param title what the object is called in messages and documentation
   * @param required names without which a text is refused
   */
  public OptionTable(String title, List<Option> options, Set<String> required) {
    this(title, options, required, settings -> {});
  }

  /**
   * @param together check of the options together, after each was found valid alone
   */
  OptionTable(
      String title, List<Option> options, Set<String> required, Consumer<OptionValues> together) {
    this.title = title;
    this.required = Set.copyOf(required);
    this.together = together;
    options.forEach(option -> this.options.put(option.name(), option));
  }

  public String title() {
    return title;
  }

  public List<Option> options() {
    return List.copyOf(options.values());
  }

  public Option option(String name) {
    Option option = options.get(name);
    if (option == null) {
      throw new IllegalArgumentException(title + " has no option " + name);
    }
    return option;
  }

  public OptionValues usual() {
    return new OptionValues(this, Map.of(), OptionValues.Origin.NONE);
  }

  /**
   * Reads a text in qconf's format: a line {@code name value}, continued after a backslash; empty
   * lines and lines that begin with # are skipped.
   *
   * @throws ConfigurationRefused on the first line that is not one of this table's
   */
  public OptionValues parse(String file, String text) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (Line line : Line.of(text)) {
      lines.put(take(line, file, values), line.number());
    }
    if (values.isEmpty()) {
      throw new ConfigurationRefused(file, 0, "there is no option in it");
    }
    for (String name : required) {
      if (!values.containsKey(name)) {
        throw new ConfigurationRefused(file, 0, "the line '" + name + "' is missing");
      }
    }
    OptionValues settings = new OptionValues(this, values, new OptionValues.Origin(file, lines));
    together.accept(settings);
    return settings;
  }

  /** Reads the line's option into the values and returns its name. */
  private String take(Line line, String file, Map<String, String> values) {
    String[] parts = line.text().split("\\s+", 2);
    Option option = options.get(parts[0]);
    if (option == null) {
      throw new ConfigurationRefused(
          file,
          line.number(),
          "'" + parts[0] + "' is no option of " + title + Nearest.hint(parts[0], options.keySet()));
    }
    if (values.containsKey(parts[0])) {
      throw new ConfigurationRefused(
          file, line.number(), "'" + parts[0] + "' stands here a second time");
    }
    String value = parts.length > 1 ? parts[1].strip() : "";
    check(option, value, new ConfigurationRefused.ConfigurationLine(file, line.number()));
    values.put(parts[0], value);
    return parts[0];
  }

  void check(Option option, String value, ConfigurationRefused.ConfigurationLine place) {
    String problem = null;
    if (value.isEmpty()) {
      problem = "has no value";
    } else if (option.effect() == Effect.FIXED && !option.form().accepts().test(value)) {
      problem = "is " + value + ", but Millrace only knows " + option.form().expected();
    } else if (!option.form().accepts().test(value)) {
      problem = "is '" + value + "', but must be " + option.form().expected();
    }
    if (problem != null) {
      String hint = value.isEmpty() ? "" : option.form().hint().apply(value);
      throw place.refused(option.name() + " " + problem + hint);
    }
  }

  /** The text of an object, as qconf prints it: each option, in the order of the table. */
  public String print(OptionValues settings) {
    int width = options.keySet().stream().mapToInt(String::length).max().orElse(0) + 1;
    StringBuilder text = new StringBuilder();
    for (String name : options.keySet()) {
      text.append(name).append(" ".repeat(width - name.length()));
      text.append(settings.get(name)).append('\n');
    }
    return text.toString();
  }

  /** For each option that the text names: the value, its meaning and what it changes. */
  public List<String> explain(OptionValues settings) {
    List<String> lines = new ArrayList<>();
    for (String name : settings.named().keySet()) {
      Option option = option(name);
      String value = settings.get(name);
      String usual = value.equalsIgnoreCase(option.usual()) ? " (as usual)" : "";
      lines.add(name + " = " + value + usual + ": " + option.meaning());
      lines.add("    " + option.changes());
    }
    return lines;
  }
}
