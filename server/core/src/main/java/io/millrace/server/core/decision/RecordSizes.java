package io.millrace.server.core.decision;

import io.millrace.schemas.Topics;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericFixed;
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

  private RecordSizes() {}

  /** Whether topics take all that follows from a decision. */
  public static boolean fit(Decision decision) {
    for (Message message : decision.messages()) {
      if (of(message.command()) > WRITTEN_MAX) {
        return false;
      }
    }
    for (Decision.DecidedAnswer answer : decision.answers()) {
      if (of(answer.lines()) > WRITTEN_MAX || of(answer.kept()) > WRITTEN_MAX) {
        return false;
      }
    }
    return fit(decision.facts()) && fit(decision.dispatch());
  }

  private static boolean fit(List<SpecificRecord> records) {
    for (SpecificRecord record : records) {
      if (of(record) > WRITTEN_MAX) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of a record, or of a part of one. */
  public static long of(Object value) {
    if (value instanceof CharSequence text) {
      return SMALL + utf8(text);
    }
    long size = SMALL;
    if (value instanceof SpecificRecord record) {
      for (int i = record.getSchema().getFields().size() - 1; i >= 0; i--) {
        size += of(record.get(i));
      }
    } else if (value instanceof Collection<?> all) {
      for (Object each : all) {
        size += of(each);
      }
    } else if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> each : map.entrySet()) {
        size += of(each.getKey()) + of(each.getValue());
      }
    } else if (value instanceof ByteBuffer bytes) {
      size += bytes.remaining();
    } else if (value instanceof GenericFixed fixed) {
      size += fixed.bytes().length;
    }
    return size;
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
