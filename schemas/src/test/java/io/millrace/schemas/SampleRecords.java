package io.millrace.schemas;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificFixed;
import org.apache.avro.specific.SpecificRecord;

/** Fills any record of the language with random content. */
public final class SampleRecords {

  private final RandomGenerator random;

  public SampleRecords(RandomGenerator random) {
    this.random = random;
  }

  public SpecificRecord record(Schema schema) {
    SpecificRecord record = (SpecificRecord) SpecificData.newInstance(type(schema), schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.schema()));
    }
    return record;
  }

  private static Class<?> type(Schema schema) {
    return SpecificData.get().getClass(schema);
  }

  private Object value(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case STRING -> text();
      case INT -> random.nextInt() >> random.nextInt(32);
      case LONG -> random.nextLong() >> random.nextInt(64);
      case BOOLEAN -> random.nextBoolean();
      case BYTES -> ByteBuffer.wrap(bytes(random.nextInt(40)));
      case FIXED -> fixed(schema);
      case ENUM -> symbol(schema);
      case ARRAY -> list(schema);
      case MAP -> map(schema);
      case UNION -> value(schema.getTypes().get(random.nextInt(schema.getTypes().size())));
      case NULL -> null;
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
    };
  }

  private String text() {
    int length = random.nextInt(12);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append("abcxyz09./:=\n äß€日".charAt(random.nextInt(17)));
    }
    return text.toString();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private SpecificFixed fixed(Schema schema) {
    SpecificFixed fixed = (SpecificFixed) SpecificData.newInstance(type(schema), schema);
    fixed.bytes(bytes(schema.getFixedSize()));
    return fixed;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Object symbol(Schema schema) {
    List<String> symbols = schema.getEnumSymbols();
    return Enum.valueOf((Class) type(schema), symbols.get(random.nextInt(symbols.size())));
  }

  private List<Object> list(Schema schema) {
    List<Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(value(schema.getElementType()));
    }
    return list;
  }

  private Map<String, Object> map(Schema schema) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(text(), value(schema.getValueType()));
    }
    return map;
  }
}
