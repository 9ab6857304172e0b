package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.connect.SourceOpening.SourceView;
import io.millrace.connectors.forward.ServedTerms;
import io.millrace.connectors.forward.observe.ClusterLook;
import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.PictureTopics;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.SchemaIds;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.source.TransactionContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Connect with two topics and a storage of offsets, whose worker can die at each record. */
final class PlayedConnect {

  private final Map<String, String> settings;
  private final PlayedSlurm slurm;
  private final InstantSource clock;
  private final RecordCodec codec = new WireCodec(SchemaIds.local());
  private final Map<String, byte[]> present = new TreeMap<>();
  private final Map<String, Gauge<?>> metrics = new HashMap<>();

  /** All that was sent. */
  final List<SourceRecord> sent = new ArrayList<>();

  /** Last records of transactions. */
  final List<SourceRecord> ends = new ArrayList<>();

  Map<String, Object> stored;
  boolean transactions;
  OutsideSourceTask task;

  PlayedConnect(Map<String, String> settings, PlayedSlurm slurm, InstantSource clock) {
    this.settings = settings;
    this.slurm = slurm;
    this.clock = clock;
  }

  /** Begins a life of the task. */
  void begin() {
    begin(new OutsideSourceTask(this::open, Duration.ZERO));
  }

  void begin(OutsideSourceTask begun) {
    task = begun;
    task.initialize(new PlayedContext());
    task.start(settings);
  }

  private SourceView open(ServedTerms terms, String cursor) {
    OutsideSystem system = terms.file().kind().open(terms.file(), slurm);
    ClusterPicture picture = new ClusterPicture("c1", "slurm", system.hasAccounting());
    present().values().forEach(picture::remember);
    return new SourceView(
        new ClusterLook("c1", system, picture, cursor, clock),
        shown -> PictureTopics.record(shown, codec),
        () -> {});
  }

  /** What a reader of both topics has. */
  Map<String, SpecificRecord> present() {
    Map<String, SpecificRecord> all = new LinkedHashMap<>();
    present.forEach((key, value) -> all.put(key, decode(value)));
    return all;
  }

  private SpecificRecord decode(byte[] value) {
    try {
      return codec.decode(value);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(e);
    }
  }

  /** One poll of the task; all that it gives is on the topics, and its offset is stored. */
  void poll() throws InterruptedException {
    poll(Integer.MAX_VALUE);
  }

  /**
   * The same of so many records in all; the worker dies with what is more.
   *
   * @return whether it lives
   */
  boolean poll(int most) throws InterruptedException {
    List<SourceRecord> records = task.poll();
    for (SourceRecord record : records == null ? List.<SourceRecord>of() : records) {
      if (sent.size() == most) {
        return false;
      }
      send(record);
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private void send(SourceRecord record) {
    sent.add(record);
    String key = new String((byte[]) record.key(), StandardCharsets.UTF_8);
    if (record.value() == null) {
      present.remove(key);
    } else {
      present.put(key, (byte[]) record.value());
    }
    stored = (Map<String, Object>) record.sourceOffset();
  }

  Object metric(String name) {
    return metrics.get(name).value(null, 0);
  }

  /** What the task sees of Connect. */
  private final class PlayedContext implements SourceTaskContext {
    @Override
    public Map<String, String> configs() {
      return settings;
    }

    @Override
    public OffsetStorageReader offsetStorageReader() {
      return new OffsetStorageReader() {
        @Override
        @SuppressWarnings("unchecked")
        public <T> Map<String, Object> offset(Map<String, T> partition) {
          return SourcePosition.isOf("c1", partition) ? stored : null;
        }

        @Override
        public <T> Map<Map<String, T>, Map<String, Object>> offsets(
            Collection<Map<String, T>> partitions) {
          throw new UnsupportedOperationException();
        }
      };
    }

    @Override
    public TransactionContext transactionContext() {
      return transactions ? new PlayedTransactions() : null;
    }

    @Override
    public PluginMetrics pluginMetrics() {
      return (PluginMetrics)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {PluginMetrics.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("addMetric")) {
                  metrics.put(((MetricName) arguments[0]).name(), (Gauge<?>) arguments[1]);
                  return null;
                }
                return new MetricName(
                    (String) arguments[0], "plugins", (String) arguments[1], Map.of());
              });
    }
  }

  /** Transactions that a task defines itself. */
  private final class PlayedTransactions implements TransactionContext {
    @Override
    public void commitTransaction() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void commitTransaction(SourceRecord record) {
      ends.add(record);
    }

    @Override
    public void abortTransaction() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void abortTransaction(SourceRecord record) {
      throw new UnsupportedOperationException();
    }
  }
}
