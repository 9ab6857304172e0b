/**
 * HTTP for all parts that serve it: connections, their bounds, the time that each may take, and
 * which route a request is for.
 *
 * <p>In come bytes of anybody. Out goes, for each request that was read whole and within its
 * bounds, one {@link io.millrace.server.http.ReceivedRequest} to an {@link
 * io.millrace.server.http.HttpService}, and back its answer: whole, written as it is made, or open
 * for as long as the client listens.
 *
 * <p>Invariants: a few threads move all bytes and never wait for a client; a thread that carries
 * out a request waits for one only while it writes an answer that is too large to be held, and not
 * for longer than a request may take. Everything is bounded: connections overall and of one
 * address, head, body, the bytes of all requests and answers together, and the time until a head, a
 * body, an answer, and the end of sending it. What is beyond a bound is told so, or cut off; of
 * connections the one that has waited longest for its client, not the newcomer. Texts and codes of
 * refusals are those of the service.
 */
package io.millrace.server.http;
