package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.WireCodec;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Whereabouts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order the changes of two tables reach their stores, which others read meanwhile. */
final class StoreTableTest {
  @TempDir Path folder;
  private final List<String> written = new ArrayList<>();
  private StoreTable<Queue> records;
  private StoreTable<Whereabouts> pointers;

  @BeforeEach
  void open() {
    records = new StoreTable<>(store("records"), "", WireCodec.local(), 10);
    pointers = new StoreTable<>(store("pointers"), "to/", WireCodec.local(), 10);
    StoreTable.together(records, pointers);
  }

  /** A store in memory that notes what is written. */
  @SuppressWarnings("unchecked")
  private KeyValueStore<String, byte[]> store(String name) {
    Properties settings = new Properties();
    settings.putAll(Map.of("application.id", "tables", "bootstrap.servers", "none:1"));
    MockProcessorContext<Void, Void> context =
        new MockProcessorContext<>(settings, new TaskId(0, 0), folder.toFile());
    KeyValueStore<String, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(name), Serdes.String(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(context.getStateStoreContext(), store);
    return (KeyValueStore<String, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, args) -> {
              if (method.getName().equals("put") || method.getName().equals("delete")) {
                written.add(name + " " + method.getName() + " " + args[0]);
              }
              try {
                return method.invoke(store, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private List<String> written() {
    List<String> all = List.copyOf(written);
    written.clear();
    return all;
  }

  private static Queue record() {
    return new Queue("one", Map.of(), Map.of(), false, -1L, -1L);
  }

  @Test
  void whatGoesAwayIsPointedToBeforeItGoes() {
    records.put("1", record());
    records.scan("", null, (key, value) -> true);
    assertEquals(List.of("records put 1"), written());
    records.remove("1");
    pointers.put("1", new Whereabouts(1L, 2));
    List<String> expected = List.of("pointers put to/1", "records delete 1");
    records.scan("", null, (key, value) -> true);
    assertEquals(expected, written());
    records.put("1", record());
    records.flush();
    written();
    records.remove("1");
    pointers.put("1", new Whereabouts(1L, 3));
    pointers.scan("", null, (key, value) -> true);
    assertEquals(expected, written());
  }

  @Test
  void whatComesBackIsThereBeforeNothingPointsElsewhere() {
    pointers.put("1", new Whereabouts(1L, 2));
    pointers.flush();
    written();
    pointers.remove("1");
    records.put("1", record());
    pointers.put("2", new Whereabouts(2L, 2));
    pointers.scan("", null, (key, value) -> true);
    assertEquals(List.of("pointers put to/2", "records put 1", "pointers delete to/1"), written());
    pointers.remove("2");
    pointers.put("2", new Whereabouts(2L, 3));
    pointers.flush();
    assertEquals(List.of("pointers put to/2"), written());
  }
}
