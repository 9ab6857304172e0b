/**
 * OpenPBS as an outside system: its commands, what they print, and the accounting files of its
 * server.
 *
 * <p>In: what the bridge asks. Out: answers in the bridge's words.
 *
 * <p>Invariant: an answer counts only when it is whole and says that it is of the server that the
 * cluster file names.
 */
package io.millrace.connectors.openpbs;
