package io.millrace.schemas;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * A record that another one carries as bytes, in the wire format with the id of its own schema: so
 * it may be of many kinds, and a change of its schema does not change the schema of the carrying
 * record.
 */
public final class CarriedRecord {

  private CarriedRecord() {}

  /** The bytes of a field that carries this record. */
  public static ByteBuffer of(RecordCodec codec, SpecificRecord record) {
    return ByteBuffer.wrap(codec.encode(record));
  }

  /**
   * @throws IllegalStateException when the bytes are not a record of the catalogue, so the carrying
   *     record is damaged or not Millrace's
   */
  public static SpecificRecord read(RecordCodec codec, ByteBuffer carried) {
    try {
      return codec.decode(bytes(carried));
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("a record carries what is none: " + e.getMessage(), e);
    }
  }

  /**
   * Decodes a carried record of one type; empty, after decoding the schema id only, when it is of
   * another type.
   */
  public static <R extends SpecificRecord> Optional<R> read(
      RecordCodec codec, ByteBuffer carried, Class<R> type) {
    byte[] bytes = bytes(carried);
    try {
      return codec.nameOf(bytes).equals(type.getSimpleName())
          ? Optional.of(type.cast(codec.decode(bytes)))
          : Optional.empty();
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("a record carries what is none: " + e.getMessage(), e);
    }
  }

  private static byte[] bytes(ByteBuffer carried) {
    byte[] bytes = new byte[carried.remaining()];
    carried.duplicate().get(bytes);
    return bytes;
  }
}
