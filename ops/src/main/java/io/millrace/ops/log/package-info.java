/**
 * What a process writes about itself: its log, its output, and the crash report of the JVM.
 *
 * <p>In: records of java.util.logging, bytes on standard output and error. Out: files below {@code
 * log} of a home.
 *
 * <p>Invariant: all of these files are bounded, so that a message repeated without end fills no
 * disk.
 */
package io.millrace.ops.log;
