package io.millrace.connectors.forward;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Orders to a run that are not carried out yet, and those of which it matters that they were.
 *
 * @param standing the order to suspend or resume; empty for none
 * @param hold whether it is held
 * @param limit its walltime
 * @param last number of the order of the last signal; one with a smaller number was sent before
 * @param signals that are to be sent, in their order
 * @param refusal what was not carried out last, and why, in one line; empty for nothing
 */
record PassedOrders(
    String standing,
    RunHolding hold,
    RunWalltime limit,
    int last,
    List<Integer> signals,
    String refusal) {

  /** More of it is cut off. */
  static final int REFUSAL_LONGEST = 1000;

  static final PassedOrders NONE =
      new PassedOrders("", RunHolding.NONE, RunWalltime.NONE, 0, List.of(), "");

  private static final Pattern LINE =
      Pattern.compile(
          "([a-z]*);([a-z]+);([0-9]{1,18}),(true|false);([0-9]{1,9});"
              + "((?:[0-9]{1,2}(?:,[0-9]{1,2})*)?);(.*)",
          Pattern.DOTALL);

  /** Where the hold of a run stands. */
  enum RunHolding {
    NONE,
    /** It is to be held, and was not yet. */
    WANTED,
    /** The order to hold it was given, and nothing shows yet what it has done. */
    PASSED,
    /** The queue has shown that it is held. */
    SHOWN,
    /** It is to be held, and the outside system will not: it is not asked again. */
    REFUSED,
    /** It is to be held no more. */
    RELEASED;

    /** Whether it is, or is about to be, held. */
    boolean isHeld() {
      return this == WANTED || this == PASSED || this == SHOWN;
    }
  }

  /**
   * A walltime that it got behind its start.
   *
   * @param seconds from its begin; 0 for none
   * @param told whether the outside system was told
   */
  record RunWalltime(long seconds, boolean told) {
    static final RunWalltime NONE = new RunWalltime(0, true);
  }

  PassedOrders {
    signals = List.copyOf(signals);
  }

  PassedOrders standing(String order) {
    return new PassedOrders(order, hold, limit, last, signals, refusal);
  }

  PassedOrders hold(RunHolding now) {
    return new PassedOrders(standing, now, limit, last, signals, refusal);
  }

  PassedOrders limit(RunWalltime now) {
    return new PassedOrders(standing, hold, now, last, signals, refusal);
  }

  /** With one more signal; without it when its number says that it was given before. */
  PassedOrders signal(int number, int signal) {
    if (number <= last) {
      return this;
    }
    List<Integer> more = new ArrayList<>(signals);
    more.add(signal);
    return new PassedOrders(standing, hold, limit, number, more, refusal);
  }

  /** Without the first signal, as before it is sent: whoever dies then sends it no second time. */
  PassedOrders sent() {
    return new PassedOrders(
        standing, hold, limit, last, signals.subList(1, signals.size()), refusal);
  }

  /**
   * With what was not carried out last, and why.
   *
   * @param now one line; empty for nothing
   */
  PassedOrders refusal(String now) {
    String cut = now.length() > REFUSAL_LONGEST ? now.substring(0, REFUSAL_LONGEST) : now;
    return new PassedOrders(standing, hold, limit, last, signals, cut);
  }

  String line() {
    return String.join(
        ";",
        standing,
        hold.name().toLowerCase(Locale.ROOT),
        limit.seconds() + "," + limit.told(),
        Integer.toString(last),
        signals.stream().map(String::valueOf).collect(Collectors.joining(",")),
        refusal);
  }

  static PassedOrders read(String line) throws IOException {
    Matcher said = LINE.matcher(line);
    if (!said.matches()) {
      throw new IOException("'" + line + "' are no orders");
    }
    List<Integer> signals =
        said.group(6).isEmpty()
            ? List.of()
            : Arrays.stream(said.group(6).split(",")).map(Integer::valueOf).toList();
    return new PassedOrders(
        said.group(1),
        RunHolding.valueOf(said.group(2).toUpperCase(Locale.ROOT)),
        new RunWalltime(Long.parseLong(said.group(3)), Boolean.parseBoolean(said.group(4))),
        Integer.parseInt(said.group(5)),
        signals,
        said.group(7));
  }
}
