package io.millrace.server.core.decision;

import org.apache.avro.specific.SpecificRecord;

/** A command for a shard (perhaps this one), sent in the transaction that decided it. */
public record Message(int shard, SpecificRecord command) {}
