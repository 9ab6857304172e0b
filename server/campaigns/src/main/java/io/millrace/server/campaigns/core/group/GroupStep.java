package io.millrace.server.campaigns.core.group;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A task that is over, as its job has written it down.
 *
 * @param exitStatus 0 to 255
 * @param ranMs for how long, in milliseconds
 */
record GroupStep(int task, int exitStatus, long ranMs) {

  private static final Pattern LINE = Pattern.compile("(\\d{1,9}) (\\d{1,3}) (\\d{1,12})");

  /** The lines up to the first that is none: it was cut short, or somebody else wrote it. */
  static List<GroupStep> parse(String text) {
    List<GroupStep> steps = new ArrayList<>();
    int from = 0;
    // The last line has no end when its writer was killed in the middle.
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      Matcher parts = LINE.matcher(text.substring(from, end));
      if (!parts.matches()) {
        break;
      }
      steps.add(
          new GroupStep(
              Integer.parseInt(parts.group(1)),
              Integer.parseInt(parts.group(2)),
              Long.parseLong(parts.group(3))));
      from = end + 1;
    }
    return steps;
  }
}
