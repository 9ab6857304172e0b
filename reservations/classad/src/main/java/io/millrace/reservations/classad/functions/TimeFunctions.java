package io.millrace.reservations.classad.functions;

import io.millrace.reservations.classad.evaluation.Arguments;
import io.millrace.reservations.classad.evaluation.Arithmetic;
import io.millrace.reservations.classad.evaluation.BuiltIn;
import io.millrace.reservations.classad.evaluation.Evaluator;
import io.millrace.reservations.classad.evaluation.RecordValue;
import io.millrace.reservations.classad.evaluation.Scope;
import io.millrace.reservations.classad.evaluation.Surroundings;
import io.millrace.reservations.classad.text.TimeText;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.reservations.classad.tree.Scalar;
import io.millrace.reservations.classad.tree.Value;
import io.millrace.reservations.classad.tree.Value.ClassAdType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The time now, times made of values, and parts of times. */
final class TimeFunctions {

  /** Moments beyond, in seconds from 1970, have no date. */
  private static final long FURTHEST_S = 1L << 54;

  /** What it costs to take a time apart. */
  private static final int SPLIT_STEPS = 10;

  static final Map<String, BuiltIn> TABLE = table();

  private TimeFunctions() {}

  private static Map<String, BuiltIn> table() {
    Map<String, BuiltIn> table = new HashMap<>();
    table.put("time", none(around -> Scalar.of(around.now().getEpochSecond())));
    table.put("currentTime", none(TimeFunctions::now));
    table.put(
        "timeZoneOffset", none(around -> Arithmetic.relative(offset(around, seconds(around)))));
    table.put("dayTime", none(TimeFunctions::dayTime));
    table.put("absTime", TimeFunctions::absolute);
    table.put("relTime", TypeFunctions.one(arguments -> relative(arguments.value(0))));
    table.put("getYear", field(LocalDateTime::getYear, null));
    table.put("getMonth", field(LocalDateTime::getMonthValue, null));
    table.put("getDayOfYear", field(at -> at.getDayOfYear() - 1, null));
    table.put("getDayOfMonth", field(LocalDateTime::getDayOfMonth, null));
    table.put("getDayOfWeek", field(at -> at.getDayOfWeek().getValue() % 7, null));
    table.put("getDays", field(null, seconds -> seconds / 86_400));
    table.put("getHours", field(LocalDateTime::getHour, seconds -> seconds % 86_400 / 3600));
    table.put("getMinutes", field(LocalDateTime::getMinute, seconds -> seconds % 3600 / 60));
    table.put("getSeconds", field(LocalDateTime::getSecond, seconds -> seconds % 60));
    table.put("splitTime", TypeFunctions.one(TimeFunctions::split));
    table.put("formatTime", TimeFunctions::format);
    table.put("interval", TypeFunctions.one(arguments -> interval(arguments.value(0))));
    return Map.copyOf(table);
  }

  private interface OfSurroundings {
    Value apply(Surroundings around);
  }

  private interface OfDate {
    int apply(LocalDateTime at);
  }

  private static BuiltIn none(OfSurroundings function) {
    return arguments ->
        arguments.count() == 0
            ? function.apply(arguments.evaluator().surroundings())
            : Scalar.ERROR;
  }

  private static long seconds(Surroundings around) {
    return around.now().getEpochSecond();
  }

  private static int offset(Surroundings around, long seconds) {
    long near = Math.max(-FURTHEST_S, Math.min(FURTHEST_S, seconds));
    return around.place().getRules().getOffset(Instant.ofEpochSecond(near)).getTotalSeconds();
  }

  private static Value now(Surroundings around) {
    return at(around, seconds(around));
  }

  private static Scalar.AbsoluteTime at(Surroundings around, long seconds) {
    return new Scalar.AbsoluteTime(seconds, offset(around, seconds));
  }

  private static Value dayTime(Surroundings around) {
    long local = seconds(around) + offset(around, seconds(around));
    return Arithmetic.relative(Math.floorMod(local, 86_400L));
  }

