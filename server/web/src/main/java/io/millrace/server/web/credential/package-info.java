/**
 * Who speaks from afar: signed tokens, MUNGE credentials, and the log of those that were refused.
 *
 * <p>In comes the header Authorization with the request that it came with. Out goes the verified
 * user, or a refusal with one word of reason, which stands in the audit log before anybody is told.
 *
 * <p>Invariants: one signature algorithm, one key for each key id, none of it chosen by the token;
 * a MUNGE credential is for one request and used once; secrets are read from files of the
 * installation's owner that nobody else can read, and are in no log. What cannot be decided (no
 * daemon, no room to remember) is refused.
 */
package io.millrace.server.web.credential;
