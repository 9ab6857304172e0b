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
   * Decodes any record of the catalogue, resolving older or newer versions to this build's.
   *
   * @throws UndecodableRecord when the bytes are no record of the catalogue
   */
  SpecificRecord decode(byte[] bytes) throws UndecodableRecord;

  /**
   * Name of the record, without its package, from the head alone: for readers that need few of
   * many.
   *
   * @throws UndecodableRecord when the head is that of no record of the catalogue
   */
  String nameOf(byte[] bytes) throws UndecodableRecord;
}
