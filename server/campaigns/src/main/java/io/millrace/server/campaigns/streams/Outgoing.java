package io.millrace.server.campaigns.streams;

/** Kafka partition and key of a record that is written. */
record Outgoing(int partition, byte[] key) {}
