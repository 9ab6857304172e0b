package io.millrace.schemas.registry;

import org.apache.avro.Schema;

/**
 * One version of a subject; versions count from 1. Keeps the schema as text: parsed, the schemas of
 * a cluster take some ten times as much memory, and hardly any is looked at after the start.
 *
 * @param text of the schema, in Avro's own form
 * @param hash of the schema, so that few have to be parsed to find an equal one
 */
public record RegisteredSchema(String subject, int version, int id, String text, int hash) {

  static RegisteredSchema of(String subject, int version, int id, Schema schema) {
    return new RegisteredSchema(subject, version, id, schema.toString(), schema.hashCode());
  }

  /** The schema, parsed anew each time. */
  public Schema schema() {
    return SchemaText.parse(text);
  }

  boolean isOf(Schema other) {
    return text.equals(other.toString()) || (hash == other.hashCode() && schema().equals(other));
  }
}
