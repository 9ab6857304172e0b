package io.millrace.schemas.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.millrace.schemas.GenericWire;
import io.millrace.schemas.UndecodableRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/** Avro values as plain JSON: no wrapping of union branches, 16 fixed bytes as a UUID. */
final class JsonRecords {

  /** Schema property of a bytes field that holds a record in the wire format. */
  private static final String CARRIES = "wire";

  private static final int UUID_BYTES = 16;

  private final GenericWire wire;

  JsonRecords(GenericWire wire) {
    this.wire = wire;
  }

  /**
   * Writes the fields type and value of a carried record; for bytes that are not a record, the
   * reason.
   */
  void writeDecoded(JsonGenerator out, byte[] bytes) throws IOException {
    GenericRecord decoded;
    try {
      decoded = wire.decode(bytes);
    } catch (UndecodableRecord e) {
      out.writeStringField("undecodable", e.getMessage());
      out.writeStringField("value", text(bytes));
      return;
    }
    out.writeStringField("type", decoded.getSchema().getFullName());
    out.writeFieldName("value");
    write(out, decoded);
  }

  private void write(JsonGenerator out, Object value) throws IOException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof IndexedRecord record) {
      out.writeStartObject();
      for (Schema.Field field : record.getSchema().getFields()) {
        out.writeFieldName(field.name());
        Object held = record.get(field.pos());
        if (field.getProp(CARRIES) != null && held instanceof ByteBuffer bytes) {
          out.writeStartObject();
          writeDecoded(out, copy(bytes));
          out.writeEndObject();
        } else {
          write(out, held);
        }
      }
      out.writeEndObject();
    } else if (value instanceof Collection<?> items) {
      out.writeStartArray();
      for (Object item : items) {
        write(out, item);
      }
      out.writeEndArray();
    } else if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeFieldName(entry.getKey().toString());
        write(out, entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof GenericFixed fixed) {
      out.writeString(key(fixed.bytes()));
    } else if (value instanceof ByteBuffer bytes) {
      out.writeString(text(copy(bytes)));
    } else if (value instanceof Boolean truth) {
      out.writeBoolean(truth);
    } else if (value instanceof Integer number) {
      out.writeNumber(number);
    } else if (value instanceof Long number) {
      out.writeNumber(number);
    } else if (value instanceof Float number) {
      out.writeNumber(number);
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else {
      out.writeString(value.toString());
    }
  }

  private static byte[] copy(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return copy;
  }

  /** A key: UTF-8 text, or a UUID when it is 16 bytes that are no printable text. */
  static String key(byte[] bytes) {
    String text = text(bytes);
    if (bytes.length != UUID_BYTES || !text.startsWith("0x")) {
      return text;
    }
    ByteBuffer id = ByteBuffer.wrap(bytes);
    return new UUID(id.getLong(), id.getLong()).toString();
  }

  /** UTF-8 text without control characters other than white space, else 0x and hexadecimals. */
  static String text(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean printable =
          text.chars().allMatch(c -> c == '\n' || c == '\t' || c == '\r' || c >= ' ' && c != 127);
      if (printable) {
        return text;
      }
    } catch (CharacterCodingException e) {
      return "0x" + HexFormat.of().formatHex(bytes);
    }
    return "0x" + HexFormat.of().formatHex(bytes);
  }
}
