package io.millrace.server.web.credential;

import java.util.List;

/**
 * A request as far as credentials are concerned.
 *
 * @param authorization all values of the header Authorization
 * @param peer address of the other end
 * @param method for example POST
 * @param target path and query as they came
 * @param idempotencyKey value of that header; empty without one
 * @param body the whole body
 */
public record AuthenticationRequest(
    List<String> authorization,
    String peer,
    String method,
    String target,
    String idempotencyKey,
    byte[] body) {}
