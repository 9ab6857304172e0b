/**
 * Makes the distribution: the folder from which everything is started.
 *
 * <p>In: the jars that the build collected and the C and shell sources of client and supervisor.
 * Out: {@code target/dist} with {@code lib} and {@code bin}, and what it says of the works of
 * others in it: {@code NOTICE}, {@code licenses}, {@code sbom.json}.
 *
 * <p>Invariant: a file that did not change is not touched, so that class data archives stay valid;
 * no work of others is in it against which something is known or whose licence is not allowed; and
 * what is in {@code bin} works with and without a C compiler at build time.
 */
package io.millrace.ops.dist;
