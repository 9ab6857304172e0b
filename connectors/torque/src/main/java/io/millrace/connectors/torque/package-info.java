/**
 * Torque as an outside system: its commands, what they print, and the accounting files of its
 * server, which are those of the PBS family.
 *
 * <p>In: what the bridge asks. Out: answers in the bridge's words.
 *
 * <p>Invariant: an answer counts only when it is whole; a number of another server's job makes it
 * none.
 */
package io.millrace.connectors.torque;
