package io.millrace.reservations.classad.functions;

import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.util.List;

/**
 * Times by the letters of C's {@code strftime}, in English.
 *
 * @param place for {@code %Z}
 */
record Strftime(CalendarDate date, Clock clock, String place) {

  /** A date; its day is 0 when it is not known. */
  record CalendarDate(long year, long month, long day) {}

  /** A time of day. */
  record Clock(long hour, long minute, long second) {}

  private static final List<String> DAYS =
      List.of("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday");
  private static final List<String> MONTHS =
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December");

  private static final long FURTHEST_YEAR = 999_999_999;

  /** The text that a format makes; what it does not know stays as it is. */
  String format(String format) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c == '%' && i + 1 < format.length()) {
        out.append(field(format.charAt(++i)));
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private String field(char letter) {
    String date = dateField(letter);
    return date == null ? timeField(letter) : date;
  }

  private String dateField(char letter) {
    return switch (letter) {
      case 'a' -> weekdayName().substring(0, 3);
      case 'A' -> weekdayName();
      case 'b', 'h' -> monthName().substring(0, Math.min(3, monthName().length()));
      case 'B' -> monthName();
      case 'C' -> Conversion.padded(Math.floorDiv(date.year(), 100L), 2);
      case 'd' -> Conversion.padded(date.day(), 2);
      case 'D', 'x' -> format("%m/%d/%y");
      case 'e' -> date.day() < 10 ? " " + date.day() : "" + date.day();
      case 'F' -> format("%Y-%m-%d");
      case 'g' -> Conversion.padded(Math.floorMod(isoYear(), 100L), 2);
      case 'G' -> Conversion.padded(isoYear(), 4);
      case 'j' -> Conversion.padded(dayOfYear() + 1, 3);
      case 'm' -> Conversion.padded(date.month(), 2);
      case 'u' -> "" + (weekday() == 0 ? 7 : weekday());
      case 'U' -> Conversion.padded((dayOfYear() + 7 - weekday()) / 7, 2);
      case 'V' -> Conversion.padded(localDate().get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
      case 'w' -> "" + weekday();
      case 'W' -> Conversion.padded((dayOfYear() + 7 - (weekday() + 6) % 7) / 7, 2);
      case 'y' -> Conversion.padded(Math.floorMod(date.year(), 100L), 2);
      case 'Y' -> "" + date.year();
      default -> null;
    };
  }

  private String timeField(char letter) {
    return switch (letter) {
      case 'c' -> format("%a %b %e %H:%M:%S %Y");
      case 'H' -> Conversion.padded(clock.hour(), 2);
      case 'I' -> Conversion.padded(Math.floorMod(clock.hour() + 11, 12L) + 1, 2);
      case 'M' -> Conversion.padded(clock.minute(), 2);
      case 'n' -> "\n";
      case 'p' -> clock.hour() >= 12 ? "PM" : "AM";
      case 'r' -> format("%I:%M:%S %p");
      case 'R' -> format("%H:%M");
      case 'S' -> Conversion.padded(clock.second(), 2);
      case 't' -> "\t";
      case 'T', 'X' -> format("%H:%M:%S");
      case 'Z' -> place;
      case '%' -> "%";
      default -> "%" + letter;
    };
  }

  private LocalDate localDate() {
    long near = Math.max(-FURTHEST_YEAR + 9, Math.min(FURTHEST_YEAR - 9, date.year()));
    long months = Math.max(-99, Math.min(99, date.month())) - 1;
    long days = Math.max(-999, Math.min(999, date.day())) - 1;
    return LocalDate.of((int) near, 1, 1).plusMonths(months).plusDays(days);
  }

  private long weekday() {
    return localDate().getDayOfWeek().getValue() % 7;
  }

  /** From 0. */
  private long dayOfYear() {
    return localDate().getDayOfYear() - 1;
  }

  private long isoYear() {
    return localDate().get(IsoFields.WEEK_BASED_YEAR);
  }

  private String weekdayName() {
    return DAYS.get((int) weekday());
  }

  private String monthName() {
    return date.month() >= 1 && date.month() <= 12 ? MONTHS.get((int) date.month() - 1) : "?";
  }
}
