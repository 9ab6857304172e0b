package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.WireCodec;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.state.Keys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shortcut of the timer table never hides a timer. */
final class TimerTableTest {
  @TempDir Path folder;
  private TimerTable table;

  @BeforeEach
  void open() {
    MockProcessorContext<Void, Void> context =
        new MockProcessorContext<>(
            new java.util.Properties() {
              private static final long serialVersionUID = 1L;

              {
                put("application.id", "timers");
                put("bootstrap.servers", "none:1");
              }
            },
            new org.apache.kafka.streams.processor.TaskId(0, 0),
            folder.toFile());
    KeyValueStore<String, byte[]> store =
        Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore("shard"), Serdes.String(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();
    store.init(context.getStateStoreContext(), store);
    table = new TimerTable(store, "timers/", WireCodec.local());
  }

  @Test
  void findsTheSameAsAPlainMapWhateverIsPutAndRemoved() {
    Random random = new Random(7);
    TreeMap<String, Timer> reference = new TreeMap<>();
    for (int step = 0; step < 3000; step++) {
      long dueMs = random.nextInt(60);
      String key = Keys.timer(dueMs, "purge", "x");
      if (random.nextBoolean()) {
        Timer timer = new Timer(dueMs, "purge", "x", 0);
        table.put(key, timer);
        reference.put(key, timer);
      } else if (!reference.isEmpty()) {
        String gone = random.nextInt(3) == 0 ? key : reference.firstKey();
        table.remove(gone);
        reference.remove(gone);
      }
      if (random.nextInt(5) == 0) {
        table.flush();
      }
      String to = random.nextInt(4) == 0 ? null : Keys.number(random.nextInt(62));
      List<String> found = new ArrayList<>();
      table.scan("", to, (k, timer) -> found.add(k));
      List<String> expected =
          List.copyOf((to == null ? reference : reference.headMap(to)).keySet());
      assertEquals(expected, found, "step " + step);
    }
  }
}
