/**
 * The file that describes an outside cluster, and the check of what it says.
 *
 * <p>In: a properties file, whose keys stand in one table, and commands that change nothing. Out:
 * settings, or a line for each thing that is wrong, with its cause and its cure.
 *
 * <p>Invariant: no key is accepted and ignored: a key that the cluster's system does not have is
 * refused.
 */
package io.millrace.connectors.bridge.cluster;
