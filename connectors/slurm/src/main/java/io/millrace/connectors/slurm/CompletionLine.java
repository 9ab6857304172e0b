package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A line of the file that {@code jobcomp/filetxt} writes. Names of jobs stand in it as they are,
 * with line ends and words that look like fields, so that anybody can write a line about any job: a
 * record of it is never certain.
 */
final class CompletionLine {

  /** The fields in their order. */
  static final List<String> FIELDS =
      List.of(
          "JobId",
          "UserId",
          "GroupId",
          "Name",
          "JobState",
          "Partition",
          "TimeLimit",
          "StartTime",
          "EndTime",
          "NodeList",
          "NodeCnt",
          "ProcCnt",
          "WorkDir",
          "ReservationName",
          "Tres",
          "Account",
          "QOS",
          "WcKey",
          "Cluster",
          "SubmitTime",
          "EligibleTime",
          "DerivedExitCode",
          "ExitCode");

  private CompletionLine() {}

  /**
   * Takes a line apart from its end, where no user's words stand; empty when it is none. What
   * stands behind the last field is kept with it.
   */
  static Optional<Map<String, String>> fields(String line) {
    Map<String, String> backwards = new LinkedHashMap<>();
    int end = line.length();
    for (int i = FIELDS.size() - 1; i >= 0; i--) {
      String begin = (i == 0 ? "" : " ") + FIELDS.get(i) + "=";
      int at = i == 0 ? (line.startsWith(begin) ? 0 : -1) : line.lastIndexOf(begin, end - 1);
      if (at < 0 || at + begin.length() > end) {
        return Optional.empty();
      }
      backwards.put(FIELDS.get(i), line.substring(at + begin.length(), end).stripTrailing());
      end = at;
    }
    Map<String, String> fields = new LinkedHashMap<>();
    FIELDS.forEach(it -> fields.put(it, backwards.get(it)));
    return Optional.of(fields);
  }

  /** The record of a line; empty when it is none or makes no sense. */
  static Optional<OutsideRecord> record(String line, ZoneId zone) {
    return fields(line).flatMap(it -> record(it, zone));
  }

  private static Optional<OutsideRecord> record(Map<String, String> fields, ZoneId zone) {
    String user = fields.get("UserId");
    int bracket = user.lastIndexOf('(');
    String[] exit = fields.get("ExitCode").split(" ")[0].split(":");
    if (!fields.get("JobId").matches("[0-9]{1,18}")
        || bracket <= 0
        || exit.length != 2
        || !exit[0].matches("[0-9]{1,3}")
        || !exit[1].matches("[0-9]{1,3}")) {
      return Optional.empty();
    }
    return Optional.of(
        new OutsideRecord(
            OutsideId.of(Long.parseLong(fields.get("JobId"))),
            user.substring(0, bracket),
            OutsideTag.read(fields.get("WcKey")),
            time(fields.get("SubmitTime"), zone),
            SlurmQueue.end(
                fields.get("JobState"), Integer.parseInt(exit[0]), Integer.parseInt(exit[1])),
            false,
            fields));
  }

  private static Optional<Instant> time(String text, ZoneId zone) {
    try {
      return Optional.of(LocalDateTime.parse(text).atZone(zone).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
