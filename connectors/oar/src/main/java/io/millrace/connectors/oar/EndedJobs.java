package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Jobs of ours that are over. OAR keeps them for ever, so that the question needs a beginning: what
 * is remembered here only makes it shorter, and a job that has ended is never another one again.
 */
final class EndedJobs {

  /** By so much questions overlap: a number can be learnt some time after its job has ended. */
  private static final Duration OVERLAP = Duration.ofMinutes(15);

  /** Jobs of one question for details, whose numbers stand in its address. */
  static final int BATCH = 50;

  /** Questions for details in one call; what is left comes with the next one. */
  static final int BATCHES = 8;

  private final ClusterFile file;
  private final OarExchange door;
  private final OarTogether together;
  private final Map<Long, OutsideJob> known = new HashMap<>();

  /** From when on ends are asked for, by the clock of OAR's server, which writes them down. */
  private Optional<Instant> since = Optional.empty();

  EndedJobs(ClusterFile file, OarExchange door, OarTogether together) {
    this.file = file;
    this.door = door;
    this.together = together;
  }

  /** All that the list shows, without their ends. */
  Told<List<OutsideJob>> listed() throws InterruptedException {
    Told<OarQueue.ListedJobs> told = list();
    return told instanceof Told.Answered<OarQueue.ListedJobs> answer
        ? Told.of(answer.value().jobs().stream().filter(this::isOurs).toList())
        : Told.nothing(((Told.Nothing<OarQueue.ListedJobs>) told).why());
  }

  private Told<OarQueue.ListedJobs> list() throws InterruptedException {
    if (since.isEmpty()) {
      OarAnswer version = door.ask(OarRequest.get("/version.json"));
      since =
          OarJson.madeAt(version).map(it -> it.minus(Duration.ofHours(file.number(OarKind.ENDS))));
      if (since.isEmpty()) {
        String why = version.isGood() ? "it says no time" : version.trouble();
        return Told.nothing("clock of OAR's server: " + why);
      }
    }
    Told<OarQueue.ListedJobs> told =
        OarQueue.ask(door, OarQueue.question(OarQueue.LAST, since.map(Instant::getEpochSecond)));
    if (!(told instanceof Told.Answered<OarQueue.ListedJobs> list)) {
      return told;
    }
    Told<List<OutsideJob>> named = together.named(list.value().jobs());
    return named instanceof Told.Answered<List<OutsideJob>> jobs
        ? Told.of(new OarQueue.ListedJobs(jobs.value(), list.value().madeAt()))
        : Told.nothing(((Told.Nothing<List<OutsideJob>>) named).why());
  }

  /** Those of which the end is known; what is left comes with a later call. */
  Told<List<OutsideJob>> read() throws InterruptedException {
    Told<OarQueue.ListedJobs> told = list();
    if (!(told instanceof Told.Answered<OarQueue.ListedJobs> answer)) {
      return Told.nothing(((Told.Nothing<OarQueue.ListedJobs>) told).why());
    }
    Set<Long> shown = new HashSet<>();
    answer.value().jobs().stream().filter(this::isOurs).forEach(it -> shown.add(it.id().number()));
    known.keySet().retainAll(shown);
    // The newest first: they are those that somebody waits for.
    List<Long> wanted =
        shown.stream()
            .filter(it -> !known.containsKey(it))
            .sorted(Comparator.reverseOrder())
            .toList();
    int most = Math.min(wanted.size(), BATCH * BATCHES);
    for (int from = 0; from < most; from += BATCH) {
      List<Long> some = wanted.subList(from, Math.min(most, from + BATCH));
      Told<List<OutsideJob>> details = OarEnds.read(door.ask(OarEnds.question(some)));
      if (!(details instanceof Told.Answered<List<OutsideJob>> ends)) {
        return details;
      }
      ends.value().stream()
          .filter(it -> some.contains(it.id().number()))
          .forEach(it -> known.put(it.id().number(), it));
    }
    // Behind an empty list, or one with ends that are not known yet, no question may begin.
    if (!answer.value().jobs().isEmpty() && known.keySet().containsAll(shown)) {
      since = answer.value().madeAt().map(it -> later(it.minus(OVERLAP))).or(() -> since);
    }
    return Told.of(new ArrayList<>(known.values()));
  }

  private Instant later(Instant moment) {
    return since.filter(it -> it.isAfter(moment)).orElse(moment);
  }

  private boolean isOurs(OutsideJob job) {
    return job.tag().filter(it -> it.cluster().equals(file.name())).isPresent()
        && file.users().containsValue(job.account());
  }
}
