package io.millrace.server.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads the stores of the shards of this process from any thread. It may see a change a moment
 * before its transaction ends.
 */
final class StoreReader {
  private final KafkaStreams streams;
  private final RecordCodec codec;

  StoreReader(KafkaStreams streams, RecordCodec codec) {
    this.streams = streams;
    this.codec = codec;
  }

  /** Takes key and encoded record; returns false to stop. */
  interface EncodedRecordVisitor {
    boolean visit(String key, byte[] record) throws java.io.IOException;
  }

  private ReadOnlyKeyValueStore<String, byte[]> store(int shard, String table) {
    return streams.store(
        StoreQueryParameters.fromNameAndType(
                StoreLayout.store(table), QueryableStoreTypes.<String, byte[]>keyValueStore())
            .withPartition(shard));
  }

  /** The encoded record, or null. */
  byte[] bytes(int shard, String table, String key) {
    return store(shard, table).get(StoreLayout.prefix(table) + key);
  }

  /** The record, or null. */
  <V extends SpecificRecord> V get(int shard, String table, String key, Class<V> type) {
    byte[] bytes = bytes(shard, table, key);
    return bytes == null ? null : type.cast(decode(bytes));
  }

  SpecificRecord decode(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  byte[] encode(SpecificRecord record) {
    return codec.encode(record);
  }

  /** Visits records from {@code from} (inclusive; null: from the start) on. */
  void scan(int shard, String table, String from, EncodedRecordVisitor visitor)
      throws java.io.IOException {
    String prefix = StoreLayout.prefix(table);
    String start = prefix + (from == null ? "" : from);
    String end = prefix + StoreTable.LAST;
    try (KeyValueIterator<String, byte[]> records = store(shard, table).range(start, end)) {
      while (records.hasNext()) {
        KeyValue<String, byte[]> record = records.next();
        if (!visitor.visit(record.key.substring(prefix.length()), record.value)) {
          return;
        }
      }
    }
  }
}
