/**
 * Images of the parts, written without a registry and without a daemon.
 *
 * <p>In: the distribution as the build leaves it, and a base: a root file system with Java, as a
 * tar or a folder. Out: a tar for each image, and beside it nothing.
 *
 * <p>Invariant: the same distribution and the same base give the same bytes.
 */
package io.millrace.images;
