/**
 * Makes the distribution: the folder from which everything is started.
 *
 * <p>In: the jars that the build collected and the C and shell sources of client and supervisor.
 * Out: {@code target/dist} with {@code lib} and {@code bin}.
 *
 * <p>Invariant: a file that did not change is not touched, so that class data archives stay valid;
 * and what is in {@code bin} works with and without a C compiler at build time.
 */
package io.millrace.ops.dist;
