package io.millrace.ops.faults.sabotage;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Faults that the harness can inject, to see whether it finds them. */
public enum Sabotage {
  /** Records of the inbox that the broker has acknowledged vanish while the server is down. */
  LOSE_COMMAND,
  /** The script of a granted run is run a second time. */
  START_TWICE,
  /** An executor forgets the outcome of a run before it has reported it. */
  DROP_REPORT,
  /** The server forgets its jobs, on its disk and in their changelog. */
  FORGET_STATE;

  /** Name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Sabotage> of(String text) {
    return Arrays.stream(values()).filter(it -> it.text().equals(text)).findFirst();
  }

  public static String names() {
    return Arrays.stream(values()).map(Sabotage::text).collect(Collectors.joining("|"));
  }
}
