/**
 * The forwarding executor: the nodes {@code HOST@CLUSTER} of one outside cluster.
 *
 * <p>In: a cluster file, and the orders for those nodes in the topic dispatch. Out: submissions to
 * the outside system, and reports about the runs, as those of an executor of a host.
 *
 * <p>Invariant: a run is in a file of its node before the bridge has it, and the bridge forgets it
 * only after that file is gone from the disk; what the bridge does not know was never submitted.
 * Nobody's run leaves without an account there that is his, and is not the system's.
 */
package io.millrace.connectors.forward;
