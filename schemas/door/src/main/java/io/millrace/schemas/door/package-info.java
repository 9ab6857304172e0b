/**
 * Requests in plain HTTP to a port of this host, which anybody may open once its service is gone.
 *
 * <p>In: a request, and the accounts that may hear it. Out: its answer, or that another account has
 * the port.
 *
 * <p>Invariants: nothing is sent before the kernel has named an account that may hear it as the one
 * that has taken the connection; no answer takes longer than its time, nor more room than its
 * bound; nothing here reaches beyond {@code java.base}, since the thin client uses it.
 */
package io.millrace.schemas.door;
