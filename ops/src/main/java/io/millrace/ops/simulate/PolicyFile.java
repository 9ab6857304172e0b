package io.millrace.ops.simulate;

import io.millrace.schemas.attributes.AttributeAccess;
import io.millrace.schemas.attributes.AttributeDefinition;
import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Attributes of a scheduler object, one {@code NAME = VALUE} a line, as behind {@code qmgr -c "set
 * sched"}. Empty lines and those behind # say nothing, and attributes that are no part of the
 * policy are passed over.
 */
final class PolicyFile {

  /** What a scheduler is told besides its policy; a simulation has no use for it. */
  private static final Set<String> NO_POLICY =
      Set.of("scheduling", "partition", "scheduler_iteration", "job_accumulation_time", "comment");

  private PolicyFile() {}

  /**
   * @throws IOException with file, line and reason when something in it is wrong
   */
  static List<Attribute> read(Path file) throws IOException {
    List<Attribute> attributes = new ArrayList<>();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && text.charAt(0) != '#') {
        Attribute attribute = attribute(text, file + " line " + number + ": ");
        if (!NO_POLICY.contains(attribute.getName())) {
          attributes.add(attribute);
        }
      }
    }
    return attributes;
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
    boolean gridEngine = known.name().equals("policy") && normal.equals("gridengine");
    if (gridEngine || known.name().equals(AttributeTable.GRID_ENGINE_CONFIGURATION)) {
      // Its jobs ask for slots of queues, of which a trace knows nothing.
      throw new IOException(
          where
              + "a trace is not replayed as by a Grid Engine; ./millrace simulate --case replays"
              + " sessions of one");
    }
    return new Attribute(known.name(), normal);
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
        + String.join(" and ", PolicyWord.nearest(name, names));
  }
}
