/**
 * What users and groups have used, in the Origin2000 dialect.
 *
 * <p>Comes in: the files decay_usage, allocations and current, and each started job. Goes out: the
 * figure that orders users, and whether a group has used up its allocation. Invariant: a job is
 * charged when it starts, 10, or 1 when it is no longer than 20 minutes.
 */
package io.millrace.schedulers.dialects.origin2000.usage;
