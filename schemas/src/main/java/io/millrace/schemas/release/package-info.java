/**
 * Released schemas and the gate that keeps them readable.
 *
 * <p>In: the schemas of this build, and the folder {@code schemas/released} with one file for each
 * released version of each record and a list of the files' hashes. Out: new version files, written
 * by {@link io.millrace.schemas.release.ReleaseSchemas}, or the list of what breaks the rules.
 *
 * <p>Invariant: a released file never changes and never disappears, and the current schema of a
 * record reads, and is read by, all its released versions.
 */
package io.millrace.schemas.release;
