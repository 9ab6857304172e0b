/**
 * What PBS says of a job apart from its resources: its id, the attributes that are passed on
 * unread, the files that are staged for it, the node file of a run.
 *
 * <p>In: texts of users and records of jobs. Out: the numbers, names and lines that they stand for,
 * and back.
 *
 * <p>Invariant: a job id and its number stand for each other; what the gateway lets in, a host can
 * carry out.
 */
package io.millrace.schemas.pbs.jobs;
