package io.millrace.schedulers.gridengine.language.request;

import java.util.Locale;
import java.util.Optional;

/** Options of qsub that are known here, with the number of their arguments. */
enum QsubOption {
  ACCOUNT("A", 1),
  ADVANCE("ar", 1),
  AFTER("hold_jid", 1),
  BINARY("b", 1),
  CONCURRENT("tc", 1),
  DEADLINE("dl", 1),
  DIRECTORY("cwd", 0),
  ENVIRONMENT("pe", 2),
  ERRORS("e", 1),
  HARD("hard", 0),
  HOLD("h", 0),
  INPUT("i", 1),
  JOIN("j", 1),
  MAIL("m", 1),
  MAIL_TO("M", 1),
  NAME("N", 1),
  NOW("now", 1),
  OUTPUT("o", 1),
  PRIORITY("p", 1),
  PROJECT("P", 1),
  QUEUES("q", 1),
  RERUN("r", 1),
  RESERVE("R", 1),
  RESOURCES("l", 1),
  SHELL("S", 1),
  SOFT("soft", 0),
  START("a", 1),
  SYNC("sync", 1),
  TASKS("t", 1),
  TERSE("terse", 0),
  VARIABLE("v", 1),
  VARIABLES("V", 0),
  VERIFY("w", 1),
  WORKING_DIRECTORY("wd", 1);

  private final String written;
  private final int arguments;

  QsubOption(String written, int arguments) {
    this.written = written;
    this.arguments = arguments;
  }

  String word() {
    return "-" + written;
  }

  int arguments() {
    return arguments;
  }

  static Optional<QsubOption> of(String word) {
    for (QsubOption option : values()) {
      if (word.equals("-" + option.written)) {
        return Optional.of(option);
      }
    }
    return Optional.empty();
  }

  /** y, yes, n or no. */
  boolean yes(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "y", "yes" -> true;
      case "n", "no" -> false;
      default ->
          throw new RequestRefused(
              "qsub: invalid option argument \"-" + written + " " + value + "\"", 7);
    };
  }
}
