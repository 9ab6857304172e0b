package io.millrace.schemas.pbs.schedconfig.calendar;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which hours of which days are prime time. Immutable once read. */
public final class PrimeHours {

  /** When one kind of time begins on a day. */
  record Begin(boolean all, boolean none, int hhmm) {

    static final Begin UNSAID = new Begin(false, false, 0);
    static final Begin ALL = new Begin(true, false, -1);
    static final Begin NONE = new Begin(false, true, -1);

    static Begin at(int hhmm) {
      return new Begin(false, false, hhmm);
    }
  }

  private final Map<DayOfWeek, Begin> prime = new EnumMap<>(DayOfWeek.class);
  private final Map<DayOfWeek, Begin> nonPrime = new EnumMap<>(DayOfWeek.class);
  private final Set<Integer> holidays = new TreeSet<>();
  private int year;

  PrimeHours() {
    for (DayOfWeek day : DayOfWeek.values()) {
      prime.put(day, Begin.UNSAID);
      nonPrime.put(day, Begin.UNSAID);
    }
  }

  /** Prime time always. */
  public static PrimeHours always() {
    return new PrimeHours();
  }

  /** The year for which the holidays are; 0 when the file names none, so that all time is prime. */
  public int year() {
    return year;
  }

  void year(int of) {
    year = of;
  }

  void holiday(int dayOfYear) {
    holidays.add(dayOfYear);
  }

  Begin prime(DayOfWeek day) {
    return prime.get(day);
  }

  void prime(DayOfWeek day, Begin begin) {
    prime.put(day, begin);
  }

  void nonPrime(DayOfWeek day, Begin begin) {
    nonPrime.put(day, begin);
  }

  /** True when no line says anything of a day, or both begin at midnight. */
  private boolean unsaid(DayOfWeek day) {
    return prime.get(day).equals(Begin.UNSAID) && nonPrime.get(day).equals(Begin.UNSAID);
  }

  /** True when a moment is in prime time. */
  public boolean isPrime(ZonedDateTime at) {
    if (year == 0) {
      return true;
    }
    if (holidays.contains(at.getDayOfYear())) {
      return false;
    }
    DayOfWeek day = at.getDayOfWeek();
    Begin begin = prime.get(day);
    Begin end = nonPrime.get(day);
    if (unsaid(day) || begin.all) {
      return true;
    }
    if (end.all || begin.none) {
      return false;
    }
    if (end.none) {
      return true;
    }
    int now = at.getHour() * 100 + at.getMinute();
    return begin.hhmm < end.hhmm
        ? begin.hhmm <= now && now < end.hhmm
        : end.hhmm < begin.hhmm && (now < end.hhmm || begin.hhmm <= now);
  }

  /** Times of a day at which another period may begin, in their order. */
  Set<LocalTime> changes(LocalDate date) {
    Set<LocalTime> times = new TreeSet<>();
    times.add(LocalTime.MIDNIGHT);
    for (Begin begin :
        new Begin[] {prime.get(date.getDayOfWeek()), nonPrime.get(date.getDayOfWeek())}) {
      if (begin.hhmm >= 0) {
        int minutes = begin.hhmm / 100 * 60 + Math.min(60, begin.hhmm % 100);
        if (minutes < 24 * 60) {
          times.add(LocalTime.of(minutes / 60, minutes % 60));
        }
      }
    }
    return times;
  }
}
