package io.millrace.server.core.decision;

import io.millrace.schemas.Topics;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * How long records become when they are written, at most, without writing them: a shard whose
 * record no topic takes could not go on.
 */
public final class RecordSizes {

  /** Most bytes of a fact, message or order; the wire format and the batch add a little. */
  private static final long WRITTEN_MAX = Topics.MESSAGE_BYTES_MAX - 1024;

  /** Of a number, a branch of a union, a length. */
  private static final int SMALL = 10;

  /** Bytes of one character of Java, at most. */
  private static final int CHARACTER_MAX = 3;

  /** Fields of a record whose length is not the same always; each other one is small. */
  private static final ClassValue<int[]> LONG_FIELDS =
      new ClassValue<>() {
        @Override
        protected int[] computeValue(Class<?> type) {
          return SpecificData.get().getSchema(type).getFields().stream()
              .filter(field -> !isSmall(field.schema()))
              .mapToInt(Schema.Field::pos)
              .toArray();
        }
      };

  private RecordSizes() {}

  /** Whether topics take all that follows from a decision. */
  public static boolean fit(Decision decision) {
    for (Message message : decision.messages()) {
      if (!fits(message.command())) {
        return false;
      }
    }
    for (Decision.DecidedAnswer answer : decision.answers()) {
      if (!fits(answer.lines()) || !fits(answer.kept())) {
        return false;
      }
    }
    return fit(decision.facts()) && fit(decision.dispatch());
  }

  private static boolean fit(List<SpecificRecord> records) {
    for (SpecificRecord record : records) {
      if (!fits(record)) {
        return false;
      }
    }
    return true;
  }

  /** Each decision is looked at, and nearly all are so short that no text has to be read. */
  private static boolean fits(Object value) {
    return size(value, true) <= WRITTEN_MAX || of(value) <= WRITTEN_MAX;
  }

  /** Bytes of a record, or of a part of one. */
  public static long of(Object value) {
    return size(value, false);
  }

  /**
   * @param roughly whether texts may be taken for longer than they are
   */
  private static long size(Object value, boolean roughly) {
    if (value instanceof CharSequence text) {
      return SMALL + (roughly ? (long) CHARACTER_MAX * text.length() : utf8(text));
    }
    if (value instanceof SpecificRecord record) {
      return size(record, LONG_FIELDS.get(record.getClass()), roughly);
    }
    long size = SMALL;
    if (value instanceof Collection<?> all) {
      size += sizes(all, roughly);
    } else if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> each : map.entrySet()) {
        size += size(each.getKey(), roughly) + size(each.getValue(), roughly);
      }
    } else if (value instanceof ByteBuffer bytes) {
      size += bytes.remaining();
    } else if (value instanceof GenericFixed fixed) {
      size += fixed.bytes().length;
    }
    return size;
  }

  private static long size(SpecificRecord record, int[] fields, boolean roughly) {
    long size = SMALL + (long) SMALL * (record.getSchema().getFields().size() - fields.length);
    for (int field : fields) {
      size += size(record.get(field), roughly);
    }
    return size;
  }

  /** Those of a list, whose records are of one type mostly. */
  private static long sizes(Collection<?> all, boolean roughly) {
    long size = 0;
    Class<?> type = null;
    int[] fields = {};
    for (Object each : all) {
      if (each instanceof SpecificRecord record) {
        if (record.getClass() != type) {
          type = record.getClass();
          fields = LONG_FIELDS.get(type);
        }
        size += size(record, fields, roughly);
      } else {
        size += size(each, roughly);
      }
    }
    return size;
  }

  /** Whether it is a number, or one of a few words, or may be none of them. */
  private static boolean isSmall(Schema schema) {
    return switch (schema.getType()) {
      case NULL, BOOLEAN, INT, LONG, FLOAT, DOUBLE, ENUM -> true;
      case UNION -> schema.getTypes().stream().allMatch(RecordSizes::isSmall);
      default -> false;
    };
  }

  private static long utf8(CharSequence text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      bytes += each < 0x80 ? 0 : each < 0x800 ? 1 : 2;
    }
    return bytes;
  }
}
