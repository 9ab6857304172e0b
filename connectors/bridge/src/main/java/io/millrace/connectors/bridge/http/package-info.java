/**
 * What all who ask servers over HTTP have in common.
 *
 * <p>In: requests, files of certificates, and files of secrets. Out: a whole answer or how far it
 * came, and whom to trust.
 *
 * <p>Invariants: no server makes us hold more of an answer than its bound; without certificates in
 * the file that names them nobody is trusted; no secret goes to a port of this host that another
 * account has than those that were named, nor to another host in the open; a file of secrets that
 * others could read or have written is not used.
 */
package io.millrace.connectors.bridge.http;
