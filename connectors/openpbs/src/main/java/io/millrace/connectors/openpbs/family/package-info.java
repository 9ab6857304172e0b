/**
 * What all systems of the PBS family write alike: accounting files of a day each, their records,
 * numbers of jobs, times and sizes.
 *
 * <p>In: lines and words. Out: the bridge's words.
 *
 * <p>Invariant: what is not understood is nothing, never an end.
 */
package io.millrace.connectors.openpbs.family;
