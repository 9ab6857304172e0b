/**
 * Job arrays.
 *
 * <p>An array is one job record whose ArrayState has the indices without a record as ranges. The
 * subjobs that are next to run get records of their own, a few at a time, and are jobs like all
 * others for schedulers, limits and hosts. Whatever ends or starts one opens the next, in the same
 * decision.
 *
 * <p>The invariant: each index is in exactly one of left, open, and what has expired; no more are
 * open than the array allows, and no more wait than the window holds.
 */
package io.millrace.server.core.job.array;
