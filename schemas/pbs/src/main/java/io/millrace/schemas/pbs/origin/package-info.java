/**
 * What shards have to know of the files of NAS's Origin2000 scheduler: the values of options, and
 * what starts of jobs cost their users. Schedulers read and check the files; shards charge by them.
 *
 * <p>In: the joined texts of a scheduler object. Out: words of options, figures of past usage.
 *
 * <p>Invariant: pure, and never throws; the same text gives the same values everywhere.
 */
package io.millrace.schemas.pbs.origin;
