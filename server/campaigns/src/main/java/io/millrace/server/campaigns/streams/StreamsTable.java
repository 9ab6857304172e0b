package io.millrace.server.campaigns.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** A table in a store of Kafka Streams. */
final class StreamsTable implements CampaignTable {

  /** Behind all that keys are made of. */
  private static final String LAST = "\uffff";

  private final ReadOnlyKeyValueStore<String, byte[]> store;
  private final RecordCodec codec;

  /**
   * @param store a store that only reads makes a table that cannot be changed
   */
  StreamsTable(ReadOnlyKeyValueStore<String, byte[]> store, RecordCodec codec) {
    this.store = store;
    this.codec = codec;
  }

  private SpecificRecord decode(byte[] bytes) {
    try {
      return bytes == null ? null : codec.decode(bytes);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("the table has what is no record", e);
    }
  }

  @Override
  public SpecificRecord get(String key) {
    return decode(store.get(key));
  }

  @Override
  public void put(String key, SpecificRecord record) {
    byte[] bytes = record == null ? null : codec.encode(record);
    ((KeyValueStore<String, byte[]>) store).put(key, bytes);
  }

  @Override
  public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
    try (KeyValueIterator<String, byte[]> found = store.range(from, prefix + LAST)) {
      boolean more = true;
      while (more && found.hasNext()) {
        more = each.test(decode(found.next().value));
      }
    }
  }
}
