/**
 * Real batch systems of this machine, for tests and the fault harness.
 *
 * <p>In: which system. Out: its daemons, installed, started, killed and stopped again, and the
 * cluster file that goes with it.
 *
 * <p>Invariant: one process has a system at a time; what has no living owner is taken down by the
 * next one. Only root can have one.
 */
package io.millrace.ops.outside.peer;
