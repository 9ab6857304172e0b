/**
 * Folders that an administrator names.
 *
 * <p>In: a path. Out: why its folder cannot be used, or nothing.
 *
 * <p>Invariant: what is used belongs to the account of the process, and no other account can put
 * anything into it or in its place.
 */
package io.millrace.schemas.folder;
