package io.millrace.server.core;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.Protocol;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Deciders and appliers by the class of their record. The list is the schemas themselves: property
 * "subject" names the package, the classes there are called Deciders and Appliers, and the method
 * is the one that takes the record. A record without its method fails the start of the shard.
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
      }
    }
    return registry;
  }

  /** {@code void apply(State, F)} for each fact. */
  public static Registry ofAppliers(Protocol facts) {
    Registry registry = new Registry();
    for (Schema schema : facts.getTypes()) {
      if (schema.getProp("subject") != null && own(facts, schema)) {
        registry.add(schema, "Appliers", "apply", void.class, State.class);
      }
    }
    return registry;
  }

  /** Facts carry commands that wait, so that their protocol names those, too. */
  private static boolean own(Protocol protocol, Schema schema) {
    return schema.getNamespace().equals(protocol.getNamespace());
  }

  private void add(Schema schema, String type, String name, Class<?> result, Class<?> first) {
    String owner = "io.millrace.server.core." + schema.getProp("subject") + "." + type;
    Class<?> record = SpecificData.get().getClass(schema);
    try {
      Object instance = Class.forName(owner).getDeclaredConstructor().newInstance();
      Method method = instance.getClass().getMethod(name, first, record);
      MethodHandle handle =
          MethodHandles.publicLookup()
              .unreflect(method)
              .bindTo(instance)
              .asType(MethodType.methodType(result, first, SpecificRecord.class));
      methods.put(record, handle);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          owner + " has no public " + name + "(" + first.getSimpleName() + ", " + record + ")", e);
    }
  }

  Decision decide(Context context, SpecificRecord command) {
    try {
      return (Decision) method(command).invokeExact(context, command);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  void apply(State state, SpecificRecord fact) {
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
