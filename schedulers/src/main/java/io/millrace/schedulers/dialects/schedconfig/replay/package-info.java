/**
 * Plays a recorded session of a PBS server with the cycle of the core, on a clock of its own.
 *
 * <p>In: a {@link io.millrace.schedulers.dialects.schedconfig.replay.SiteSession}: files of the
 * scheduler, lines of qmgr, and what was done when. Out: which jobs started in which cycle, on
 * which nodes, which were looked at, and why the others wait. A run ends when its sleep is over,
 * runs that are preempted stand still at once, and the server does what PBS's does: it calls
 * another cycle after a suspension.
 *
 * <p>Invariant: pure; programs that a session names are run by its caller.
 */
package io.millrace.schedulers.dialects.schedconfig.replay;
