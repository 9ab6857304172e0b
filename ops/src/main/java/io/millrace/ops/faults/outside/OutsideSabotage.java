package io.millrace.ops.faults.outside;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Mistakes of connectors that can be planted, to see whether they are found. */
public enum OutsideSabotage {
  /** What was not answered is submitted again, and nobody looks for the first. */
  NO_LOOK_UP,
  /** The wrapper runs the script whether or not another copy has the claim. */
  NO_CLAIM,
  /** A question that fails counts as an empty queue. */
  FAILED_QUERY_IS_END;

  /** Name on the command line. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static Optional<OutsideSabotage> of(String text) {
    return Arrays.stream(values()).filter(it -> it.text().equals(text)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(OutsideSabotage::text).collect(Collectors.joining("|"));
  }
}
