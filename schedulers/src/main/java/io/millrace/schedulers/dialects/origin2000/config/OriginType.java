package io.millrace.schedulers.dialects.origin2000.config;

import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an argument of the configuration may look like, and how it is written again. */
public enum OriginType {
  /** Seconds, {@code Long}. */
  TIMESPEC("a time [[HH:]MM:]SS, minutes and seconds from 0 to 59") {
    @Override
    Object read(String text, OriginPlace place) {
      return timespec(text);
    }

    @Override
    String write(Object value, OriginPlace place) {
      return clock((Long) value);
    }
  },
  /** {@code Long}, 0 or 1. */
  BOOLEAN("a boolean: True, On, Enable(d), Yes, Y, 1 or False, Off, Disable(d), No, N, 0") {
    @Override
    Object read(String text, OriginPlace place) {
      return truth(text);
    }

    @Override
    String write(Object value, OriginPlace place) {
      return (Long) value == 0 ? "False" : "True";
    }
  },
  /** {@code Long}: 0, 1, or the seconds since 1970 from which on it is true. */
  BOOLEAN_OR_DATE("a boolean, or a date with its time of day: MM/DD/YYYY@HH:MM:SS") {
    @Override
    Object read(String text, OriginPlace place) {
      return words(text) == null ? OriginDate.read(text, place.zone()) : words(text);
    }

    @Override
    String write(Object value, OriginPlace place) {
      long moment = (Long) value;
      return moment == 0 || moment == 1
          ? BOOLEAN.write(value, place)
          : OriginDate.write(moment, place.zone());
    }
  },
  /** {@code Long}. */
  INTEGER("a whole number, 0 or more, of at most nine digits") {
    @Override
    Object read(String text, OriginPlace place) {
      Matcher digits = DIGITS.matcher(text);
      return digits.lookingAt() ? Long.parseLong(digits.group()) : refuse("it does not begin so");
    }
  },
  /** {@code Double}. */
  REAL("a number, 0 or more") {
    @Override
    Object read(String text, OriginPlace place) {
      Matcher number = NUMBER.matcher(text);
      return number.lookingAt()
          ? Double.parseDouble(number.group())
          : refuse("it does not begin so");
    }
  },
  /** {@link OriginVariance}. */
  VARIANCE("a variance -MM%,+NN%, each sign at most once") {
    @Override
    Object read(String text, OriginPlace place) {
      return OriginVariance.read(text);
    }
  },
  /** {@code List<OriginQueueName>}. */
  QUEUES("a list of queues, NAME or NAME@HOST, with commas and without blanks") {
    @Override
    Object read(String text, OriginPlace place) {
      List<OriginQueueName> queues = new ArrayList<>();
      for (String each : text.split(",")) {
        if (!each.isEmpty()) {
          queues.add(OriginQueueName.read(each, place.host()));
        }
      }
      return queues.isEmpty() ? refuse("there is no queue in it") : List.copyOf(queues);
    }

    @Override
    String write(Object value, OriginPlace place) {
      return String.join(",", ((List<?>) value).stream().map(Object::toString).toList());
    }
  },
  /** {@code String}. */
  WORD("a word without blanks") {
    @Override
    Object read(String text, OriginPlace place) {
      return text;
    }
  },
  /** {@code String} in small letters. */
  NAME("a name without blanks") {
    @Override
    Object read(String text, OriginPlace place) {
      return text.toLowerCase(Locale.ROOT);
    }
  },
  /** {@code Long}: 0 NONE, 1 RESUBMIT, 2 RERUN. */
  RESTART("NONE, RESUBMIT or RERUN, in capitals") {
    @Override
    Object read(String text, OriginPlace place) {
      int word = RESTARTS.indexOf(text);
      return word >= 0
          ? (long) word
          : refuse(Nearest.of(text, RESTARTS).map(it -> "nearest: " + it).orElse(""));
    }

    @Override
    String write(Object value, OriginPlace place) {
      return RESTARTS.get(((Long) value).intValue());
    }
  };

  /** Words of the restart action, at the place of their number. */
  public static final List<String> RESTARTS = List.of("NONE", "RESUBMIT", "RERUN");

  private static final Pattern DIGITS = Pattern.compile("\\d{1,9}(?!\\d)");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,12}(\\.\\d{0,12})?|\\.\\d{1,12}");
  private static final List<String> YES =
      List.of("true", "on", "enabled", "enable", "yes", "y", "1");
  private static final List<String> NO =
      List.of("false", "off", "no", "disabled", "disable", "n", "0");
  private static final long HOURS_MAX = 999_999;
  private static final int PARTS = 3;

  private final String expected;

  OriginType(String expected) {
    this.expected = expected;
  }

  /** What a valid argument looks like, in words. */
  public String expected() {
    return expected;
  }

  /**
   * The value of an argument.
   *
   * @throws IllegalArgumentException with what is wrong with it
   */
  abstract Object read(String text, OriginPlace place);

  /** An argument that has this value. */
  String write(Object value, OriginPlace place) {
    return String.valueOf(value);
  }

  /** Whether letters behind the value are not looked at, as behind "90" in "90%". */
  boolean leaves(String text) {
    return switch (this) {
      case INTEGER -> !text.matches("\\d+%?");
      case REAL -> !NUMBER.matcher(text).matches();
      default -> false;
    };
  }

  private static Object refuse(String why) {
    throw new IllegalArgumentException(why);
  }

  /**
   * Seconds of a time that is read from the right: 90 seconds are "1:30".
   *
   * @throws IllegalArgumentException with what is wrong with it
   */
  public static long timespec(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length > PARTS) {
      throw new IllegalArgumentException("it has more than three parts");
    }
    long seconds = 0;
    for (int i = 0; i < parts.length; i++) {
      boolean hours = parts.length - i == PARTS;
      long most = hours ? HOURS_MAX : 59;
      if (!parts[i].matches("\\d{1,9}")) {
        throw new IllegalArgumentException("'" + parts[i] + "' is no number");
      }
      if (Long.parseLong(parts[i]) > most) {
        throw new IllegalArgumentException(
            parts[i] + " is above " + most + "; one minute is 1:00, one hour 1:00:00");
      }
      seconds = seconds * 60 + Long.parseLong(parts[i]);
    }
    return seconds;
  }

  private static long truth(String text) {
    Long value = words(text);
    if (value == null) {
      throw new IllegalArgumentException("it is none of these words");
    }
    return value;
  }

  private static Long words(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return YES.contains(lower) ? Long.valueOf(1) : NO.contains(lower) ? Long.valueOf(0) : null;
  }

  /** The value of a plain boolean. */
  public static long booleanOf(String text) {
    return truth(text);
  }

  /** The value of a boolean or date, in the zone of the scheduler's host. */
  public static long booleanOrDate(String text, OriginPlace place) {
    return (Long) BOOLEAN_OR_DATE.read(text, place);
  }

  /** HH:MM:SS. */
  public static String clock(long seconds) {
    return two(seconds / 3600) + ":" + two(seconds % 3600 / 60) + ":" + two(seconds % 60);
  }

  private static String two(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }
}
