package io.millrace.server.accounting.daylog;

import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.file.LocalTimes;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
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
    DEBUG2(0x0100),
    RESERVATION(0x0200),
    DEBUG3(0x0400);

    private final int bit;

    Event(int bit) {
      this.bit = bit;
    }

    int bit() {
      return bit;
    }

    boolean in(int mask) {
      return (mask & bit) != 0;
    }
  }

  /** PBS's words for what an object is. */
  enum LogObjectKind {
    SERVER("Svr"),
    QUEUE("Que"),
    JOB("Job"),
    RESERVATION("Resv"),
    REQUEST("Req"),
    NODE("Node"),
    SCHEDULER("Sched"),
    RESOURCE("Resc");

    private final String word;

    LogObjectKind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** PBS's name for whoever writes the log of a scheduler. */
  private static final String SCHEDULER = "pbs_sched";

  private static final HexFormat HEX = HexFormat.of();

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM/dd/yyyy HH:mm:ss", Locale.ROOT);

  private final LocalTimes times;

  LogLine(ZoneId zone) {
    this.times = new LocalTimes(TIME, zone);
  }

  String of(long atMs, Event event, String daemon, LogObjectKind kind, String name, String text) {
    return line(times.at(atMs), event.bit, daemon, kind.word, name, text);
  }

  /** With fractions of the second, as PBS writes them where it is asked to. */
  String fine(long atUs, int event, String kind, String name, String text) {
    String at = times.at(atUs / 1_000) + String.format(".%06d", atUs % 1_000_000);
    return line(at, event, SCHEDULER, kind, name, text);
  }

  private static String line(
      String at, int event, String daemon, String kind, String name, String text) {
    return at
        + ';'
        + HEX.toHexDigits((short) event)
        + ';'
        + daemon
        + ";"
        + AccountValue.visible(kind)
        + ";"
        + AccountValue.visible(name)
        + ";"
        + AccountValue.visible(text);
  }
}
