/**
 * PBS's scheduler files on the command line: {@code policy check} and {@code explain} of a
 * sched_config, and {@code simulate --case} of a recorded session.
 *
 * <p>In: files and folders. Out: lines on the console, and what became of a session as JSON. What
 * is decided is decided by the dialect and the core.
 */
package io.millrace.ops.schedconfig;
