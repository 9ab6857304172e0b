/**
 * The dialect of PBS's scheduler: its files {@code sched_config}, {@code holidays}, {@code
 * dedicated_time} and {@code resource_group}.
 *
 * <p>In: the texts of the files. Out: what is wrong with them, and a {@link
 * io.millrace.schedulers.core.policy.Policy} for the one cycle of the core, for a moment in prime
 * or in non-prime time. The dialect decides nothing itself.
 *
 * <p>Invariant: pure; the time, the time zone and all texts are arguments.
 */
package io.millrace.schedulers.dialects.schedconfig;
