package io.millrace.schemas.registry;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.Incompatibility;

/** Confluent's levels: which versions must be able to read which. */
public enum CompatibilityLevel {
  NONE(false, false, false),
  BACKWARD(true, false, false),
  BACKWARD_TRANSITIVE(true, false, true),
  FORWARD(false, true, false),
  FORWARD_TRANSITIVE(false, true, true),
  FULL(true, true, false),
  FULL_TRANSITIVE(true, true, true);

  private final boolean newReadsOld;
  private final boolean oldReadsNew;
  private final boolean transitive;

  CompatibilityLevel(boolean newReadsOld, boolean oldReadsNew, boolean transitive) {
    this.newReadsOld = newReadsOld;
    this.oldReadsNew = oldReadsNew;
    this.transitive = transitive;
  }

  /**
   * Reasons why the candidate is incompatible, one line each; empty when it is compatible.
   *
   * @param earlier earlier versions, oldest first
   */
  public List<String> problems(Schema candidate, List<Schema> earlier) {
    List<String> problems = new ArrayList<>();
    int from = transitive ? 0 : Math.max(0, earlier.size() - 1);
    for (int i = from; i < earlier.size(); i++) {
      problems.addAll(problems(candidate, "version " + (i + 1), earlier.get(i)));
    }
    return problems;
  }

  /**
   * Reasons why the candidate is incompatible with one earlier version.
   *
   * @param name name of the earlier version in the lines
   */
  public List<String> problems(Schema candidate, String name, Schema earlier) {
    List<String> problems = new ArrayList<>();
    if (newReadsOld) {
      problems.addAll(unreadable("the new schema", candidate, name, earlier));
    }
    if (oldReadsNew) {
      problems.addAll(unreadable(name, earlier, "the new schema", candidate));
    }
    return problems;
  }

  private static List<String> unreadable(
      String readerName, Schema reader, String writerName, Schema writer) {
    List<String> lines = new ArrayList<>();
    for (Incompatibility found :
        SchemaCompatibility.checkReaderWriterCompatibility(reader, writer)
            .getResult()
            .getIncompatibilities()) {
      lines.add(
          reader.getFullName()
              + ": "
              + readerName
              + " cannot read "
              + writerName
              + ": "
              + found.getType()
              + " at "
              + fieldPath(reader, found.getLocation())
              + ": "
              + found.getMessage().replaceAll("\\s+", " "));
    }
    return lines;
  }

  /**
   * "/fields/1/type/items/fields/0" as "run.items.name"; the location itself when it has no field.
   */
  private static String fieldPath(Schema reader, String location) {
    List<String> names = new ArrayList<>();
    Schema at = reader;
    String[] steps = location.split("/");
    for (int i = 1; i < steps.length && at != null; i++) {
      if (steps[i].equals("fields") && at.getType() == Schema.Type.RECORD && i + 1 < steps.length) {
        Schema.Field field = at.getFields().get(Integer.parseInt(steps[++i]));
        names.add(field.name());
        at = field.schema();
      } else if (steps[i].equals("items") && at.getType() == Schema.Type.ARRAY) {
        at = at.getElementType();
      } else if (steps[i].equals("values") && at.getType() == Schema.Type.MAP) {
        at = at.getValueType();
      } else if (steps[i].matches("[0-9]+") && at.getType() == Schema.Type.UNION) {
        at = at.getTypes().get(Integer.parseInt(steps[i]));
      } else if (!steps[i].equals("type")) {
        names.add(steps[i]);
        at = null;
      }
    }
    return names.isEmpty() ? location : String.join(".", names);
  }
}
