/**
 * What a process writes down of itself: its log, what it prints, and what the Java machine leaves
 * when it dies.
 *
 * <p>In: records of java.util.logging, bytes on standard output and error. Out: files below {@code
 * log} of a home.
 *
 * <p>Invariant: all of these files are bounded: something that says the same without end fills no
 * disk.
 */
package io.millrace.ops.log;
