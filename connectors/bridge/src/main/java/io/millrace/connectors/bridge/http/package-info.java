/**
 * What all who ask others over HTTPS have in common.
 *
 * <p>In: answers of servers, and files of certificates. Out: a whole answer, and whom to trust.
 *
 * <p>Invariants: no server makes us hold more of an answer than its bound; without certificates in
 * the file that names them nobody is trusted.
 */
package io.millrace.connectors.bridge.http;
