package io.millrace.schemas;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Decodes values with their writer's schema, so that records of any build can be shown; for tools
 * that display records. Not thread-safe.
 */
public final class GenericWire {

  /** Source of the writers' schemas. */
  @FunctionalInterface
  public interface Schemas {

    /**
     * The schema of an id; empty when nobody registered it.
     *
     * @throws UndecodableRecord when that cannot be told
     */
    Optional<Schema> byId(int id) throws UndecodableRecord;
  }

  private final Schemas schemas;
  private final Map<Integer, GenericDatumReader<GenericRecord>> readers = new HashMap<>();
  private BinaryDecoder decoder;

  public GenericWire(Schemas schemas) {
    this.schemas = schemas;
  }

  /**
   * @throws UndecodableRecord when the bytes are no record of a registered schema
   */
  public GenericRecord decode(byte[] bytes) throws UndecodableRecord {
    WireCodec.checkHeader(bytes);
    int id = WireCodec.schemaId(bytes);
    GenericDatumReader<GenericRecord> reader = readers.get(id);
    if (reader == null) {
      reader = new GenericDatumReader<>(schema(id));
      readers.put(id, reader);
    }
    try {
      int length = bytes.length - WireCodec.HEADER_BYTES;
      decoder = DecoderFactory.get().binaryDecoder(bytes, WireCodec.HEADER_BYTES, length, decoder);
      GenericRecord record = reader.read(null, decoder);
      if (decoder.remainingBytes() > 0) {
        throw new UndecodableRecord(
            decoder.remainingBytes() + " bytes are left after a whole record");
      }
      return record;
    } catch (IOException | RuntimeException e) {
      throw new UndecodableRecord("no whole " + reader.getSchema().getName(), e);
    }
  }

  private Schema schema(int id) throws UndecodableRecord {
    Optional<Schema> schema = schemas.byId(id);
    if (schema.isEmpty() || schema.get().getType() != Schema.Type.RECORD) {
      throw new UndecodableRecord("schema id " + id + " is not registered");
    }
    return schema.get();
  }
}
