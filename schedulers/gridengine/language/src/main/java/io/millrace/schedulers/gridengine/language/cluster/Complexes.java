package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.cluster.Complex.ComplexUse;
import io.millrace.schedulers.gridengine.language.cluster.Complex.ComplexWorth;
import io.millrace.schedulers.gridengine.language.cluster.Complex.Consumption;
import io.millrace.schedulers.gridengine.language.cluster.Complex.Requestable;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.Form;
import io.millrace.schedulers.gridengine.language.options.Line;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The complex of a cluster: {@code qconf -sc}, one attribute a line in eight columns. */
public final class Complexes {

  /** Names of the columns, in their order. */
  public static final List<String> COLUMNS =
      List.of(
          "name", "shortcut", "type", "relop", "requestable", "consumable", "default", "urgency");

  private final Map<String, Complex> byName = new LinkedHashMap<>();
  private final Map<String, Complex> byShortcut = new LinkedHashMap<>();

  private final List<Complex> all;

  private Complexes(Collection<Complex> all) {
    this.all = List.copyOf(all);
    for (Complex complex : all) {
      byName.put(complex.name(), complex);
      byShortcut.put(complex.shortcut(), complex);
    }
  }

  public static Complexes parse(String file, String text) {
    Map<String, Complex> all = new LinkedHashMap<>();
    Map<String, String> shortcuts = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (Line line : Line.of(text)) {
      Complex complex = row(file, line);
      ComplexRules.check(complex)
          .map(
              problem ->
                  new ConfigurationRefused(file, line.number(), complex.name() + " " + problem))
          .ifPresent(Complexes::raise);
      lines.putIfAbsent(complex.name(), line.number());
      String owner = shortcuts.putIfAbsent(complex.shortcut(), complex.name());
      if (all.putIfAbsent(complex.name(), complex) != null) {
        throw new ConfigurationRefused(
            file, line.number(), complex.name() + " stands here a second time");
      }
      if (owner != null) {
        throw new ConfigurationRefused(
            file,
            line.number(),
            "the shortcut " + complex.shortcut() + " already belongs to " + owner);
      }
    }
    all.values().stream()
        .filter(each -> !all.getOrDefault(each.shortcut(), each).equals(each))
        .findFirst()
        .map(
            each ->
                new ConfigurationRefused(
                    file,
                    lines.get(each.name()),
                    "the shortcut " + each.shortcut() + " is the name of another attribute"))
        .ifPresent(Complexes::raise);
    if (!all.containsKey("slots")) {
      throw new ConfigurationRefused(file, 0, "the attribute 'slots' is missing");
    }
    return new Complexes(all.values());
  }

  private static void raise(ConfigurationRefused refused) {
    throw refused;
  }

  /**
   * Whether a text looks like a complex, valid or not: at least half of its lines have a type or an
   * operator where rows of one have them.
   */
  public static boolean describes(String text) {
    List<Line> lines = Line.of(text);
    long rows =
        lines.stream().map(line -> line.text().split("\\s+", 5)).filter(Complexes::isRow).count();
    return rows > 0 && 2 * rows >= lines.size();
  }

  private static boolean isRow(String[] cells) {
    return cells.length > 3
        && (ValueType.of(cells[2]).isPresent() || Relation.of(cells[3]).isPresent());
  }

