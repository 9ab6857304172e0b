/**
 * {@code ./millrace token}: who may reach the door for HTTP, and until when.
 *
 * <p>In: create, list, revoke or rotate, and a user. Out: a token on standard output, or the list
 * of those that were made.
 *
 * <p>Invariant: only root and the owner of the home make and revoke; a token itself is kept
 * nowhere, only its id and its end.
 */
package io.millrace.ops.token;
