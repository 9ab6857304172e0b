/**
 * Where schemas are kept and numbered. The narrow interface {@link
 * io.millrace.schemas.registry.SchemaRegistry} has two homes: a Confluent-compatible registry that
 * is spoken to over REST, and the compacted topic {@code schemas}, which is filled when a cluster
 * is initialised, is read by every process at its start, and can be served to other tools in the
 * words of Confluent's REST protocol.
 *
 * <p>In: schemas under subjects (the record's full name, Confluent's RecordNameStrategy). Out: ids.
 *
 * <p>Invariant: an id never changes its schema, and a subject accepts only schemas that are
 * compatible with all its earlier ones at the level that is set.
 */
package io.millrace.schemas.registry;
