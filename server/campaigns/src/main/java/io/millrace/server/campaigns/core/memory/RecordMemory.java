package io.millrace.server.campaigns.core.memory;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * About how many bytes of heap a record takes as objects: many times its bytes, if it has many
 * small parts.
 */
final class RecordMemory {

  private static final long OBJECT = 16;
  private static final long REFERENCE = 4;
  private static final long TEXT = 40;
  private static final long LIST = 40;
  private static final long MAP = 64;
  private static final long ENTRY = 40;

  private RecordMemory() {}

  static long of(Object part) {
    if (part instanceof SpecificRecord record) {
      long bytes = OBJECT;
      for (int i = 0; i < record.getSchema().getFields().size(); i++) {
        bytes += REFERENCE + of(record.get(i));
      }
      return bytes;
    }
    if (part instanceof CharSequence text) {
      return TEXT + text.length();
    }
    if (part instanceof Collection<?> all) {
      return LIST + all.stream().mapToLong(it -> REFERENCE + of(it)).sum();
    }
    if (part instanceof Map<?, ?> all) {
      long entries =
          all.entrySet().stream()
              .mapToLong(it -> ENTRY + of(it.getKey()) + of(it.getValue()))
              .sum();
      return MAP + entries;
    }
    if (part instanceof ByteBuffer bytes) {
      return TEXT + bytes.remaining();
    }
    return REFERENCE;
  }
}
