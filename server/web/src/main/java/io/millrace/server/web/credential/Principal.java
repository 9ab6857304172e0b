package io.millrace.server.web.credential;

/**
 * A verified caller.
 *
 * @param user name on the door's host
 * @param group name of the primary group there
 * @param kind what proved it
 */
public record Principal(String user, String group, CredentialKind kind) {}
