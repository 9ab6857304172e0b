package io.millrace.connectors.torque;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.openpbs.family.PbsUnits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The jobs of {@code qstat -x}, with those that are over and that the server still keeps. */
final class TorqueQueue {

  private static final Pattern PER_NODE = Pattern.compile("1:ppn=([0-9]{1,6})(:.*)?");
  private static final Pattern VARIABLE = Pattern.compile("(?:^|,)MILLRACE=([^,]*)");

  private TorqueQueue() {}

  /**
   * Reads what the command has said.
   *
   * @param table what resources are called there, by their names here
   */
  static Told<List<OutsideJob>> read(
      OutsideAnswer answer, String server, Map<String, String> table) {
    List<OutsideJob> jobs = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    List<String> foreign = new ArrayList<>();
    Optional<String> trouble =
        TorqueXml.read(
            answer,
            "Job",
            fields -> {
              if (PbsUnits.isOfAnother(fields.getOrDefault("Job_Id", ""), server)) {
                // Moved in from there, with the number that it had: none of ours.
                foreign.add(fields.get("Job_Id"));
                return;
              }
              Optional<OutsideJob> job = job(fields, server, table);
              job.ifPresent(jobs::add);
              if (job.isEmpty() && wrong.isEmpty()) {
                wrong.add("a job makes no sense: " + fields.get("Job_Id"));
              }
            });
    if (jobs.isEmpty() && wrong.isEmpty() && !foreign.isEmpty()) {
      // Torque does not say whose answer it is; the numbers alone do.
      wrong.add("all jobs are of another server, as " + foreign.get(0));
    }
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("qstat: " + why.get()) : Told.of(jobs);
  }

  /** A job from its fields; empty when one that is needed is not there. */
  static Optional<OutsideJob> job(
      Map<String, String> fields, String server, Map<String, String> table) {
    Optional<OutsideId> id = PbsUnits.id(fields.getOrDefault("Job_Id", ""), server);
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
            OutsideNumber.time(fields.getOrDefault("ctime", "")),
            fields.getOrDefault("exec_host", "").split("[/+]", 2)[0],
            slots(fields.getOrDefault("Resource_List.nodes", "")),
            state == OutsideState.ENDED
                ? Optional.of(end(fields, tag(fields).isPresent()))
                : Optional.empty(),
            "",
            TorqueShares.holdings(fields, table)));
  }

  private static Optional<OutsideTag> tag(Map<String, String> fields) {
    Matcher variable = VARIABLE.matcher(fields.getOrDefault("Variable_List", ""));
    return OutsideTag.read(fields.getOrDefault("Account_Name", ""))
        .or(() -> variable.find() ? OutsideTag.read(variable.group(1)) : Optional.empty());
  }

  private static OutsideState state(String word) {
    return switch (word) {
      case "Q", "W", "T" -> OutsideState.WAITING;
      case "H" -> OutsideState.HELD;
      case "S" -> OutsideState.SUSPENDED;
      case "E" -> OutsideState.ENDING;
      case "C" -> OutsideState.ENDED;
      // R, and a letter of a later version: nothing says that the job is over.
      default -> OutsideState.RUNNING;
    };
  }

  private static OutsideEnd end(Map<String, String> fields, boolean ours) {
    OutsideEnd end =
        PbsUnits.status(fields.getOrDefault("exit_status", ""))
            .map(it -> TorqueEnds.of(it, ours))
            .orElseGet(() -> withoutStatus(fields.containsKey("start_time")));
    return PbsUnits.usage(fields).map(end::withUsage).orElse(end);
  }

  private static OutsideEnd withoutStatus(boolean began) {
    return began
        ? OutsideEnd.of(OutsideCause.UNKNOWN, "Torque: no exit status")
        : OutsideEnd.of(OutsideCause.NOT_BEGUN, "Torque: deleted before it began");
  }

  private static long slots(String nodes) {
    Matcher form = PER_NODE.matcher(nodes);
    return form.matches() ? Long.parseLong(form.group(1)) : nodes.matches("1(:.*)?") ? 1 : 0;
  }
}
