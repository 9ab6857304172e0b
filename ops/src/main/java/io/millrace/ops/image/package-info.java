/**
 * {@code ./millrace image}: the distribution as images of containers.
 *
 * <p>In: a root file system with Java, as a tar or a folder. Out: a tar for each image.
 *
 * <p>Invariant: the libraries that write images are in no distribution: the module ops/images,
 * which a checkout has built, is called in a process of its own.
 */
package io.millrace.ops.image;
