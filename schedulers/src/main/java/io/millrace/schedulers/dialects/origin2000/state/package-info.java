/**
 * What a cycle of the Origin2000 dialect is given and what it says.
 *
 * <p>Comes in: jobs, queues and hosts at a time. Goes out: actions in their order, and what was
 * seen on the way. Invariant: all of it is values; what a cycle changes while it runs is in {@code
 * plan}.
 */
package io.millrace.schedulers.dialects.origin2000.state;
