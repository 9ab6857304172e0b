/**
 * Questions to the shards: jobs, queues, nodes, schedulers and reasons, over HTTP.
 *
 * <p>In comes a question of a command; it goes to the address at which the owner of a shard answers
 * (topic cluster), with the cluster's query token. Out come records, one at a time: a list of a
 * million jobs is read in pages and merged by job number, never held whole.
 *
 * <p>Invariant: a job is found wherever it lives: its birth shard is known from the block of its
 * number and says where it went. Answers may show a change a moment before it is committed.
 */
package io.millrace.server.gateway.query;
