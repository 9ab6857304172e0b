/**
 * Subject shard: time, numbers, memory of answers, work that goes on.
 *
 * <p>In: Tick, Continue, LeaseBlock, GrantBlock, due timers. Out: facts about blocks of job
 * numbers, forgotten answers, and whatever the continued work needs.
 *
 * <p>Invariant: a block of job numbers belongs to one shard for ever.
 */
package io.millrace.server.core.shard;
