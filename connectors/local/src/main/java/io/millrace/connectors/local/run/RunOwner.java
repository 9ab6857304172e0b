package io.millrace.connectors.local.run;

/**
 * The user and group of a run's processes.
 *
 * @param user a user name of this host
 * @param group a group the user is in; empty for his primary group
 */
public record RunOwner(String user, String group) {}
