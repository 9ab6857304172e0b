package io.millrace.server.gateway.trace;

import io.millrace.server.gateway.command.GetOpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the options of tracejob ask for.
 *
 * @param left letters of files that are not looked at: a, s, l
 * @param verbose whether files that cannot be read are named
 * @param prefix folder of the logs; empty for the cluster's own
 * @param days how many, up to today
 * @param events lines of these kinds are left out
 * @param form how what is found is shown
 */
record Tracing(
    String left, boolean verbose, String prefix, int days, int events, TracingForm form) {

  static final String LETTERS = "zvamslw:p:n:f:c:";
  private static final int EXCESSIVE = 15;
  private static final int DAYS_MAX = 10_000;
  private static final int HEXADECIMAL = 16;

  private static final Map<String, Integer> EVENTS =
      Map.ofEntries(
          Map.entry("error", 0x0001),
          Map.entry("system", 0x0002),
          Map.entry("admin", 0x0004),
          Map.entry("job", 0x0008),
          Map.entry("job_usage", 0x0010),
          Map.entry("security", 0x0020),
          Map.entry("sched", 0x0040),
          Map.entry("debug", 0x0080),
          Map.entry("debug2", 0x0100),
          Map.entry("resv", 0x0200),
          Map.entry("debug3", 0x0400),
          Map.entry("debug4", 0x0800),
          Map.entry("force", 0x8000));

  /**
   * @param columns of the terminal, behind which lines go on below; 0: lines are as long as they
   *     are
   * @param excessive so many equal texts are shown once; 0: all are shown
   */
  record TracingForm(int columns, int excessive) {}

  /**
   * @return null for a wrong value
   */
  static Tracing of(List<GetOpt.GivenOption> options, int terminal) {
    StringBuilder left = new StringBuilder();
    boolean verbose = false;
    String prefix = "";
    int days = 1;
    int events = 0;
    int columns = terminal;
    int excessive = EXCESSIVE;
    boolean filter = true;
    for (GetOpt.GivenOption option : options) {
      String value = option.argument();
      switch (option.letter()) {
        case 'v' -> verbose = true;
        case 'z' -> filter = !filter;
        case 'p' -> prefix = value;
        case 'a', 's', 'l', 'm' -> left.append(option.letter());
        case 'n' -> days = Math.min(DAYS_MAX, number(value));
        case 'w' -> columns = number(value);
        case 'c' -> excessive = number(value);
        default -> {
          int more = events(value);
          events = more < 0 ? -1 : value.matches("\\d.*") ? more : events | more;
        }
      }
      if (days < 0 || columns < 0 || excessive < 0 || events < 0) {
        return null;
      }
    }
    TracingForm form = new TracingForm(columns, filter ? Math.max(1, excessive) : 0);
    return new Tracing(left.toString(), verbose, prefix, days, events, form);
  }

  private static int number(String text) {
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : -1;
  }

  private static int events(String text) {
    if (text.matches("\\d[0-9a-fA-F]{0,3}|0x[0-9a-fA-F]{1,4}")) {
      return Integer.parseInt(text.replaceFirst("^0x", ""), HEXADECIMAL);
    }
    return EVENTS.getOrDefault(text, -1);
  }

  boolean leaves(char letter) {
    return left.indexOf(letter) >= 0;
  }

  /** Those of the lines that are to be shown, in their order. */
  List<TracedLine> shown(List<TracedLine> found) {
    List<TracedLine> sorted = new ArrayList<>(found);
    sorted.sort(TracedLine.ORDER);
    Map<String, Integer> left = new java.util.HashMap<>();
    found.forEach(line -> left.merge(line.text(), 1, Integer::sum));
    Map<String, Integer> all = Map.copyOf(left);
    List<TracedLine> shown = new ArrayList<>();
    for (TracedLine line : sorted) {
      boolean last = left.merge(line.text(), -1, Integer::sum) == 0;
      boolean excess = form.excessive > 0 && all.get(line.text()) >= form.excessive && !last;
      if ((line.event() & events) == 0 && !excess) {
        shown.add(line);
      }
    }
    return shown;
  }
}
