/**
 * Changes of jobs, nodes, queues and campaigns as they come, told to whoever listens.
 *
 * <p>In come records of the shards' public tables, and facts of campaigns, committed ones only. Out
 * go server-sent events, each with an id from which a listener can go on later: how far each Kafka
 * partition was read.
 *
 * <p>Invariants: one reader for all who listen now, and one of its own for each who comes back
 * until he has caught up, a few at a time; nothing waits for a listener, and one who does not keep
 * up is told so and cut off. Whether a table is compacted or not, the last state of an object
 * comes.
 */
package io.millrace.server.web.event;
