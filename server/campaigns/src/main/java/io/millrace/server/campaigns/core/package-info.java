/**
 * What becomes of campaigns: pure, and a function of what came in.
 *
 * <p>In comes a command (of a user, of what is seen of a cluster), a report about a job, or a
 * shard's answer; out go facts, commands for the shards, and an answer. Deciders make facts of the
 * state and what came in, and change nothing; {@link
 * io.millrace.server.campaigns.core.CampaignAppliers} change the state by a fact, and decide
 * nothing: the facts alone rebuild it.
 *
 * <p>Invariant: a task is in one place. It is counted when its attempt ends, and an attempt ends
 * once; a report about an attempt that is over changes nothing. A task that waits and was never
 * sent has no record of its own.
 */
package io.millrace.server.campaigns.core;
