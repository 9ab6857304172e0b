/**
 * {@code ./millrace token}: tokens for the HTTP server, with their expiry.
 *
 * <p>In: create, list, revoke or rotate, and a user. Out: a token on standard output, or the list
 * of those that were made.
 *
 * <p>Invariant: only root and the owner of the home create and revoke tokens; a token itself is not
 * stored, only its id and expiry.
 */
package io.millrace.ops.token;
