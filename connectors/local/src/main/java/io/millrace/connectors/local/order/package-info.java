/**
 * Orders to the host: read from the topic {@code dispatch}, carried out one after the other.
 *
 * <p>In come records of one Kafka partition, from the position that the spool remembers. Out go
 * requests and signals to the execution, and answers to shards that ask.
 *
 * <p>Invariants: the position passes an order only when the spool remembers it or nothing is left
 * to do; a run is forgotten only when its report is with the broker and its order lies behind the
 * position; an order that cannot be carried out does not hold up the others, and ends of runs are
 * looked for ahead of one that waits for room on the disk.
 */
package io.millrace.connectors.local.order;
