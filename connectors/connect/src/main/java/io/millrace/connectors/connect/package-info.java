/**
 * Two plugins of Kafka Connect: a source that shows the jobs and hosts of an outside cluster, and a
 * sink that carries out the runs of its nodes.
 *
 * <p>In: settings of a connector, which are those of a cluster file and of the worker's host. Out:
 * records of the topics outside-jobs and outside-nodes; submissions to the outside system, and
 * reports about runs.
 *
 * <p>Invariants: a position that Connect has is never ahead of what was shown; an order is carried
 * out by the same code as that of the forwarding executor, and once, whatever Connect delivers
 * again.
 */
package io.millrace.connectors.connect;