  private static Complex row(String file, Line line) {
    String[] cells = line.text().split("\\s+");
    if (cells.length != COLUMNS.size()) {
      throw new ConfigurationRefused(
          file,
          line.number(),
          "an attribute has "
              + COLUMNS.size()
              + " columns ("
              + String.join(", ", COLUMNS)
              + "), this line has "
              + cells.length);
    }
    ValueType type =
        ValueType.of(cells[2]).orElseThrow(() -> wrong(file, line, 2, cells, ValueType.values()));
    Relation relation =
        Relation.of(cells[3])
            .orElseThrow(
                () ->
                    new ConfigurationRefused(
                        file,
                        line.number(),
                        "relop is '" + cells[3] + "', but must be ==, !=, <=, <, >=, > or EXCL"));
    Requestable requestable =
        requestable(cells[4]).orElseThrow(() -> wrong(file, line, 4, cells, Requestable.values()));
    Consumption consumption =
        consumption(cells[5]).orElseThrow(() -> wrong(file, line, 5, cells, Consumption.values()));
    if (type.numeric() && type.amount(cells[6]).isEmpty()) {
      throw new ConfigurationRefused(
          file, line.number(), "default is '" + cells[6] + "', but must be " + type.spoken());
    }
    ConfigurationRefused urgent =
        new ConfigurationRefused(
            file,
            line.number(),
            "urgency is '" + cells[7] + "', but must be " + Form.REAL.expected());
    double urgency = Numbers.real(cells[7]).orElseThrow(() -> urgent);
    if (!Form.REAL.accepts().test(cells[7])) {
      throw urgent;
    }
    return new Complex(
        cells[0],
        cells[1],
        type,
        relation,
        new ComplexUse(requestable, consumption),
        new ComplexWorth(cells[6], urgency));
  }

  private static ConfigurationRefused wrong(
      String file, Line line, int column, String[] cells, Enum<?>[] valid) {
    List<String> names = List.of(valid).stream().map(Enum::name).toList();
    return new ConfigurationRefused(
        file,
        line.number(),
        COLUMNS.get(column)
            + " is '"
            + cells[column]
            + "', but must be one of "
            + String.join(", ", names)
            + Nearest.hint(cells[column], names));
  }

  private static Optional<Requestable> requestable(String cell) {
    return switch (cell.toUpperCase(Locale.ROOT)) {
      case "YES", "Y" -> Optional.of(Requestable.YES);
      case "NO", "N" -> Optional.of(Requestable.NO);
      case "FORCED", "F" -> Optional.of(Requestable.FORCED);
      default -> Optional.empty();
    };
  }

  private static Optional<Consumption> consumption(String cell) {
    return switch (cell.toUpperCase(Locale.ROOT)) {
      case "YES", "Y" -> Optional.of(Consumption.YES);
      case "NO", "N" -> Optional.of(Consumption.NO);
      case "JOB", "J" -> Optional.of(Consumption.JOB);
      default -> Optional.empty();
    };
  }

  /** By name or shortcut. */
  public Optional<Complex> find(String name) {
    return Optional.ofNullable(byName.getOrDefault(name, byShortcut.get(name)));
  }

  /** " (nearest: NAME)" for the name of no attribute; the shortcut counts when that is nearer. */
  String hint(String name) {
    List<String> words = new ArrayList<>(byName.keySet());
    byShortcut.keySet().stream().filter(each -> each.length() > 2).forEach(words::add);
    return Nearest.of(name, words)
        .flatMap(this::find)
        .map(nearest -> " (nearest: " + nearest.name() + ")")
        .orElse("");
  }

  public Complex slots() {
    return byName.get("slots");
  }

  public Collection<Complex> all() {
    return all;
  }

  /** A copy with one attribute replaced or added. */
  public Complexes with(Complex complex) {
    List<Complex> all = new ArrayList<>(byName.values());
    all.removeIf(each -> each.name().equals(complex.name()));
    all.add(complex);
    return new Complexes(all);
  }

  /** As {@code qconf -sc} prints it. */
  public String print() {
    String format = "%-19s %-10s %-9s %-5s %-11s %-10s %-8s %s\n";
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            format,
            "#name",
            "shortcut",
            "type",
            "relop",
            "requestable",
            "consumable",
            "default",
            "urgency"));
    text.append("#").append("-".repeat(86)).append('\n');
    for (Complex each : byName.values()) {
      double urgency = each.worth().urgency();
      text.append(
          String.format(
              format,
              each.name(),
              each.shortcut(),
              each.type(),
              each.relation().sign(),
              each.use().requestable(),
              each.use().consumption(),
              each.worth().usual(),
              urgency == Math.rint(urgency) ? String.valueOf((long) urgency) : urgency));
    }
    return text.append("# >#< starts a comment but comments are not saved across edits --------\n")
        .toString();
  }
}
