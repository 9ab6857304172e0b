/**
 * The checks that judge a run, one class for each question.
 *
 * <p>In: the evidence. Out: what must not be, each with the job or shard that it is about and the
 * places where it can be seen.
 *
 * <p>Invariant: the same evidence always gives the same verdict; no check uses code of the parts
 * that it judges.
 */
package io.millrace.ops.faults.verdict;
