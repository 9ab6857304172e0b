/**
 * Log and accounting files that others write, followed line by line.
 *
 * <p>In: a file and a position. Out: the whole lines behind the position, and the next position.
 *
 * <p>Invariants: a line is given once and whole, or not at all; a file that was renamed is read to
 * its end before its successor; whatever may have been lost is said.
 */
package io.millrace.connectors.bridge.tail;
