package io.millrace.connectors.local.report;

import io.millrace.schemas.hostkey.HostKey;
import java.nio.ByteBuffer;
import org.apache.avro.specific.SpecificRecord;

/**
 * A command on its way to a shard.
 *
 * @param host proves that it comes of this host
 * @param shard Kafka partition of the topic commands
 * @param key the command's id
 * @param command the record
 * @param delivered called once, when the broker has it
 */
record Report(
    HostKey host, int shard, ByteBuffer key, SpecificRecord command, Runnable delivered) {}
