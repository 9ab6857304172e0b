/**
 * What makes an executor speak for its host only: a key for each host, which the host and the
 * shards know. In: the key of a host, the bytes of a record. Out: a proof beside a report or a
 * heartbeat, which says of which host it is; an order that nobody but its host can read.
 *
 * <p>A proof is for the very bytes and the very place in Kafka that it was made for. What is proven
 * is the host and nothing of what the record says.
 */
package io.millrace.schemas.hostkey;
