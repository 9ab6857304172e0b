/**
 * The shard in Kafka Streams: one Processor over the topics of the inboxes, its stores, its sinks.
 *
 * <p>In: records of the topic of each family of writers, one Kafka partition for each shard;
 * proposals of the engines beside the shard. Out: in one transaction with the input offset the
 * facts (ledger), the tables' changelogs, replies, dispatch, and commands for other shards; over
 * HTTP the answers to queries.
 *
 * <p>Invariant: deciding and applying happen in {@link io.millrace.server.core.shard.Shard} only;
 * this package moves bytes. The transaction is committed as soon as the inbox is drained, under
 * load once for each batch.
 */
package io.millrace.server.streams;
