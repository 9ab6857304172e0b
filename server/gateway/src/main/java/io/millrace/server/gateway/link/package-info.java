/**
 * The gateway's line to the shards: commands out, replies and the cluster's objects in.
 *
 * <p>In comes a command with its envelope and the shard that must decide it; it is produced to the
 * topic commands and waits for the reply with its id on the gateway's own partition of replies. The
 * table of cluster objects and the owners of shards are followed into memory, so that commands can
 * ask without a round trip.
 *
 * <p>Invariants: a command is repeated under the same id until it is answered or given up, so a
 * shard that remembers its answers never carries it out twice; unanswered commands are bounded, per
 * client and overall; a caller that waits is told within the time limit what happened.
 */
package io.millrace.server.gateway.link;
