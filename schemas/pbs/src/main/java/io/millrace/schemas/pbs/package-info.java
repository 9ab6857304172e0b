/**
 * PBS's language: what users, administrators and scripts of PBS say and read.
 *
 * <p>In: nothing. Out: the errors of PBS with their numbers and texts, for code that refuses
 * requests or inspects refusals. The packages below have the attributes of cluster objects and
 * jobs, job ids, resources and requests, and why a job waits.
 *
 * <p>Invariant: a number of PBS stands in this one file, with its text; nobody else writes one.
 * Nothing in this module carries records, reads a clock or does I/O.
 */
package io.millrace.schemas.pbs;
