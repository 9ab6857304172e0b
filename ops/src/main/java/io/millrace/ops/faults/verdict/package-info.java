/**
 * The checks that judge a run, one class for each question.
 *
 * <p>In: the evidence. Out: violations, each with the job or shard concerned and the places in the
 * evidence that show it.
 *
 * <p>Invariant: the same evidence always gives the same verdict; no check uses code of the parts
 * that it judges.
 */
package io.millrace.ops.faults.verdict;
