/**
 * Records in readable form: a formatter for Kafka's own console consumer.
 *
 * <p>In: keys and values of any topic of the catalogue. Out: one line of JSON for each record.
 *
 * <p>Invariant: whatever the bytes are, a line is printed; what cannot be decoded says why.
 */
package io.millrace.schemas.console;
