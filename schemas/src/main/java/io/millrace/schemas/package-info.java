/**
 * The language of Millrace: Avro records of commands, facts, states and outputs, the catalogue of
 * topics, and the codec that turns records into bytes.
 *
 * <p>In: nothing but bytes and records. Out: the same, the other way round. Registries elsewhere
 * (deciders, appliers) are built from the protocols in this package, so a new record is announced
 * in one place.
 *
 * <p>Invariant: a released schema never changes; a new one is readable by old code and an old one
 * by new code.
 */
package io.millrace.schemas;
