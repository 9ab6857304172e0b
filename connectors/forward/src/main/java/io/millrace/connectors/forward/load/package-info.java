/**
 * What is told of the hosts of a cluster with the load of their nodes.
 *
 * <p>In: answers about hosts and queue. Out: load values of one node.
 *
 * <p>Invariant: no node gets runs before it is known what others hold of it.
 */
package io.millrace.connectors.forward.load;
