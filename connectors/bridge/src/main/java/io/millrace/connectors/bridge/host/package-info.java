/**
 * Where the commands of a cluster are started: on this host, or by way of one of the transports.
 *
 * <p>In: a cluster file. Out: what starts its commands and reads its files.
 *
 * <p>Invariant: who asks does not know which transport it is.
 */
package io.millrace.connectors.bridge.host;