  private static Value absolute(Arguments arguments) {
    Surroundings around = arguments.evaluator().surroundings();
    if (arguments.count() == 0) {
      return now(around);
    }
    if (arguments.count() > 2) {
      return Scalar.ERROR;
    }
    Value of = arguments.value(0);
    Integer offset = null;
    if (arguments.count() == 2) {
      Value second = arguments.value(1);
      if (!second.isNumber() && !second.is(ClassAdType.RELATIVE_TIME)) {
        return Scalar.ERROR;
      }
      offset = (int) ((Scalar.WholeNumber) Conversion.whole(second)).value();
    }
    return switch (of.kind()) {
      case UNDEFINED -> of;
      case ABSOLUTE_TIME -> of;
      case STRING -> {
        TimeText.WrittenTime written = TimeText.absolute(((Scalar.TextValue) of).value());
        yield written == null ? Scalar.ERROR : placed(written, around.place());
      }
      case INTEGER, REAL, RELATIVE_TIME -> {
        long seconds = ((Scalar.WholeNumber) Conversion.whole(of)).value();
        yield offset == null ? at(around, seconds) : new Scalar.AbsoluteTime(seconds, offset);
      }
      default -> Scalar.ERROR;
    };
  }

  private static Value placed(TimeText.WrittenTime written, ZoneId place) {
    return written.at(place);
  }

  private static Value relative(Value of) {
    return switch (of.kind()) {
      case UNDEFINED, RELATIVE_TIME -> of;
      case INTEGER -> Arithmetic.relative(((Scalar.WholeNumber) of).value());
      case REAL -> Arithmetic.relative(((Scalar.Real) of).value());
      case ABSOLUTE_TIME -> Arithmetic.relative(((Scalar.AbsoluteTime) of).seconds());
      case STRING -> Arithmetic.relative(TimeText.relative(((Scalar.TextValue) of).value()));
      default -> Scalar.ERROR;
    };
  }

  /** A part of a moment, at the place of the evaluation, or of a length of time. */
  private static BuiltIn field(OfDate ofDate, ToLongFunction<Long> ofLength) {
    return TypeFunctions.one(
        arguments -> {
          Value of = arguments.value(0);
          if (of instanceof Scalar.AbsoluteTime time && ofDate != null) {
            Surroundings around = arguments.evaluator().surroundings();
            LocalDateTime date = date(time.seconds(), offset(around, time.seconds()));
            return date == null ? Scalar.ERROR : Scalar.of((long) ofDate.apply(date));
          }
          if (of instanceof Scalar.RelativeTime time && ofLength != null) {
            return Scalar.of(ofLength.applyAsLong((long) time.seconds()));
          }
          return Scalar.ERROR;
        });
  }

  /** Null for a moment without a date. */
  private static LocalDateTime date(long seconds, long offset_s) {
    if (Math.abs(seconds) > FURTHEST_S) {
      return null;
    }
    return LocalDateTime.ofEpochSecond(seconds + offset_s, 0, ZoneOffset.UTC);
  }

  private static Value split(Arguments arguments) {
    Value of = arguments.value(0);
    if (of.is(ClassAdType.UNDEFINED)) {
      return of;
    }
    arguments.evaluator().charge(SPLIT_STEPS);
    RecordExpression parts = parts(of, arguments.evaluator().surroundings());
    return parts == null ? Scalar.ERROR : new RecordValue(new Scope(parts, null));
  }

  private static RecordExpression parts(Value of, Surroundings around) {
    if (of instanceof Scalar.RelativeTime time) {
      return partsOfLength(time.seconds());
    }
    Scalar.AbsoluteTime time;
    if (of instanceof Scalar.AbsoluteTime absolute) {
      time = absolute;
    } else if (of.isNumber()) {
      time = at(around, ((Scalar.WholeNumber) Conversion.whole(of)).value());
    } else {
      return null;
    }
    LocalDateTime date = date(time.seconds(), time.offset_s());
    if (date == null) {
      return null;
    }
    List<RecordExpression.NamedExpression> all = new ArrayList<>();
    add(all, "Type", Scalar.of("AbsoluteTime"));
    add(all, "Year", Scalar.of((long) date.getYear()));
    add(all, "Month", Scalar.of((long) date.getMonthValue()));
    add(all, "Day", Scalar.of((long) date.getDayOfMonth()));
    add(all, "Hours", Scalar.of((long) date.getHour()));
    add(all, "Minutes", Scalar.of((long) date.getMinute()));
    add(all, "Seconds", Scalar.of((long) date.getSecond()));
    add(all, "Offset", Scalar.of((long) time.offset_s()));
    return new RecordExpression(all);
  }

