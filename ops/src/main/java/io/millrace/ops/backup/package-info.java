/**
 * {@code ./millrace backup FILE} and {@code restore FILE}: a home in one file, and back.
 *
 * <p>In: the home of a broker of our own, at work or down. Out: a tar archive under zstd with what
 * cannot be made again from something else that is in it, each file with mode and owner, and a
 * SHA-256 of all at its end.
 *
 * <p>Invariant: the topics in the archive are those of one moment, at which all parts stood still;
 * everything beside them is of that moment too. A file under the wanted name is whole, and a home
 * gets its settings, without which it is none, after everything else.
 */
package io.millrace.ops.backup;
