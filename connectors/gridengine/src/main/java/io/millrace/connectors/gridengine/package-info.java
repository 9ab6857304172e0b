/**
 * Grid Engine as an outside system: its commands, what they print, and its files accounting and
 * reporting.
 *
 * <p>In: what the bridge asks. Out: answers in the bridge's words.
 *
 * <p>Invariant: an answer counts only when it is whole; a record of accounting is an end for
 * certain only when it is that of the whole job and Grid Engine does not run it again.
 */
package io.millrace.connectors.gridengine;
