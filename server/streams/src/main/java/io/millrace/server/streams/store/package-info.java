/** Stores of a shard's state, beneath those of Kafka Streams. */
package io.millrace.server.streams.store;
