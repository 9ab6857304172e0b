package io.millrace.ops.faults.evidence;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the accounting of an outside system says of a job, read without the connectors' own code.
 *
 * @param tag of the run that it was submitted for; empty for a job of others
 * @param number of the job there
 * @param exited whether it has ended by itself
 * @param lost whether it was lost with its host, as the system says
 * @param status of an exit
 * @param endMs when it ended, by the full second
 */
public record OutsideAccount(
    String tag, long number, boolean exited, boolean lost, int status, long endMs) {

  private static final Pattern SLURM =
      Pattern.compile(
          "JobId=([0-9]{1,18}) .* JobState=(\\S+) .* EndTime=(\\S+) .* WcKey=(\\S*) .*"
              + " ExitCode=([0-9]{1,3}):([0-9]{1,3}).*");

  /** By what a tag says whose home's it is. */
  private static final Pattern HOME = Pattern.compile("\\.[a-z][a-z0-9]{5}$");

  private static final String NUMBER = "[0-9]{1,18}";

  /** Fields of a line of Grid Engine's. */
  private static final int JOB = 5;

  private static final int ACCOUNT = 6;
  private static final int END = 10;
  private static final int FAILED = 11;
  private static final int STATUS = 12;

  /** A shell that says it was a signal. */
  private static final int SIGNALLED = 128;

  /** A tag without the mark of its home: what is compared is of one home. */
  public static String ofHome(String tag) {
    return HOME.matcher(tag).replaceFirst("");
  }

  /** A line of {@code jobcomp/filetxt}; empty when it is none. */
  public static Optional<OutsideAccount> slurm(String line, ZoneId zone) {
    Matcher found = SLURM.matcher(line);
    if (!found.matches()) {
      return Optional.empty();
    }
    String state = found.group(2);
    int status = Integer.parseInt(found.group(5));
    boolean ended = state.equals("COMPLETED") || state.equals("FAILED");
    try {
      long endMs = LocalDateTime.parse(found.group(3)).atZone(zone).toInstant().toEpochMilli();
      return Optional.of(
          new OutsideAccount(
              ofHome(found.group(4)),
              Long.parseLong(found.group(1)),
              ended && found.group(6).equals("0") && status <= SIGNALLED,
              state.equals("NODE_FAIL"),
              status,
              endMs));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** A line of Grid Engine's accounting file; empty when it is none. */
  public static Optional<OutsideAccount> gridEngine(String line) {
    String[] fields = line.split(":");
    if (line.startsWith("#")
        || fields.length <= STATUS
        || !fields[JOB].matches(NUMBER)
        || !fields[END].matches(NUMBER)
        || !fields[STATUS].matches("[0-9]{1,9}")) {
      return Optional.empty();
    }
    int status = Integer.parseInt(fields[STATUS]);
    return Optional.of(
        new OutsideAccount(
            ofHome(fields[ACCOUNT]),
            Long.parseLong(fields[JOB]),
            fields[FAILED].equals("0") && status <= SIGNALLED,
            false,
            status,
            Long.parseLong(fields[END]) * 1000));
  }
}
