package io.millrace.server.gateway.plus;

import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.reservation.OtherWords;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Times in PluS's commands: PBS's form, or ISO 8601 with or without an offset. */
final class PlusTimes {

  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ENGLISH);

  private PlusTimes() {}

  /** The time that an option gives, milliseconds since 1970; null when it is not given. */
  static Long time(Call call, PlusOptions options, String word) throws Failure {
    String text = options.value(word);
    if (text == null) {
      return null;
    }
    return OtherWords.time(call, text)
        .or(() -> iso(text, call.zone()))
        .orElseThrow(() -> options.wrong("option " + word + ": no time: " + text));
  }

  private static Optional<Long> iso(String text, ZoneId zone) {
    if (text.indexOf('T') < 0) {
      return Optional.empty();
    }
    try {
      boolean offset = text.matches(".*T.*([zZ]|[+-].*)");
      Instant then =
          offset
              ? OffsetDateTime.parse(text).toInstant()
              : LocalDateTime.parse(text).atZone(zone).toInstant();
      return Optional.of(then.toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** The length that an option gives, milliseconds; null when it is not given. */
  static Long duration(PlusOptions options, String word) throws Failure {
    String text = options.value(word);
    if (text == null) {
      return null;
    }
    return AttributeType.parseSeconds(text)
        .map(TimeUnit.SECONDS::toMillis)
        .orElseThrow(() -> options.wrong("option " + word + ": no duration: " + text));
  }

  static String shown(long ms, ZoneId zone) {
    return SHOWN.format(Instant.ofEpochMilli(ms).atZone(zone));
  }
}
