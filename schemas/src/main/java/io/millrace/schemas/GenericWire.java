package io.millrace.schemas;

import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * Reads values with their writer's schema, whatever build wrote them: for tools that show records
 * and do not work with them. Not thread-safe.
 */
public final class GenericWire {

  /** The schema of an id; empty when nobody registered it. */
  @FunctionalInterface
  public interface Schemas {
    Optional<Schema> byId(int id) throws RegistryException;
  }

  private final Schemas schemas;
  private final Map<Integer, GenericDatumReader<GenericRecord>> readers = new HashMap<>();
  private final BoundedDecoder decoder = new BoundedDecoder();

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
      GenericRecord record = reader.read(null, decoder.over(bytes, WireCodec.HEADER_BYTES));
      if (decoder.remaining() > 0) {
        throw new UndecodableRecord(decoder.remaining() + " bytes are left after a whole record");
      }
      return record;
    } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
      throw new UndecodableRecord("no whole " + reader.getSchema().getName(), e);
    }
  }

  private Schema schema(int id) throws UndecodableRecord {
    Optional<Schema> schema;
    try {
      schema = schemas.byId(id);
    } catch (RegistryException e) {
      throw new UndecodableRecord("schema id " + id + ": " + e.getMessage(), e);
    }
    if (schema.isEmpty() || schema.get().getType() != Schema.Type.RECORD) {
      throw new UndecodableRecord("schema id " + id + " is not registered");
    }
    return schema.get();
  }
}
