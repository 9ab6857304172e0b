package io.millrace.schemas;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/**
 * A record that another one carries as bytes, in the wire format with the id of its own schema: it
 * may be of many kinds, and a change of one of them is no change of the record that carries it.
 */
public final class CarriedRecord {

  private CarriedRecord() {}

  /** The bytes of a field that carries this record. */
  public static ByteBuffer of(RecordCodec codec, SpecificRecord record) {
    return ByteBuffer.wrap(codec.encode(record));
  }

  /**
   * @throws IllegalStateException when the bytes are no record of the catalogue: what carries them
   *     was not written by a Millrace, or is damaged
   */
  public static SpecificRecord read(RecordCodec codec, ByteBuffer carried) {
    try {
      return codec.decode(bytes(carried));
    } catch (UndecodableRecord e) {
      throw new IllegalStateException("a record carries what is none: " + e.getMessage(), e);
    }
  }

  /** The same of one type; empty, after a look at the head alone, when it is of another one. */
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
