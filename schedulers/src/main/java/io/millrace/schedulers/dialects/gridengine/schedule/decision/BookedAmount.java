package io.millrace.schedulers.dialects.gridengine.schedule.decision;

/**
 * Slots of a host that an advance reservation has for a time; no job of others gets them then.
 *
 * @param fromS seconds since 1970, this one included
 * @param toS seconds since 1970, this one not included
 */
public record BookedSlots(String host, long slots, long fromS, long toS) {}
