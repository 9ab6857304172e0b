/**
 * The language of Millrace: Avro records of commands, facts, states and outputs, the catalogue of
 * topics, and the codec that turns records into bytes.
 *
 * <p>In: records or bytes. Out: bytes or records. Registries elsewhere (deciders, appliers) are
 * built from the protocols in this package, so a new record is announced in one place.
 *
 * <p>Invariant: a schema that a tagged version has is readable by all later builds, and theirs by
 * that one.
 */
package io.millrace.schemas;
