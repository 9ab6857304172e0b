package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
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
  private final InstantSource clock;
  private final Map<Long, OutsideJob> known = new HashMap<>();
  private Instant since;

  EndedJobs(ClusterFile file, OarExchange door, InstantSource clock) {
    this.file = file;
    this.door = door;
    this.clock = clock;
    this.since = clock.instant().minus(Duration.ofHours(file.number(OarKind.ENDS)));
  }

  Told<List<OutsideJob>> read() throws InterruptedException {
    Instant begun = clock.instant();
    Told<List<OutsideJob>> told =
        OarQueue.read(
            door.ask(OarQueue.question(OarQueue.LAST, Optional.of(since.getEpochSecond()))));
    if (!(told instanceof Told.Answered<List<OutsideJob>> answer)) {
      return told;
    }
    Set<Long> shown = new HashSet<>();
    answer.value().stream().filter(this::isOurs).forEach(it -> shown.add(it.id().number()));
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
    if (most == wanted.size()) {
      Instant next = begun.minus(OVERLAP).minus(Duration.ofSeconds(file.number("clock_skew_s")));
      since = next.isAfter(since) ? next : since;
    }
    return Told.of(new ArrayList<>(known.values()));
  }

  private boolean isOurs(OutsideJob job) {
    return job.tag().filter(it -> it.cluster().equals(file.name())).isPresent()
        && file.users().containsValue(job.account());
  }
}
