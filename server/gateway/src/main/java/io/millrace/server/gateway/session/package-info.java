/**
 * The Unix-socket side of the gateway: who calls, and what the caller wants to see.
 *
 * <p>In comes a connection of a thin client (see {@code io.millrace.server.client} for the frames).
 * The caller's uid and gid are taken from the kernel, never from what the client says. Out goes one
 * {@link io.millrace.server.gateway.session.Invocation} to a {@link
 * io.millrace.server.gateway.session.CommandHandler}, and back its output and exit status.
 *
 * <p>Invariants: the gateway never opens a user's file, the client does, with the user's own
 * rights; an invocation that a broken connection interrupted comes back under the same command id;
 * everything is bounded: connections that have not said what is to run, which hold no thread,
 * sessions overall and per user, the size of a frame, and the time that a silent or slow client may
 * hold a thread. A newcomer is let in; who has been silent for longest goes.
 */
package io.millrace.server.gateway.session;
