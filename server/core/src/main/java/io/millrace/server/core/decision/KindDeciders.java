package io.millrace.server.core.decision;

import io.millrace.server.core.state.SubjectMethods;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Deciders of a record that comes in several kinds, as timers and continued work do. The list is
 * the record's schema: property "by" names the field that holds the kind, property "subjects" the
 * package of each kind. The method is one of the class Deciders there; it is called as the kind,
 * takes the record, and returns a decision. A kind without its method fails the start of the shard.
 */
public final class KindDeciders {
  private static final MethodType TYPE =
      MethodType.methodType(Decision.class, Context.class, SpecificRecord.class);

  private final Map<String, MethodHandle> methods = new HashMap<>();
  private final String record;
  private final int field;

  private KindDeciders(Schema schema) {
    record = schema.getName();
    Schema.Field by = schema.getField(String.valueOf(schema.getProp("by")));
    if (by == null || by.schema().getType() != Schema.Type.STRING) {
      throw new IllegalStateException(record + " has no text " + schema.getProp("by"));
    }
    field = by.pos();
    Class<?> type = SpecificData.get().getClass(schema);
    subjects(schema)
        .forEach(
            (kind, subject) ->
                methods.put(
                    kind,
                    SubjectMethods.find(
                        subject, "Deciders", methodName(kind), TYPE, Context.class, type)));
  }

  /** {@code Decision nameOfKind(Context, R)} for each kind of a record. */
  public static KindDeciders of(Schema schema) {
    return new KindDeciders(schema);
  }

  /** Whether a record comes in kinds that have subjects of their own. */
  public static boolean has(Schema schema) {
    return schema.getObjectProp("subjects") != null;
  }

  /** The subject of each kind of a record. */
  public static Map<String, String> subjects(Schema schema) {
    if (!(schema.getObjectProp("subjects") instanceof Map<?, ?> named)) {
      throw new IllegalStateException(schema.getName() + " names no subjects of its kinds");
    }
    Map<String, String> subjects = new TreeMap<>();
    named.forEach((kind, subject) -> subjects.put((String) kind, (String) subject));
    return subjects;
  }

  /** A kind as a method is called: former-queue is formerQueue. */
  public static String methodName(String kind) {
    StringBuilder name = new StringBuilder();
    boolean upper = false;
    for (char letter : kind.toCharArray()) {
      if (letter == '-') {
        upper = true;
      } else {
        name.append(upper ? Character.toUpperCase(letter) : letter);
        upper = false;
      }
    }
    return name.toString();
  }

  public Decision decide(Context context, SpecificRecord one) {
    String kind = (String) one.get(field);
    MethodHandle method = methods.get(kind);
    if (method == null) {
      throw new IllegalStateException(record + " of unknown kind " + kind);
    }
    try {
      return (Decision) method.invokeExact(context, one);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public Set<String> kinds() {
    return Collections.unmodifiableSet(new TreeSet<>(methods.keySet()));
  }
}
