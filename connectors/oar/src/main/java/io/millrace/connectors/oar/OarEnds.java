package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** How jobs have ended, by what {@code GET /jobs/details} says of them. */
final class OarEnds {

  /** Somebody, or OAR for somebody, had it killed. */
  private static final Set<String> KILLED =
      Set.of("BESTEFFORT_KILL", "FRAG_JOB_REQUEST", "SEND_KILL_JOB");

  /** Its host did not do what OAR wanted, before, while or after the script ran. */
  private static final Set<String> HOST =
      Set.of(
          "EXTERMINATE_JOB",
          "PING_CHECKER_NODE_SUSPECTED",
          "CPUSET_ERROR",
          "PROLOGUE_ERROR",
          "SERVER_PROLOGUE_EXIT_CODE_ERROR",
          "SERVER_PROLOGUE_TIMEOUT",
          "CANNOT_WRITE_NODE_FILE",
          "CANNOT_WRITE_PID_FILE",
          "CANNOT_CREATE_TMP_DIRECTORY",
          "USER_SHELL",
          "LAUNCHING_OAREXEC_TIMEOUT",
          "BAD_HASHTABLE_DUMP",
          "SSH_TRANSFER_TIMEOUT",
          "EXIT_VALUE_OAREXEC");

  /** OAR could not begin the command. */
  private static final Set<String> NOT_BEGUN = Set.of("WORKING_DIRECTORY", "OUTPUT_FILES");

  private OarEnds() {}

  static OarRequest question(Collection<Long> numbers) {
    return OarRequest.get(
        "/jobs/details.json?ids="
            + numbers.stream().map(Object::toString).collect(Collectors.joining(":"))
            + "&limit="
            + OarQueue.MOST);
  }

  /** Those of the jobs that are over, with their ends. */
  static Told<List<OutsideJob>> read(OarAnswer answer) {
    List<OutsideJob> ended = new ArrayList<>();
    Optional<String> trouble =
        OarJson.items(answer, OarQueue.MOST, fields -> job(fields).ifPresent(ended::add));
    return trouble.isPresent() ? Told.nothing("details: " + trouble.get()) : Told.of(ended);
  }

  /**
   * Jobs by their numbers, those that are over with their ends, and empty for one that the answer
   * does not have.
   */
  static Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
      OarAnswer answer, Collection<Long> numbers) {
    Map<OutsideId, Optional<OutsideJob>> jobs = new HashMap<>();
    numbers.forEach(it -> jobs.put(OutsideId.of(it), Optional.empty()));
    List<String> wrong = new ArrayList<>();
    Optional<String> trouble =
        OarJson.items(
            answer,
            OarQueue.MOST,
            fields -> {
              Optional<OutsideJob> job = job(fields).or(() -> OarQueue.job(fields));
              job.ifPresent(it -> jobs.replace(it.id(), job));
              if (job.isEmpty()) {
                wrong.add("a job makes no sense: " + OarAnswer.line(fields.path("id").toString()));
              }
            });
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("details: " + why.get()) : Told.of(jobs);
  }

  /** A job that is over; empty for another one, and for one that makes no sense. */
  static Optional<OutsideJob> job(JsonNode fields) {
    return OarQueue.job(fields)
        .filter(it -> OarQueue.LAST.contains(it.word()))
        .map(
            it ->
                new OutsideJob(
                    it.id(),
                    it.name(),
                    it.account(),
                    it.tag(),
                    it.state(),
                    it.word(),
                    it.submitted(),
                    OarJson.text(fields.path("nodes").path(0), "network_address"),
                    0,
                    Optional.of(end(it.word(), fields)),
                    "",
                    List.of()));
  }

  private static OutsideEnd end(String word, JsonNode fields) {
    if (word.equals("Terminated")) {
      return OarJson.number(fields, "exit_code")
          .map(OarEnds::exited)
          .orElse(OutsideEnd.of(OutsideCause.UNKNOWN, "OAR: Terminated, without an exit code"));
    }
    Optional<JsonNode> why = event(fields, Set.of("WALLTIME"));
    if (why.isPresent()) {
      return OutsideEnd.of(OutsideCause.TIME_LIMIT, words(why.get()));
    }
    why = event(fields, HOST);
    if (why.isPresent()) {
      return OutsideEnd.of(OutsideCause.NODE_LOST, words(why.get()));
    }
    // The event of a kill for a local job says more than that of the kill itself.
    why =
        event(fields, Set.of("BESTEFFORT_KILL"))
            .or(() -> event(fields, Set.of("FRAG_JOB_REQUEST")))
            .or(() -> event(fields, KILLED));
    if (why.isPresent()) {
      return OutsideEnd.of(OutsideCause.CANCELLED, words(why.get()));
    }
    why = event(fields, NOT_BEGUN);
    if (why.isPresent() || OarJson.number(fields, "start_time").filter(it -> it == 0).isPresent()) {
      return OutsideEnd.of(
          OutsideCause.NOT_BEGUN, why.map(OarEnds::words).orElse("OAR: Error before it began"));
    }
    return OutsideEnd.of(
        OutsideCause.UNKNOWN, "OAR: Error " + OarAnswer.line(OarJson.text(fields, "message")));
  }

  /** An exit code is a status of a process as {@code wait} gives it. */
  private static OutsideEnd exited(long raw) {
    int signal = (int) (raw & 0x7f);
    int status = (int) (raw >> 8 & 0xff);
    return signal == 0
        ? new OutsideEnd(status, 0, OutsideCause.EXITED, "OAR: Terminated")
        : new OutsideEnd(-1, signal, OutsideCause.SIGNALLED, "OAR: Terminated");
  }

  /** The first event of these types. */
  private static Optional<JsonNode> event(JsonNode fields, Set<String> types) {
    for (JsonNode event : fields.path("events")) {
      if (types.contains(OarJson.text(event, "type"))) {
        return Optional.of(event);
      }
    }
    return Optional.empty();
  }

  private static String words(JsonNode event) {
    return OarAnswer.line(
        "OAR: " + OarJson.text(event, "type") + " " + OarJson.text(event, "description"));
  }
}
