/**
 * The campaign server: Kafka Streams around the pure core.
 *
 * <p>Two processors. One follows the shards' ledger and tells what becomes of jobs with a
 * campaign's tag; the other takes commands, those reports and the shards' answers one after the
 * other. Facts, state, commands for shards and the positions in what was read are committed in one
 * transaction: a task is marked as sent exactly when its job's command is there.
 *
 * <p>Beside them, a watch looks at clusters that have campaigns, and a door answers the gateways.
 */
package io.millrace.server.campaigns.streams;
