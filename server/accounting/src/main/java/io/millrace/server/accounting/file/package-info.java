/**
 * Files with one name for each day.
 *
 * <p>In: lines with their times. Out: each line at the end of the file of its own day.
 *
 * <p>Invariant: a file is as long as the book says before anything is added to it; what is longer
 * after a crash is cut, and what was not written here never is.
 */
package io.millrace.server.accounting.file;
