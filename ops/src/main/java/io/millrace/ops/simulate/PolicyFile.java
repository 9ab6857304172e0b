package io.millrace.ops.simulate;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeAccess;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SortFormula;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy in a file. Either attributes of a scheduler object, one {@code NAME = VALUE} a line, as
 * behind {@code qmgr -c "set sched"}; attributes that are not part of a policy are ignored. Or the
 * settings of a Grid Engine's scheduler, {@code NAME VALUE} a line, as {@code qconf -ssconf} prints
 * them. Empty lines and lines that begin with # are skipped.
 */
final class PolicyFile {

  /**
   * Attributes of a scheduler object that are not part of its policy and have no effect in a
   * simulation.
   */
  private static final Set<String> NO_POLICY =
      Set.of("scheduling", "partition", "scheduler_iteration", "job_accumulation_time", "comment");

  private static final Set<String> OF_TRACES = Set.of("ncpus", "nodect", "nchunk", "walltime");

  private static final Attribute GRID_ENGINE = new Attribute("policy", "gridengine");

  private PolicyFile() {}

  /**
   * @param word as the user calls the policy
   * @throws IOException with file, line and reason when something in it is wrong
   */
  static SimulatedPolicy read(String word, Path file) throws IOException {
    List<String> lines = lines(file);
    return printedByQconf(lines)
        ? SimulatedPolicy.gridEngine(word, settings(file, String.join("\n", lines)))
        : SimulatedPolicy.of(word, attributes(file, lines));
  }

  /** Whether the first line with content has a name and a value without = between them. */
  private static boolean printedByQconf(List<String> lines) {
    return lines.stream()
        .map(String::strip)
        .filter(PolicyFile::speaks)
        .findFirst()
        .map(line -> line.split("\\s+", 2))
        .filter(words -> words.length == 2 && !(words[0] + words[1].charAt(0)).contains("="))
        .filter(words -> AttributeTable.find(ObjectKind.SCHEDULER, words[0]).isEmpty())
        .isPresent();
  }

  private static boolean speaks(String line) {
    return !line.isEmpty() && line.charAt(0) != '#';
  }

  private static OptionValues settings(Path file, String text) throws IOException {
    OptionTable table = ObjectTables.recognise(text).orElse(SchedulerOptions.TABLE);
    if (table != SchedulerOptions.TABLE) {
      throw new IOException(
          file
              + " describes "
              + table.title()
              + "; a trace is replayed by the settings of a scheduler, as qconf -ssconf prints"
              + " them");
    }
    try {
      return table.parse(file.toString(), text);
    } catch (ConfigurationRefused e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static List<Attribute> attributes(Path file, List<String> lines) throws IOException {
    Map<Attribute, String> places = new LinkedHashMap<>();
    int number = 0;
    for (String line : lines) {
      number++;
      String text = line.strip();
      if (speaks(text)) {
        String where = file + " line " + number + ": ";
        Attribute attribute = attribute(text, where);
        if (!NO_POLICY.contains(attribute.getName())) {
          places.put(attribute, where);
        }
      }
    }
    if (places.containsKey(GRID_ENGINE)) {
      checkOthers(places);
    }
    return List.copyOf(places.keySet());
  }

  /** Refuses attributes of other policies, which the Grid Engine dialect does not read. */
  private static void checkOthers(Map<Attribute, String> places) throws IOException {
    for (Map.Entry<Attribute, String> other : places.entrySet()) {
      String name = other.getKey().getName();
      if (!name.equals(GRID_ENGINE.getName()) && !name.equals("strict_ordering")) {
        throw new IOException(
            other.getValue() + name + " says nothing where policy is " + GRID_ENGINE.getValue());
      }
    }
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (MalformedInputException e) {
      throw new IOException(file + " is no text", e);
    }
  }

  private static Attribute attribute(String text, String where) throws IOException {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new IOException(where + "'" + text + "' is not NAME = VALUE");
    }
    String name = text.substring(0, equals).strip();
    String value = text.substring(equals + 1).strip();
    AttributeDefinition known =
        AttributeTable.find(ObjectKind.SCHEDULER, name)
            .filter(it -> it.access() != AttributeAccess.READ_ONLY)
            .orElseThrow(() -> new IOException(where + unknown(name)));
    String normal =
        known
            .normalise(value)
            .orElseThrow(
                () -> new IOException(where + "'" + value + "' is no value of " + known.name()));
    if (known.name().equals(AttributeTable.FORMULA)) {
      checkFormula(value, where);
    }
    if (known.name().equals(AttributeTable.JOB_SORT_KEY)) {
      checkKeys(normal, where);
    }
    if (known.name().equals(AttributeTable.FORMULA_THRESHOLD)) {
      throw new IOException(where + "jobs under a threshold would never run");
    }
    if (normal.equals(AttributeTable.SCHED_CONFIG)
        || known.name().equals(AttributeTable.SCHED_CONFIG)) {
      throw new IOException(
          where + "the files of a PBS scheduler are a policy of their own: give their FOLDER");
    }
    if (normal.equals(AttributeTable.ORIGIN2000)
        || known.name().equals(AttributeTable.ORIGIN2000)) {
      throw new IOException(
          where
              + "the files of an Origin2000 scheduler are a policy of their own: give their FOLDER");
    }
    if (known.name().equals(AttributeTable.GRID_ENGINE_CONFIGURATION)) {
      throw new IOException(
          where
              + "a trace has no use for the configuration of a cell; FILE may be the settings of"
              + " its scheduler, as qconf -ssconf prints them");
    }
    return new Attribute(known.name(), normal);
  }

  /** Checks a formula: jobs of a trace have processors and an estimate only, and one queue. */
  private static void checkFormula(String text, String where) throws IOException {
    try {
      for (String name : SortFormula.of(text).names()) {
        if (!OF_TRACES.contains(name)) {
          throw new IOException(where + "jobs of a trace have no " + name);
        }
      }
    } catch (SortFormula.BadFormula e) {
      throw new IOException(where + "no formula: " + e.getMessage(), e);
    }
  }

  /** Checks keys of jobs, of which those of a trace have as little as formulas find. */
  private static void checkKeys(String text, String where) throws IOException {
    for (String key : text.split(", ")) {
      String name = key.substring(0, key.indexOf(' '));
      if (!name.equals("ncpus") && !name.equals("walltime")) {
        throw new IOException(where + "jobs of a trace have no " + name);
      }
    }
  }

  private static String unknown(String name) {
    List<String> names =
        AttributeTable.of(ObjectKind.SCHEDULER).stream()
            .filter(it -> it.access() != AttributeAccess.READ_ONLY)
            .map(AttributeDefinition::name)
            .toList();
    return "a scheduler has no attribute '"
        + name
        + "'; the nearest are "
        + String.join(" and ", NamedPolicy.nearest(name, names));
  }
}
