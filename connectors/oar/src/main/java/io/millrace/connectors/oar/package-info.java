/**
 * OAR as an outside system: its REST API, what it answers, and the scripts that its jobs start.
 *
 * <p>In: what the bridge asks. Out: answers in the bridge's words.
 *
 * <p>Invariants: an answer counts only when it came whole, with a good status, and is the JSON that
 * was asked for. OAR's API makes command lines for a shell of what it is sent; so it is sent words
 * of ours alone, of letters that mean nothing to a shell.
 */
package io.millrace.connectors.oar;
