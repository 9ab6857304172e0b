package io.millrace.connectors.local.run;

/**
 * An answer to an order about a run.
 *
 * @param order what was asked for, as {@code hold} or {@code signal 10}
 * @param refused whether it was not carried out
 * @param text what was said, in one line
 */
public record OutsideReply(String order, boolean refused, String text) {}
