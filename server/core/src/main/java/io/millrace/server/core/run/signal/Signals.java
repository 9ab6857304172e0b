package io.millrace.server.core.run.signal;

import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The signals of Linux by name. */
final class Signals {
  private static final int HIGHEST = 64;
  private static final Map<String, Integer> NUMBERS = new TreeMap<>();

  static {
    String[] names = {
      "NULL", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
      "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
      "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"
    };
    for (int i = 0; i < names.length; i++) {
      NUMBERS.put(names[i], i);
    }
    NUMBERS.put("IOT", NUMBERS.get("ABRT"));
    NUMBERS.put("CLD", NUMBERS.get("CHLD"));
    NUMBERS.put("POLL", NUMBERS.get("IO"));
  }

  private Signals() {}

  /** Number of a signal: SIGUSR1, USR1 and 10 are the same; empty for what is none. */
  static OptionalInt number(String text) {
    if (text.matches("\\d{1,2}")) {
      int number = Integer.parseInt(text);
      return number <= HIGHEST ? OptionalInt.of(number) : OptionalInt.empty();
    }
    Integer known = NUMBERS.get(text.startsWith("SIG") ? text.substring("SIG".length()) : text);
    return known == null ? OptionalInt.empty() : OptionalInt.of(known);
  }
}