  private static void add(List<RecordExpression.NamedExpression> to, String name, Value value) {
    to.add(new RecordExpression.NamedExpression(name, value.expression()));
  }

  /** The sign of a negative length is with its largest part. */
  private static RecordExpression partsOfLength(double length) {
    double size = Math.abs(length);
    long whole = (long) size;
    long days = whole / 86_400;
    long hours = whole % 86_400 / 3600;
    long minutes = whole % 3600 / 60;
    double seconds = whole % 60 + (size - Math.floor(size));
    if (length < 0) {
      if (days > 0) {
        days = -days;
      } else if (hours > 0) {
        hours = -hours;
      } else if (minutes > 0) {
        minutes = -minutes;
      } else {
        seconds = -seconds;
      }
    }
    List<RecordExpression.NamedExpression> all = new ArrayList<>();
    add(all, "Type", Scalar.of("RelativeTime"));
    add(all, "Days", Scalar.of(days));
    add(all, "Hours", Scalar.of(hours));
    add(all, "Minutes", Scalar.of(minutes));
    add(all, "Seconds", Scalar.of(seconds));
    return new RecordExpression(all);
  }

  private static Value format(Arguments arguments) {
    if (arguments.count() > 2) {
      return Scalar.ERROR;
    }
    Evaluator evaluator = arguments.evaluator();
    Surroundings around = evaluator.surroundings();
    Value of = arguments.count() == 0 ? now(around) : arguments.value(0);
    if (of.is(ClassAdType.RELATIVE_TIME)) {
      return Scalar.ERROR;
    }
    Scope parts;
    if (of instanceof RecordValue record) {
      parts = record.scope();
    } else {
      RecordExpression split = parts(of, around);
      if (split == null) {
        return Scalar.ERROR;
      }
      parts = new Scope(split, null);
    }
    Value format = arguments.count() < 2 ? Scalar.of("%c") : arguments.value(1);
    if (!(format instanceof Scalar.TextValue text)) {
      return Scalar.ERROR;
    }
    // Each letter can become a whole date.
    evaluator.checkLength(text.value().length() * 8L);
    evaluator.charge(SPLIT_STEPS + text.value().length() * 2L);
    Strftime time =
        new Strftime(
            new Strftime.CalendarDate(
                part(evaluator, parts, "Year", 1900),
                part(evaluator, parts, "Month", 1),
                part(evaluator, parts, "Day", 0)),
            new Strftime.Clock(
                part(evaluator, parts, "Hours", 0),
                part(evaluator, parts, "Minutes", 0),
                part(evaluator, parts, "Seconds", 0)),
            around.place().getId());
    return evaluator.string(time.format(text.value()));
  }

  private static long part(Evaluator evaluator, Scope parts, String name, long otherwise) {
    return evaluator.attribute(name, parts) instanceof Scalar.WholeNumber whole
        ? whole.value()
        : otherwise;
  }

  private static Value interval(Value of) {
    if (!(Conversion.whole(of) instanceof Scalar.WholeNumber whole)) {
      return Scalar.ERROR;
    }
    long total = whole.value();
    long days = total / 86_400;
    long hours = total % 86_400 / 3600;
    long minutes = total % 3600 / 60;
    long seconds = total % 60;
    String tail = ":" + Conversion.padded(Math.abs(seconds), 2);
    String middle = ":" + Conversion.padded(Math.abs(minutes), 2) + tail;
    if (days != 0) {
      return Scalar.of(days + "+" + Conversion.padded(Math.abs(hours), 2) + middle);
    }
    if (hours != 0) {
      return Scalar.of(hours + middle);
    }
    return Scalar.of(minutes != 0 ? minutes + tail : "" + seconds);
  }
}
