/**
 * What limits of the server and of queues leave to the jobs of each class.
 *
 * <p>In: limits, and each job that comes to run, is promised a start, or runs no more. Out: whether
 * one more job of a class may run, and the classes for which a limit is no longer in the way.
 *
 * <p>Invariant: a meter shows the sum over what runs or is proposed, plus what is promised; without
 * any limit nothing is kept and nothing counted.
 */
package io.millrace.schedulers.core.state.limit;
