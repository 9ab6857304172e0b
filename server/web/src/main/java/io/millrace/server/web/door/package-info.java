/**
 * The socket side of HTTP: connections, their bounds, and the time that each may take.
 *
 * <p>In come bytes of anybody. Out goes, for each request that was read whole and within its
 * bounds, one {@link io.millrace.server.web.door.Incoming} to a {@link
 * io.millrace.server.web.door.Service}, and back its answer.
 *
 * <p>Invariants: a few threads move all bytes and never wait for a client; a thread that carries
 * out a request never waits for one either. Everything is bounded: connections overall and of one
 * address, head, body, the bytes of all requests and answers together, and the time until a head, a
 * body, an answer, and the end of sending it. What is beyond a bound is told so, or cut off.
 */
package io.millrace.server.web.door;
