package io.millrace.connectors.forward;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Orders to a run that are not carried out yet, and the number of its last signal.
 *
 * @param standing the order to suspend or resume; empty for none
 * @param last number of the order of the last signal; one with a smaller number was sent before
 * @param signals that are to be sent, in their order
 */
record PassedOrders(String standing, int last, List<Integer> signals) {

  static final PassedOrders NONE = new PassedOrders("", 0, List.of());

  private static final Pattern LINE =
      Pattern.compile("([a-z]*);([0-9]{1,9});((?:[0-9]{1,2}(?:,[0-9]{1,2})*)?)");

  PassedOrders {
    signals = List.copyOf(signals);
  }

  PassedOrders standing(String order) {
    return new PassedOrders(order, last, signals);
  }

  /** With one more signal; without it when its number says that it was given before. */
  PassedOrders signal(int number, int signal) {
    if (number <= last) {
      return this;
    }
    List<Integer> more = new ArrayList<>(signals);
    more.add(signal);
    return new PassedOrders(standing, number, more);
  }

  /** Without the first signal, as before it is sent: whoever dies then sends it no second time. */
  PassedOrders sent() {
    return new PassedOrders(standing, last, signals.subList(1, signals.size()));
  }

  String line() {
    return standing
        + ";"
        + last
        + ";"
        + signals.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  static PassedOrders read(String line) throws IOException {
    Matcher said = LINE.matcher(line);
    if (!said.matches()) {
      throw new IOException("'" + line + "' are no orders");
    }
    List<Integer> signals =
        said.group(3).isEmpty()
            ? List.of()
            : Arrays.stream(said.group(3).split(",")).map(Integer::valueOf).toList();
    return new PassedOrders(said.group(1), Integer.parseInt(said.group(2)), signals);
  }
}
