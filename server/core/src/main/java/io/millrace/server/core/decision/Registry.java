package io.millrace.server.core.decision;

import io.millrace.server.core.state.State;
import io.millrace.server.core.state.SubjectMethods;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Protocol;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Deciders and appliers by the class of their record. The list is the schemas themselves: property
 * "subject" names the package, the classes there are called Deciders and Appliers, and the method
 * is the one that takes the record. A record without its method fails the start of the shard. A
 * command that comes in kinds names their subjects ({@link KindDeciders}).
 */
public final class Registry {
  private final Map<Class<?>, MethodHandle> methods = new HashMap<>();

  private Registry() {}

  /** {@code Decision decide(Context, C)} for each command. */
  public static Registry ofDeciders(Protocol commands) {
    Registry registry = new Registry();
    for (Schema schema : commands.getTypes()) {
      if (schema.getProp("subject") != null) {
        registry.add(schema, "Deciders", "decide", Decision.class, Context.class);
      } else if (KindDeciders.has(schema) && schema.getProp("family") != null) {
        registry.add(schema, KindDeciders.of(schema));
      }
    }
    return registry;
  }

  /** {@code void apply(State, F)} for each fact. */
  public static Registry ofAppliers(Protocol facts) {
    Registry registry = new Registry();
    for (Schema schema : facts.getTypes()) {
      if (schema.getProp("subject") != null) {
        registry.add(schema, "Appliers", "apply", void.class, State.class);
      }
    }
    return registry;
  }

  /**
   * {@code Decision refuse(Context, C)} for each command of a shard that may wait: nobody waits for
   * a refusal, so its subject decides what happens instead.
   */
  public static Registry ofRefusals(Protocol commands) {
    Registry registry = new Registry();
    for (Schema schema : commands.getTypes()) {
      if (schema.getObjectProp("waits") != null && "shard".equals(schema.getProp("family"))) {
        registry.add(schema, "Deciders", "refuse", Decision.class, Context.class);
      }
    }
    return registry;
  }

  private void add(Schema schema, String owner, String name, Class<?> result, Class<?> first) {
    Class<?> record = SpecificData.get().getClass(schema);
    MethodType type = MethodType.methodType(result, first, SpecificRecord.class);
    methods.put(
        record, SubjectMethods.find(schema.getProp("subject"), owner, name, type, first, record));
  }

  private void add(Schema schema, KindDeciders kinds) {
    MethodType type = MethodType.methodType(Decision.class, Context.class, SpecificRecord.class);
    try {
      MethodHandle handle = MethodHandles.publicLookup().bind(kinds, "decide", type);
      methods.put(SpecificData.get().getClass(schema), handle);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  public Decision decide(Context context, SpecificRecord command) {
    try {
      return (Decision) method(command).invokeExact(context, command);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public void apply(State state, SpecificRecord fact) {
    try {
      method(fact).invokeExact(state, fact);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public boolean knows(Class<?> record) {
    return methods.containsKey(record);
  }

  private MethodHandle method(SpecificRecord record) {
    MethodHandle method = methods.get(record.getClass());
    if (method == null) {
      throw new IllegalStateException("no method for " + record.getClass().getName());
    }
    return method;
  }
}
