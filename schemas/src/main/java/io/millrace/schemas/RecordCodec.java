package io.millrace.schemas;

import org.apache.avro.specific.SpecificRecord;

/**
 * Records to bytes and back, in the Confluent wire format: magic byte 0, 4-byte big-endian schema
 * id, Avro binary. Thread-safe.
 */
public interface RecordCodec {

  /**
   * @throws IllegalArgumentException when the record's schema is not registered
   */
  byte[] encode(SpecificRecord record);

  /**
   * Decodes any record of the catalogue; versions of other builds are resolved to this build's
   * schema.
   *
   * @throws UndecodableRecord when the bytes are no record of the catalogue
   */
  SpecificRecord decode(byte[] bytes) throws UndecodableRecord;

  /**
   * Simple name of the record, from the schema id alone, for readers that need few of many records.
   *
   * @throws UndecodableRecord when the head is that of no record of the catalogue
   */
  String nameOf(byte[] bytes) throws UndecodableRecord;
}
