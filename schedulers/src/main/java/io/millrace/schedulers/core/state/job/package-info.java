/**
 * Jobs that have not finished, in classes of identical requests, and the order in which they are
 * considered.
 *
 * <p>In: jobs as they come, change and go. Out: the classes with waiting jobs, the first of the
 * {@link io.millrace.schedulers.core.state.job.ReadyOrder} on top, and for each why it waits.
 *
 * <p>Invariant: table, heaps, classes and queues name the same jobs; what decides between two jobs
 * is known to the order alone. A job costs some 50 bytes, whatever its request.
 */
package io.millrace.schedulers.core.state.job;
