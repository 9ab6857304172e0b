/**
 * Subject shard: time, numbers, memory of answers, commands that wait, work that goes on.
 *
 * <p>In: Tick, Continue, LeaseBlock, GrantBlock, due timers. Out: facts about blocks of job
 * numbers, forgotten answers, parked and released commands, and whatever the continued work needs.
 *
 * <p>Invariants: a block of job numbers belongs to one shard for ever; no command goes round in the
 * inbox while nothing happens.
 */
package io.millrace.server.core.shard;
