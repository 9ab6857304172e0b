package io.millrace.ops.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Time, level, thread, last part of the logger's name, message; a stack trace below. */
public final class LogFormatter extends Formatter {

  public static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS");

  @Override
  public String format(LogRecord record) {
    String logger = String.valueOf(record.getLoggerName());
    StringBuilder line = new StringBuilder(160);
    TIME.formatTo(Instant.ofEpochMilli(record.getMillis()).atZone(ZoneId.systemDefault()), line);
    line.append(' ')
        .append(record.getLevel().getName())
        .append(' ')
        .append(Thread.currentThread().getName())
        .append(' ')
        .append(logger.substring(logger.lastIndexOf('.') + 1))
        .append(": ")
        .append(formatMessage(record))
        .append('\n');
    if (record.getThrown() != null) {
      StringWriter trace = new StringWriter();
      record.getThrown().printStackTrace(new PrintWriter(trace, true));
      line.append(trace);
    }
    return line.toString();
  }
}
