package io.millrace.server.core.state;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Methods that are called with each change of a record, to keep other records in step with it. The
 * list is the record's schema: property "followers" names packages, and the method is {@code
 * follow(State, R before, R after)} of the class Appliers there. A follower without its method
 * fails the start of the shard.
 */
public final class RecordFollowers {
  private static final MethodType TYPE =
      MethodType.methodType(void.class, State.class, SpecificRecord.class, SpecificRecord.class);

  private final List<MethodHandle> methods = new ArrayList<>();

  private RecordFollowers() {}

  /** The followers of a record, in the order of its schema. */
  public static RecordFollowers of(Schema schema) {
    Class<?> record = SpecificData.get().getClass(schema);
    RecordFollowers followers = new RecordFollowers();
    for (String subject : subjects(schema)) {
      followers.methods.add(
          SubjectMethods.find(subject, "Appliers", "follow", TYPE, State.class, record, record));
    }
    return followers;
  }

  /** Packages of those that follow a record. */
  public static List<String> subjects(Schema schema) {
    return schema.getObjectProp("followers") instanceof List<?> named
        ? named.stream().map(String.class::cast).toList()
        : List.of();
  }

  /**
   * Tells all that {@code after} takes the place of {@code before}, and is about to be written.
   *
   * @param before null for a record that is new here
   * @param after null for one that goes
   */
  public void follow(State state, SpecificRecord before, SpecificRecord after) {
    for (MethodHandle method : methods) {
      try {
        method.invokeExact(state, before, after);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
