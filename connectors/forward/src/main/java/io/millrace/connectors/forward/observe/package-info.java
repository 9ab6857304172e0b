/**
 * The picture of an outside cluster that is observed: its jobs and hosts as records.
 *
 * <p>In: what the cluster's queue, accounting and hosts say, and what was shown before. Out: the
 * records of the topics outside-jobs and outside-nodes that have changed.
 *
 * <p>Invariant: a job is over only when a record, the queue itself, or the queue without it and an
 * accounting that was read for half a minute after says so; an answer that did not come changes
 * nothing but whether the picture is a present one.
 */
package io.millrace.connectors.forward.observe;
