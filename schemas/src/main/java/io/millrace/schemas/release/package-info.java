/**
 * Released schemas and the gate that keeps them readable.
 *
 * <p>In: the schemas of this build, and the folder {@code schemas/released} with one file for each
 * tagged version. Out: the file of the next version, written by {@link
 * io.millrace.schemas.release.ReleaseSchemas}, or the list of violations.
 *
 * <p>Invariant: a released file never changes, and the current schema of a record reads, and is
 * read by, that of each of them. Before the first file nothing is promised.
 */
package io.millrace.schemas.release;
