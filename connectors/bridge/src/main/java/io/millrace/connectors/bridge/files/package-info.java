/**
 * Files of the host on which the commands of a cluster are: of this one, or of another.
 *
 * <p>In: paths. Out: what they are, and what stands in them from an offset on.
 *
 * <p>Invariant: what cannot be told is an {@code IOException}, never a file that is not there.
 */
package io.millrace.connectors.bridge.files;
