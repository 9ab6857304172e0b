/**
 * The files of PBS's scheduler: {@code sched_config}, {@code holidays}, {@code dedicated_time} and
 * {@code resource_group}, read together. Shards check them and charge by them, schedulers decide by
 * them, and commands show them.
 *
 * <p>In: the texts of the files. Out: their values, and what is wrong with which line.
 *
 * <p>Invariant: pure, and never throws; the same texts give the same values everywhere.
 */
package io.millrace.schemas.pbs.schedconfig;
