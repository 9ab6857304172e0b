/**
 * The thin client in Java, and the frames that every client speaks with the gateway.
 *
 * <p>With {@code MILLRACE_URL} the same frames travel in HTTP requests to a gateway of another
 * host; docs/http.md says how.
 *
 * <p>In comes a command line of the shell; out go its output and exit status. In between the client
 * speaks over the gateway's Unix socket: it says what was called, where and with what, serves the
 * gateway's requests for files and standard input with the user's own rights, and shows what comes
 * back. docs/client-protocol.md has the frames, the order and the rules; {@link
 * io.millrace.server.client.Frames} the numbers.
 *
 * <p>Invariants: nothing here reaches beyond {@code java.base}, since the start-up time of this
 * program is what a user feels; output is held back until the exit status or a commit, so that an
 * invocation can be run again under the same command id when the gateway dies; what cannot be read
 * a second time is never run a second time.
 */
package io.millrace.server.client;
