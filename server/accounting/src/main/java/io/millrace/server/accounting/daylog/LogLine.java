package io.millrace.server.accounting.daylog;

import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.file.LocalTimes;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The texts of lines of a day log, without line ends. */
final class LogLine {

  /** What a line is about: a bit of log_events, as PBS numbers them. */
  enum Event {
    ERROR(0x0001),
    SYSTEM(0x0002),
    ADMIN(0x0004),
    JOB(0x0008),
    JOB_USAGE(0x0010),
    SCHED(0x0040),
    DEBUG(0x0080),
    DEBUG2(0x0100);

    private final int bit;

    Event(int bit) {
      this.bit = bit;
    }

    boolean in(int mask) {
      return (mask & bit) != 0;
    }
  }

  /** PBS's words for what an object is. */
  enum Kind {
    SERVER("Svr"),
    QUEUE("Que"),
    JOB("Job"),
    REQUEST("Req"),
    NODE("Node"),
    SCHEDULER("Sched"),
    RESOURCE("Resc");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

  private final LocalTimes times;

  LogLine(ZoneId zone) {
    this.times = new LocalTimes(TIME, zone);
  }

  String of(long atMs, Event event, String daemon, Kind kind, String name, String text) {
    return times.at(atMs)
        + String.format(";%04x;", event.bit)
        + daemon
        + ";"
        + kind.word
        + ";"
        + AccountValue.visible(name)
        + ";"
        + AccountValue.visible(text);
  }
}
