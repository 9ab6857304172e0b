/**
 * Orders to the hosts that execute jobs.
 *
 * <p>In: a job with its run and its allocation. Out: the records of the topic dispatch, each with
 * the executor that it is for.
 *
 * <p>Invariant: an order says what the state says already, so that it may be given again.
 */
package io.millrace.server.core.order;
