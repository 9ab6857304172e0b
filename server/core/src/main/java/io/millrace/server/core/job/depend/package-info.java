/**
 * Jobs that wait for other jobs, wherever those are.
 *
 * <p>In come the wishes of submissions and alterations, and what shards say to each other; out go
 * facts about the job that waits and about the one that is waited for. A dependency is written on
 * both sides: the job has it in its attribute, and beside the other job lies a record of the table
 * dependents, so that its start or end finds those that wait without looking at any other job. What
 * concerns a job elsewhere is a message to its shard, sent in the transaction that decided it.
 *
 * <p>The invariant: a job has its system hold as long as it waits for anything. Every message may
 * come twice or too late and then changes nothing.
 */
package io.millrace.server.core.job.depend;
