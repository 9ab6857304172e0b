package io.millrace.server.core.state;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;

/** How many bytes a record takes at most when it is written. */
public final class RecordSize {
  /** The longest number, or the longest length before a text. */
  private static final int NUMBER = 10;

  private RecordSize() {}

  public static long of(Object value) {
    if (value instanceof IndexedRecord record) {
      return of(record);
    }
    if (value instanceof CharSequence text) {
      return of(text);
    }
    if (value instanceof ByteBuffer bytes) {
      return NUMBER + bytes.remaining();
    }
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes().length;
    }
    if (value instanceof Map<?, ?> map) {
      return NUMBER + of(map.keySet()) + of(map.values());
    }
    if (value instanceof Collection<?> items) {
      return NUMBER + items.stream().mapToLong(RecordSize::of).sum();
    }
    return NUMBER;
  }

  private static long of(IndexedRecord record) {
    long sum = 0;
    for (int i = 0; i < record.getSchema().getFields().size(); i++) {
      // One more for the branch, where the field is a union.
      sum += 1 + of(record.get(i));
    }
    return sum;
  }

  /** A character takes three bytes at most; half of a pair counts as three of the pair's four. */
  private static long of(CharSequence text) {
    return NUMBER + text.chars().mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : 3).sum();
  }
}
