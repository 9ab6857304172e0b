package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The jobs of {@code squeue --json}. */
final class SlurmQueue {

  private static final Set<String> WAITING =
      Set.of("PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD");
  private static final Set<String> SUSPENDED = Set.of("SUSPENDED", "STOPPED");
  private static final Set<String> ENDING = Set.of("COMPLETING", "STAGE_OUT");
  private static final Set<String> ENDED =
      Set.of(
          "COMPLETED",
          "CANCELLED",
          "FAILED",
          "TIMEOUT",
          "NODE_FAIL",
          "PREEMPTED",
          "BOOT_FAIL",
          "DEADLINE",
          "OUT_OF_MEMORY",
          "REVOKED");

  private SlurmQueue() {}

  /**
   * Reads what the command has said.
   *
   * @param table what Slurm calls resources, by their names here
   * @param clusters gets the names of the clusters that jobs say to be of
   */
  static Told<List<OutsideJob>> read(
      OutsideAnswer answer, Map<String, String> table, Consumer<String> clusters) {
    if (!answer.isGood()) {
      return Told.nothing("squeue: " + answer.trouble());
    }
    List<OutsideJob> jobs = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    Optional<String> trouble =
        SlurmJson.read(
            answer.text().reader(),
            "jobs",
            fields -> {
              Optional<OutsideJob> job = job(fields, table);
              job.ifPresent(jobs::add);
              Optional.ofNullable(fields.get("cluster"))
                  .filter(it -> !it.isEmpty())
                  .ifPresent(clusters);
              if (job.isEmpty() && wrong.isEmpty()) {
                wrong.add("a job makes no sense: " + fields.get("job_id"));
              }
            });
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("squeue: " + why.get()) : Told.of(jobs);
  }

  /** A job from its fields; empty when one that is needed is not there. */
  static Optional<OutsideJob> job(Map<String, String> fields, Map<String, String> table) {
    Optional<Long> number = number(fields, "job_id");
    String word = fields.getOrDefault("job_state", "");
    String name = fields.getOrDefault("user_name", "");
    // A uid without a name is no account's here, and as good as any other.
    String account = name.isEmpty() ? fields.getOrDefault("user_id", "") : name;
    if (number.isEmpty() || number.get() == 0 || word.isEmpty() || account.isEmpty()) {
      return Optional.empty();
    }
    long array = number(fields, "array_job_id").orElse(0L);
    OutsideId id =
        array == 0
            ? OutsideId.of(number.get())
            : new OutsideId(array, number(fields, "array_task_id").orElse(0L));
    OutsideState state = state(word, fields.getOrDefault("state_reason", ""));
    String host = fields.getOrDefault("nodes", "");
    return Optional.of(
        new OutsideJob(
            id,
            fields.getOrDefault("name", ""),
            account,
            tag(fields),
            state,
            word,
            OutsideNumber.time(fields.getOrDefault("submit_time", "")),
            host.isEmpty() ? fields.getOrDefault("batch_host", "") : host,
            number(fields, "cpus").orElse(0L),
            state == OutsideState.ENDED ? Optional.of(end(word, fields)) : Optional.empty(),
            array == 0 || id.task() > 0 ? "" : fields.getOrDefault("array_task_string", ""),
            SlurmShares.holdings(
                fields.getOrDefault(SlurmJson.SHARES, ""),
                number(fields, "cpus").orElse(0L),
                fields.getOrDefault(SlurmJson.OF_NODES, ""),
                table)));
  }

  private static Optional<OutsideTag> tag(Map<String, String> fields) {
    return OutsideTag.read(fields.getOrDefault("comment", ""))
        .or(() -> OutsideTag.read(fields.getOrDefault("wckey", "")));
  }

  private static OutsideState state(String word, String reason) {
    if (WAITING.contains(word)) {
      return reason.startsWith("JobHeld") ? OutsideState.HELD : OutsideState.WAITING;
    }
    if (SUSPENDED.contains(word)) {
      return OutsideState.SUSPENDED;
    }
    if (ENDING.contains(word)) {
      return OutsideState.ENDING;
    }
    // A word of a later version: whatever it means, nothing says that the job is over.
    return ENDED.contains(word) ? OutsideState.ENDED : OutsideState.RUNNING;
  }

  static boolean isOver(String word) {
    return ENDED.contains(word);
  }

  /** The end of a job whose fields say the status of a process as {@code wait} gives it. */
  private static OutsideEnd end(String word, Map<String, String> fields) {
    int raw = number(fields, "exit_code").map(Long::intValue).orElse(0);
    return end(word, raw >> 8 & 0xff, raw & 0x7f);
  }

  static OutsideEnd end(String word, int status, int signal) {
    OutsideCause cause =
        switch (word) {
          case "TIMEOUT", "DEADLINE" -> OutsideCause.TIME_LIMIT;
          case "OUT_OF_MEMORY" -> OutsideCause.MEMORY;
          case "NODE_FAIL", "BOOT_FAIL" -> OutsideCause.NODE_LOST;
          case "CANCELLED", "PREEMPTED", "REVOKED" -> OutsideCause.CANCELLED;
          default -> signal == 0 ? OutsideCause.EXITED : OutsideCause.SIGNALLED;
        };
    return new OutsideEnd(
        cause == OutsideCause.EXITED ? status : -1, signal, cause, "Slurm: " + word);
  }

  private static Optional<Long> number(Map<String, String> fields, String name) {
    return OutsideNumber.of(fields.getOrDefault(name, ""));
  }
}
