/**
 * Recorded sessions of the Origin2000 scheduler, replayed.
 *
 * <p>Comes in: a folder with what jobs, queues and hosts were like, the texts of the scheduler and
 * the changes between its cycles. Goes out: what our scheduler does with them, and each field in
 * which that differs from what was recorded. Invariant: the folder stays as it is.
 */
package io.millrace.ops.origin2000;
