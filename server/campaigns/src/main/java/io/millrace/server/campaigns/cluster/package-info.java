/**
 * Clusters of campaigns, which are queues, as they can be seen from outside.
 *
 * <p>Comes in: a queue, the cluster's objects, the nodes as shards tell of them. Goes out: how many
 * processors there are and are idle, and what keeps jobs from running there, if anything does.
 */
package io.millrace.server.campaigns.cluster;
