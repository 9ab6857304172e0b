/**
 * How fast a real batch system of this machine is driven and watched.
 *
 * <p>In: a Slurm or a Grid Engine, which is started and stopped here. Out: how long an order is on
 * its way, how many submissions there are a second beside the system's own command, how soon a
 * change there is on the topic, a cold start with a long queue, what idling costs.
 *
 * <p>Invariant: what counts is what stood in between has written down, never what a part says of
 * itself.
 */
package io.millrace.ops.bench.outside;
