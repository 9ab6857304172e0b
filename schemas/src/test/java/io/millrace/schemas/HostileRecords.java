package io.millrace.schemas;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
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

/**
 * Records that can be decoded and that no part of ours would write: names that exist beside names
 * that cannot, amounts at the ends of their ranges, long texts and lists, each branch of a union.
 */
public final class HostileRecords {
  private static final List<String> ODD =
      List.of(
          "",
          " ",
          "\0",
          "\n",
          "a\nb",
          ".",
          "..",
          "../../etc/passwd",
          "/",
          "%s%n",
          "'\"`$(id)",
          "ä€日\uD83D\uDE00",
          "-1",
          "0",
          "9223372036854775807",
          "99999999999999999999",
          "True",
          "=",
          ",",
          "@",
          "[",
          "x".repeat(300));

  private static final List<String> ODD_JOBS =
      List.of(
          "0.mill",
          "-1.mill",
          "1",
          "1[].mill",
          "1[7].mill",
          "1[-1].mill",
          "1[99999999999].mill",
          "1[",
          "1].mill",
          "[].mill",
          "[1].mill",
          "1[1][1].mill",
          "9223372036854775807.mill",
          "9223372036854775808.mill",
          "4611686018427387904[2147483647].mill",
          "1.other.server.example",
          "1..",
          ".1");

  private static final List<String> RESOURCES =
      List.of("ncpus", "mem", "walltime", "cput", "nodect", "foo", "host", "arch", "slots");

  private static final long[] LONGS = {
    0,
    1,
    -1,
    2,
    100,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    1L << 62
  };

  private static final int LONG_LIST = 300;

  private final RandomGenerator random;
  private final Map<String, List<String>> names;

  /**
   * @param names texts that mean something, by the name of a field that may have them
   */
  public HostileRecords(RandomGenerator random, Map<String, List<String>> names) {
    this.random = random;
    this.names = names;
  }

  /** A record of any kind. */
  public SpecificRecord record(Schema schema) {
    SpecificRecord record = (SpecificRecord) SpecificData.newInstance(type(schema), schema);
    for (Schema.Field field : schema.getFields()) {
      record.put(field.pos(), value(field.name(), field.schema()));
    }
    return record;
  }

  /** A command with an envelope that its shard lets through to the decider. */
  public SpecificRecord command(Schema schema, Role role, long nowMs) {
    SpecificRecord command = record(schema);
    byte[] id =
        ByteBuffer.allocate(16)
            .putLong(nowMs << 16 | random.nextInt(1 << 16))
            .putLong(random.nextLong())
            .array();
    CommandMeta meta = Envelope.ofCommand(command);
    meta.setId(new CommandId(id));
    meta.setRole(role);
    meta.setDeadlineMs(chance(90) ? 0 : number());
    if (chance(60)) {
      meta.setReplyTo(random.nextInt(Topics.REPLY_PARTITIONS));
    }
    return command;
  }

  private static Class<?> type(Schema schema) {
    return SpecificData.get().getClass(schema);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private long number() {
    return chance(70)
        ? LONGS[random.nextInt(LONGS.length)]
        : random.nextLong() >> random.nextInt(64);
  }

  private Object value(String field, Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(schema);
      case STRING -> text(field);
      case INT -> chance(40) ? random.nextInt(-1, 6) : (int) number();
      case LONG -> chance(40) ? random.nextLong(-1, 6) : number();
      case BOOLEAN -> random.nextBoolean();
      case BYTES -> bytes(chance(5) ? 40_000 : random.nextInt(40));
      case FIXED -> fixed(schema);
      case ENUM -> symbol(schema);
      case ARRAY -> list(field, schema);
      case MAP -> map(schema);
      case UNION -> value(field, pick(schema.getTypes()));
      case NULL -> null;
      case FLOAT -> Float.NaN;
      case DOUBLE -> Double.NEGATIVE_INFINITY;
    };
  }

  private String text(String field) {
    List<String> known = names.getOrDefault(field, List.of());
    if (!known.isEmpty() && chance(70)) {
      return pick(known);
    }
    if (field.contains("job") && chance(60)) {
      return pick(ODD_JOBS);
    }
    return chance(2) ? "y".repeat(random.nextInt(70_000)) : pick(ODD);
  }

  private ByteBuffer bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private SpecificFixed fixed(Schema schema) {
    SpecificFixed fixed = (SpecificFixed) SpecificData.newInstance(type(schema), schema);
    fixed.bytes(bytes(schema.getFixedSize()).array());
    return fixed;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Object symbol(Schema schema) {
    return Enum.valueOf((Class) type(schema), pick(schema.getEnumSymbols()));
  }

  private List<Object> list(String field, Schema schema) {
    boolean simple = schema.getElementType().getType() != Schema.Type.RECORD;
    int length = simple && chance(3) ? LONG_LIST : random.nextInt(4);
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      list.add(value(field, schema.getElementType()));
    }
    return list;
  }

  private Map<String, Object> map(Schema schema) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.put(chance(80) ? pick(RESOURCES) : pick(ODD), value("", schema.getValueType()));
    }
    return map;
  }
}
