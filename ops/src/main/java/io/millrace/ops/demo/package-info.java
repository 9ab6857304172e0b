/**
 * {@code ./millrace demo}: a parameter sweep of real scripts, submitted with qsub like any user's.
 *
 * <p>In: a running installation. Out: a picture in the terminal and in a file, each strip computed
 * by a job of its own, and what to type next.
 *
 * <p>Invariant: it uses nothing that a user could not use, and says so when a job failed.
 */
package io.millrace.ops.demo;
