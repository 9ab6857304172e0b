package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideUsage;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers of jobs, times and sizes as all systems of the PBS family write them. */
public final class PbsUnits {

  private static final Pattern ID =
      Pattern.compile("([0-9]{1,12})(?:\\[([0-9]{0,9})])?\\.([A-Za-z0-9][A-Za-z0-9.-]{0,254})");
  private static final Pattern TIME = Pattern.compile("([0-9]{1,9}):([0-9]{2}):([0-9]{2})");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kmgtp]?)b", 2);

  private static final long HOUR_S = 3600;
  private static final long SECOND_MS = 1000;
  private static final int SHIFT = 10;

  private PbsUnits() {}

  /** The number of a job of a server; empty for anything else. */
  public static Optional<OutsideId> id(String text, String server) {
    Matcher form = ID.matcher(text);
    if (!form.matches() || !form.group(3).equals(server)) {
      return Optional.empty();
    }
    String task = form.group(2);
    return Optional.of(
        new OutsideId(
            Long.parseLong(form.group(1)),
            task == null || task.isEmpty() ? 0 : Long.parseLong(task)));
  }

  /** Whether this is the number of a job that another server has made. */
  public static boolean isOfAnother(String text, String server) {
    Matcher form = ID.matcher(text);
    return form.matches() && !form.group(3).equals(server);
  }

  /** Milliseconds of a time in hours, minutes and seconds; 0 when it is none. */
  public static long milliseconds(String text) {
    Matcher form = TIME.matcher(text);
    return form.matches()
        ? (Long.parseLong(form.group(1)) * HOUR_S
                + Long.parseLong(form.group(2)) * 60
                + Long.parseLong(form.group(3)))
            * SECOND_MS
        : 0;
  }

  /** Bytes of a size; -1 when it is none. */
  public static long bytes(String text) {
    Matcher form = SIZE.matcher(text);
    if (!form.matches()) {
      return -1;
    }
    long number = Long.parseLong(form.group(1));
    int steps = form.group(2).isEmpty() ? 0 : "kmgtp".indexOf(form.group(2).toLowerCase()) + 1;
    return number > Long.MAX_VALUE >> (steps * SHIFT) ? -1 : number << (steps * SHIFT);
  }

  /** An exit status; empty when the text is none. */
  public static Optional<Integer> status(String text) {
    return text.matches("-?[0-9]{1,4}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
  }

  /** What a job has used; empty where nothing about it is said. */
  public static Optional<OutsideUsage> usage(Map<String, String> fields) {
    if (!fields.containsKey("resources_used.walltime")) {
      return Optional.empty();
    }
    return Optional.of(
        new OutsideUsage(
            milliseconds(fields.getOrDefault("resources_used.cput", "")),
            milliseconds(fields.get("resources_used.walltime")),
            Math.max(0, bytes(fields.getOrDefault("resources_used.mem", "")) >> SHIFT),
            Math.max(0, bytes(fields.getOrDefault("resources_used.vmem", "")) >> SHIFT)));
  }
}
