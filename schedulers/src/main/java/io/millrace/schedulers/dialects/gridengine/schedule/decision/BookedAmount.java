package io.millrace.schedulers.dialects.gridengine.schedule.decision;

import io.millrace.schedulers.gridengine.language.cluster.Level;

/**
 * Amount of a consumable that an advance reservation has at one level for a time; no job of others
 * gets it then.
 *
 * @param fromS seconds since 1970, this one included
 * @param toS seconds since 1970, this one not included
 */
public record BookedAmount(
    Level level, String container, String resource, double amount, long fromS, long toS) {

  private static final String SLOTS = "slots";

  /** Slots of a host. */
  public static BookedAmount slots(String host, long slots, long fromS, long toS) {
    return new BookedAmount(Level.HOST, host, SLOTS, slots, fromS, toS);
  }
}
