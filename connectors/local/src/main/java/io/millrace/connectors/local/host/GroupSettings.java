package io.millrace.connectors.local.host;

/**
 * What of the host's control groups runs have, as far as it has some.
 *
 * @param offered whether runs have groups
 * @param bound whether runs have processors of their own
 * @param only the processors that runs may have; none: all of the host
 */
public record GroupSettings(boolean offered, boolean bound, ProcessorSet only) {
  /** Everything that the host has. */
  public static final GroupSettings ALL = new GroupSettings(true, true, ProcessorSet.NONE);
}
