package io.millrace.connectors.openpbs;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsResources;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The jobs of {@code qstat -f -F json}, with those that are over of {@code qstat -x}. */
final class PbsQueue {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT);

  /** The substate of a job that somebody has deleted. */
  private static final String TERMINATED = "91";

  private static final int SHELL = 128;

  /** The letter of a job that has gone to another server, of which this one knows no more. */
  private static final String MOVED = "M";

  private PbsQueue() {}

  /**
   * Reads what the command has said.
   *
   * @param table what resources are called there, by their names here
   */
  static Told<List<OutsideJob>> read(
      OutsideAnswer answer, String server, ZoneId zone, Map<String, String> table) {
    List<OutsideJob> jobs = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    Optional<String> trouble =
        PbsJson.read(
            answer,
            server,
            "Jobs",
            (name, fields) -> {
              if (PbsUnits.isOfAnother(name, server)) {
                // Moved in from there, with the number that it had: none of ours.
                return;
              }
              Optional<OutsideJob> job = job(name, fields, server, zone, table);
              job.filter(it -> !it.word().equals(MOVED)).ifPresent(jobs::add);
              if (job.isEmpty() && wrong.isEmpty()) {
                wrong.add("a job makes no sense: " + name);
              }
            });
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("qstat: " + why.get()) : Told.of(jobs);
  }

  /** A job from its fields; empty when one that is needed is not there. */
  static Optional<OutsideJob> job(
      String name,
      Map<String, String> fields,
      String server,
      ZoneId zone,
      Map<String, String> table) {
    Optional<OutsideId> id = PbsUnits.id(name, server);
    String word = fields.getOrDefault("job_state", "");
    String owner = fields.getOrDefault("Job_Owner", "");
    int at = owner.lastIndexOf('@');
    if (id.isEmpty() || word.isEmpty() || at <= 0) {
      return Optional.empty();
    }
    OutsideState state = state(word);
    return Optional.of(
        new OutsideJob(
            id.get(),
            fields.getOrDefault("Job_Name", ""),
            owner.substring(0, at),
            tag(fields),
            state,
            word,
            time(fields.getOrDefault("ctime", ""), zone),
            fields.getOrDefault("exec_host", "").split("[/+]", 2)[0],
            slots(fields.getOrDefault("Resource_List.ncpus", "")),
            state == OutsideState.ENDED
                ? Optional.of(end(fields, tag(fields).isPresent()))
                : Optional.empty(),
            "",
            holdings(fields, table)));
  }

  private static List<OutsideHolding> holdings(
      Map<String, String> fields, Map<String, String> table) {
    return PbsResources.holdings(
        fields.getOrDefault("exec_host", ""), fields.getOrDefault("exec_vnode", ""), table);
  }

  private static Optional<OutsideTag> tag(Map<String, String> fields) {
    return OutsideTag.read(fields.getOrDefault("project", ""))
        .or(() -> OutsideTag.read(fields.getOrDefault("Variable_List.MILLRACE", "")));
  }

  private static OutsideState state(String word) {
    return switch (word) {
      case "Q", "W", "T", MOVED -> OutsideState.WAITING;
      case "H" -> OutsideState.HELD;
      case "S", "U" -> OutsideState.SUSPENDED;
      case "E" -> OutsideState.ENDING;
      case "F", "X" -> OutsideState.ENDED;
      // R, B, and a letter of a later version: nothing says that the job is over.
      default -> OutsideState.RUNNING;
    };
  }

  private static OutsideEnd end(Map<String, String> fields, boolean ours) {
    Optional<Integer> status = PbsUnits.status(fields.getOrDefault("Exit_status", ""));
    String comment = fields.getOrDefault("comment", "");
    boolean deleted = fields.getOrDefault("substate", "").equals(TERMINATED);
    OutsideEnd end =
        status
            .map(it -> PbsEnds.of(it, ours))
            .orElse(
                OutsideEnd.of(
                    deleted
                        ? OutsideCause.CANCELLED
                        : fields.containsKey("stime")
                            ? OutsideCause.UNKNOWN
                            : OutsideCause.NOT_BEGUN,
                    "OpenPBS: " + comment));
    // A shell that outlives the signal says it in its status.
    if (deleted && (end.cause() == OutsideCause.SIGNALLED || end.status() > SHELL)) {
      end = new OutsideEnd(-1, end.signal(), OutsideCause.CANCELLED, "OpenPBS: " + comment);
    }
    return PbsUnits.usage(fields).map(end::withUsage).orElse(end);
  }

  private static long slots(String text) {
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }

  private static Optional<Instant> time(String text, ZoneId zone) {
    try {
      return Optional.of(
          LocalDateTime.parse(text.replaceAll(" +", " "), TIME).atZone(zone).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
