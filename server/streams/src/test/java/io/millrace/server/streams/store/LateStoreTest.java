package io.millrace.server.streams.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LateStoreTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("millrace-jobs-changelog", 0);
  private static final Bytes KEY = bytes("1");

  @TempDir Path folder;
  private KeyValueStore<Bytes, byte[]> store;
  private Registered registered;

  /** Refuses a second registration, as Kafka Streams does. */
  private static final class Registered extends ForwardingContext {
    private StateRestoreCallback restore;

    Registered(StateStoreContext context) {
      super(context);
    }

    @Override
    public void register(StateStore store, StateRestoreCallback callback) {
      if (restore != null) {
        throw new IllegalArgumentException(store.name() + " is registered");
      }
      restore = callback;
    }
  }

  @BeforeEach
  void open() {
    Properties settings = new Properties();
    settings.putAll(Map.of("application.id", "late", "bootstrap.servers", "none:1"));
    MockProcessorContext<Void, Void> context =
        new MockProcessorContext<>(settings, new TaskId(0, 0), folder.toFile());
    registered = new Registered(context.getStateStoreContext());
    store = LateStore.supplier("jobs").get();
    store.init(registered, store);
  }

  @AfterEach
  void close() {
    if (store.isOpen()) {
      store.close();
    }
  }

  private void openAgain() {
    store.close();
    open();
  }

  private static Bytes bytes(String text) {
    return Bytes.wrap(value(text));
  }

  private static byte[] value(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private boolean hasDatabase() {
    return Files.exists(folder.resolve("rocksdb/jobs"));
  }

  private int records() {
    int count = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.range(bytes("0"), bytes("9"))) {
      while (all.hasNext()) {
        all.next();
        count++;
      }
    }
    return count;
  }

  @Test
  void theDatabaseIsMadeWithTheFirstRecord() {
    store.put(KEY, null);
    store.putAll(List.of());
    assertNull(store.delete(KEY));
    assertNull(store.get(KEY));
    assertEquals(0, records());
    assertEquals(0, store.approximateNumEntries());
    assertTrue(store.getPosition().isEmpty());
    assertFalse(hasDatabase());

    store.put(KEY, value("one"));
    assertTrue(hasDatabase());
    assertArrayEquals(value("one"), store.get(KEY));
    assertEquals(1, records());
    assertArrayEquals(value("one"), store.delete(KEY));
    assertEquals(0, records());
  }

  @Test
  void whatWasWrittenIsThereAtTheNextStart() {
    store.put(KEY, value("one"));
    store.commit(Map.of(CHANGELOG, 7L));
    openAgain();
    assertArrayEquals(value("one"), store.get(KEY));
    assertEquals(7L, store.committedOffset(CHANGELOG));
  }

  /** Without an offset Kafka Streams would delete the whole shard and read it all again. */
  @Test
  void aStoreWithoutRecordsAsksForItsChangelogFromTheBeginning() {
    assertEquals(OffsetCheckpoint.OFFSET_UNKNOWN, store.committedOffset(CHANGELOG));
    store.put(KEY, value("one"));
    assertNull(store.committedOffset(CHANGELOG));
    store.delete(KEY);
    assertEquals(OffsetCheckpoint.OFFSET_UNKNOWN, store.committedOffset(CHANGELOG));
  }

  @Test
  void anOffsetThatWasCommittedBeforeTheFirstRecordIsKept() {
    store.commit(Map.of(CHANGELOG, 3L));
    assertFalse(hasDatabase());
    assertEquals(3L, store.committedOffset(CHANGELOG));
    store.put(KEY, value("one"));
    openAgain();
    assertEquals(3L, store.committedOffset(CHANGELOG));
  }

  @Test
  void recordsOfTheChangelogAreRestored() {
    RecordBatchingStateRestoreCallback restore =
        (RecordBatchingStateRestoreCallback) registered.restore;
    restore.restoreBatch(List.of());
    assertFalse(hasDatabase());
    for (String text : List.of("one", "two")) {
      restore.restoreBatch(
          List.of(
              new ConsumerRecord<>(CHANGELOG.topic(), 0, 0, KEY.get(), value(text)),
              new ConsumerRecord<>(CHANGELOG.topic(), 0, 1, value("2"), value(text))));
      assertArrayEquals(value(text), store.get(KEY));
    }
    assertEquals(2, records());
  }

  @Test
  void aClosedStoreIsNotTakenForAnEmptyOne() {
    store.close();
    assertThrows(InvalidStateStoreException.class, () -> store.get(KEY));
    open();
    store.put(KEY, value("one"));
    store.close();
    assertThrows(InvalidStateStoreException.class, () -> store.get(KEY));
    assertThrows(InvalidStateStoreException.class, this::records);
  }

  /** What stays open keeps the lock of its folder: the store could not be opened again. */
  @Test
  void aDatabaseThatOpensAndTakesNoOffsetIsClosed() {
    KeyValueStore<Bytes, byte[]> database = Stores.persistentKeyValueStore("full").get();
    InvocationHandler full =
        (proxy, method, arguments) -> {
          if (method.getName().equals("commit")) {
            throw new ProcessorStateException("no space left on device");
          }
          return method.invoke(database, arguments);
        };
    Class<?>[] kinds = {KeyValueStore.class};
    @SuppressWarnings("unchecked")
    KeyValueStore<Bytes, byte[]> behind =
        (KeyValueStore<Bytes, byte[]>)
            Proxy.newProxyInstance(getClass().getClassLoader(), kinds, full);
    registered.restore = null;
    StateStore late = new LateStore(behind);
    late.init(registered, late);
    late.commit(Map.of(CHANGELOG, 3L));
    assertThrows(ProcessorStateException.class, () -> ((LateStore) late).put(KEY, value("one")));
    assertTrue(database.isOpen());
    late.close();
    assertFalse(database.isOpen());
  }
}
