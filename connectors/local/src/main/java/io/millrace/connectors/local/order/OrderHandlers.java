package io.millrace.connectors.local.order;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.Topics;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * The handlers of orders, found from the schemas: property "subject" of a record of the topic
 * dispatch names the class, {@code StartOrders} for start, which is made with an {@link
 * OrderContext}; the method is {@code void carryOut(R order, long offset)} with the record's class.
 * An order without its method fails the start of the executor.
 */
final class OrderHandlers {
  private static final MethodType TYPE =
      MethodType.methodType(void.class, SpecificRecord.class, long.class);

  private final Map<Class<?>, Object> handlers = new HashMap<>();
  private final Map<Class<?>, MethodHandle> methods = new HashMap<>();

  OrderHandlers(OrderContext desk) {
    this(desk, Catalogue.get().of(Catalogue.RecordKind.OUTPUT));
  }

  OrderHandlers(OrderContext desk, Collection<Catalogue.CatalogueEntry> records) {
    records.stream()
        .filter(record -> record.topic().equals(Topics.DISPATCH))
        .forEach(order -> add(desk, order));
  }

  private void add(OrderContext desk, Catalogue.CatalogueEntry order) {
    String subject = order.subject();
    String name =
        subject.isEmpty()
            ? "nobody"
            : subject.substring(0, 1).toUpperCase(Locale.ROOT) + subject.substring(1) + "Orders";
    try {
      Class<?> type = Class.forName(getClass().getPackageName() + "." + name);
      Object handler = handlers.get(type);
      if (handler == null) {
        Constructor<?> constructor = type.getDeclaredConstructor(OrderContext.class);
        handler = constructor.newInstance(desk);
        handlers.put(type, handler);
      }
      MethodType method = MethodType.methodType(void.class, order.type(), long.class);
      MethodHandle carryOut = MethodHandles.lookup().bind(handler, "carryOut", method);
      methods.put(order.type(), carryOut.asType(TYPE));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "order " + order.simpleName() + ": " + name + " has no carryOut for it", e);
    }
  }

  /** The handler of a subject. */
  <T> T handler(Class<T> type) {
    return type.cast(handlers.get(type));
  }

  boolean knows(SpecificRecord order) {
    return methods.containsKey(order.getClass());
  }

  /**
   * @throws InterruptedException when the executor is closed while the order waits for room
   */
  void carryOut(SpecificRecord order, long offset) throws InterruptedException {
    try {
      methods.get(order.getClass()).invokeExact(order, offset);
    } catch (InterruptedException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
