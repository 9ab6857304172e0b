package io.millrace.server.campaigns.core.table;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;

/** A table in memory, which keeps bytes as a store does. */
public class MemoryTable implements CampaignTable {

  private static final RecordCodec CODEC = WireCodec.local();

  private final TreeMap<String, byte[]> records = new TreeMap<>();

  private static SpecificRecord decode(byte[] bytes) {
    try {
      return bytes == null ? null : CODEC.decode(bytes);
    } catch (UndecodableRecord e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public SpecificRecord get(String key) {
    return decode(records.get(key));
  }

  @Override
  public void put(String key, SpecificRecord record) {
    if (record == null) {
      records.remove(key);
    } else {
      records.put(key, CODEC.encode(record));
    }
  }

  @Override
  public void scan(String prefix, String from, Predicate<SpecificRecord> each) {
    for (byte[] bytes : new TreeMap<>(records.subMap(from, prefix + '\uffff')).values()) {
      if (!each.test(decode(bytes))) {
        return;
      }
    }
  }

  /** All that there is, comparable. */
  public Map<String, String> contents() {
    Map<String, String> contents = new TreeMap<>();
    records.forEach((key, bytes) -> contents.put(key, Arrays.toString(bytes)));
    return contents;
  }

  public void clear() {
    records.clear();
  }

  /** Bytes of the keys and records whose key begins so. */
  public long bytes(String prefix) {
    return records.subMap(prefix, prefix + '\uffff').entrySet().stream()
        .mapToLong(it -> it.getKey().length() + it.getValue().length)
        .sum();
  }

  public int size() {
    return records.size();
  }
}
