package io.millrace.schemas.pbs.schedconfig.calendar;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The dedicated times of a site, in the time of its zone, the first first.
 *
 * @param spans none ends before it begins
 */
public record DedicatedTimes(List<DedicatedTime> spans) {

  /** One dedicated time. */
  public record DedicatedTime(LocalDateTime from, LocalDateTime to) {

    /** When it begins, milliseconds since 1970. */
    public long fromMs(ZoneId zone) {
      return from.atZone(zone).toInstant().toEpochMilli();
    }

    /** When it ends, milliseconds since 1970. */
    public long toMs(ZoneId zone) {
      return to.atZone(zone).toInstant().toEpochMilli();
    }
  }

  /** No dedicated time. */
  public static final DedicatedTimes NONE = new DedicatedTimes(List.of());

  public DedicatedTimes {
    List<DedicatedTime> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparing(DedicatedTime::from));
    spans = List.copyOf(sorted);
  }
}
