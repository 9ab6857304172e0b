package io.millrace.connectors.oar;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.system.OutsideHolding;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs of {@code GET /jobs}, and where they are. */
final class OarQueue {

  /** As many jobs or resources as one question asks for. */
  static final int MOST = 100_000;

  /** All states but the two last ones. */
  static final List<String> PRESENT =
      List.of(
          "Waiting",
          "Hold",
          "toAckReservation",
          "toLaunch",
          "Launching",
          "Running",
          "Suspended",
          "Resuming",
          "Finishing",
          "toError");

  /** States of jobs that are over. */
  static final List<String> LAST = List.of("Terminated", "Error");

  /**
   * What a job holds.
   *
   * @param hosts how many resources of each host, in the order in which they are told
   */
  record OarPlace(Map<String, Long> hosts) {

    private void add(String host) {
      hosts.merge(host, 1L, Long::sum);
    }

    private long resources() {
      return hosts.values().stream().mapToLong(it -> it).sum();
    }

    private List<OutsideHolding> holdings() {
      return hosts.entrySet().stream()
          .map(it -> OutsideHolding.of(it.getKey(), Map.of(OutsideHolding.NCPUS, it.getValue())))
          .toList();
    }
  }

  /**
   * A list of jobs that counts.
   *
   * @param madeAt when, by the clock of OAR's server, where the list says so
   */
  record ListedJobs(List<OutsideJob> jobs, Optional<Instant> madeAt) {}

  private OarQueue() {}

  /**
   * Asks for a list of jobs. An empty one counts when it comes twice only: the API answers so, with
   * a good status, when its database breaks off.
   */
  static Told<ListedJobs> ask(OarExchange door, OarRequest question) throws InterruptedException {
    OarAnswer answer = door.ask(question);
    Told<List<OutsideJob>> told = read(answer);
    if (told instanceof Told.Answered<List<OutsideJob>> first && first.value().isEmpty()) {
      answer = door.ask(question);
      told = read(answer);
    }
    return told instanceof Told.Answered<List<OutsideJob>> list
        ? Told.of(new ListedJobs(list.value(), OarJson.madeAt(answer)))
        : Told.nothing(((Told.Nothing<List<OutsideJob>>) told).why());
  }

  static OarRequest question(List<String> states, Optional<Long> endedSince) {
    return OarRequest.get(
        "/jobs.json?state="
            + String.join(",", states)
            + endedSince.map(it -> "&from=" + it).orElse("")
            + "&limit="
            + MOST);
  }

  static Told<List<OutsideJob>> read(OarAnswer answer) {
    List<OutsideJob> jobs = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    Optional<String> trouble =
        OarJson.items(
            answer,
            MOST,
            fields -> {
              Optional<OutsideJob> job = job(fields);
              job.ifPresent(jobs::add);
              if (job.isEmpty() && wrong.isEmpty()) {
                wrong.add("a job makes no sense: " + OarAnswer.line(fields.path("id").toString()));
              }
            });
    Optional<String> why = trouble.or(() -> wrong.stream().findFirst());
    return why.isPresent() ? Told.nothing("jobs: " + why.get()) : Told.of(jobs);
  }

  /** A job from its fields; empty when one that is needed is not there. */
  static Optional<OutsideJob> job(JsonNode fields) {
    Optional<Long> number = OarJson.number(fields, "id").filter(it -> it > 0);
    String word = OarJson.text(fields, "state");
    String account = OarJson.text(fields, "owner");
    if (number.isEmpty() || word.isEmpty() || account.isEmpty()) {
      return Optional.empty();
    }
    String name = OarJson.text(fields, "name");
    return Optional.of(
        new OutsideJob(
            OutsideId.of(number.get()),
            name,
            account,
            OarTogether.tag(name, OarJson.text(fields, "command")),
            state(word),
            word,
            OarJson.time(fields, "submission").or(() -> OarJson.time(fields, "submission_time")),
            "",
            0,
            Optional.empty(),
            "",
            List.of()));
  }

  private static OutsideState state(String word) {
    return switch (word) {
      // Of one that is launched the script has not begun yet.
      case "Waiting", "toAckReservation", "toLaunch", "Launching" -> OutsideState.WAITING;
      case "Hold" -> OutsideState.HELD;
      case "Suspended", "Resuming" -> OutsideState.SUSPENDED;
      case "Finishing", "toError" -> OutsideState.ENDING;
      case "Terminated", "Error" -> OutsideState.ENDED;
      // Or a word of a later version: whatever it means, nothing says that the job is over.
      default -> OutsideState.RUNNING;
    };
  }

  static OarRequest placesQuestion() {
    return OarRequest.get("/resources/network_address/jobs.json");
  }

  /**
   * Which job holds what, by its number. A list without any host is none: the API answers so, with
   * a good status, when its database breaks off.
   */
  static Told<Map<Long, OarPlace>> places(OarAnswer answer) {
    Map<Long, OarPlace> places = new HashMap<>();
    int[] hosts = new int[1];
    Optional<String> trouble =
        OarJson.items(
            answer,
            MOST,
            fields -> {
              hosts[0]++;
              String host = OarJson.text(fields, "network_address");
              for (JsonNode job : fields.path("jobs")) {
                if (job.canConvertToLong()) {
                  places
                      .computeIfAbsent(job.asLong(), it -> new OarPlace(new LinkedHashMap<>()))
                      .add(host);
                }
              }
            });
    if (trouble.isEmpty() && hosts[0] == 0) {
      return Told.nothing("hosts: the list is empty; look whether its database answers");
    }
    return trouble.isPresent() ? Told.nothing("hosts: " + trouble.get()) : Told.of(places);
  }

  static OutsideJob at(OutsideJob job, Map<Long, OarPlace> places) {
    OarPlace place = places.get(job.id().number());
    return place == null
        ? job
        : new OutsideJob(
            job.id(),
            job.name(),
            job.account(),
            job.tag(),
            job.state(),
            job.word(),
            job.submitted(),
            place.hosts().keySet().iterator().next(),
            place.resources(),
            job.end(),
            "",
            place.holdings());
  }
}
