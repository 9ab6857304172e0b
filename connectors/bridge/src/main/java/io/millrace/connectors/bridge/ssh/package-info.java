/**
 * The host of a cluster's commands and files, reached by SSH.
 *
 * <p>In: commands as lists of words, and paths. Out: the same answers as of commands of this host,
 * and what stands in the files.
 *
 * <p>Invariants: nothing is sent to a host whose key is not the one that is known; no word of a
 * command is anything but itself there; whatever breaks says nothing about what was asked.
 */
package io.millrace.connectors.bridge.ssh;
