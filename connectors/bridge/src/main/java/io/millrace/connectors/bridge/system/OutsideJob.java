package io.millrace.connectors.bridge.system;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as an outside system's queue shows it.
 *
 * @param id its number
 * @param name as its owner called it
 * @param account whose job it is
 * @param tag the mark of a run, where the question shows it
 * @param state what it does
 * @param word the state in the outside system's own words
 * @param submitted when it was submitted, where the question shows it
 * @param place host or queue instance; empty when it has none
 * @param slots processors or slots
 * @param end how it ended, once it has
 * @param tasks of an array those that it stands for, in the outside system's words; else empty
 * @param holdings what it has of each of its hosts, where the question shows it; else empty
 */
public record OutsideJob(
    OutsideId id,
    String name,
    String account,
    Optional<OutsideTag> tag,
    OutsideState state,
    String word,
    Optional<Instant> submitted,
    String place,
    long slots,
    Optional<OutsideEnd> end,
    String tasks,
    List<OutsideHolding> holdings) {

  /** Whether it is a job, or stands for it among others. */
  public boolean isOrCovers(OutsideId job) {
    return id.equals(job)
        || !tasks.isEmpty()
            && id.equals(OutsideId.of(job.number()))
            && ArrayIndexes.cover(tasks, job.task());
  }

  /** The same with what it has of its hosts. */
  public OutsideJob having(List<OutsideHolding> hosts) {
    return new OutsideJob(
        id,
        name,
        account,
        tag,
        state,
        word,
        submitted,
        place,
        slots,
        end,
        tasks,
        List.copyOf(hosts));
  }

  /**
   * What it has of each of its hosts, more than once of one perhaps. Which of several hosts has how
   * many processors not each queue says: then an equal part.
   */
  public List<OutsideHolding> shares() {
    return holdings.isEmpty() ? OutsideHolding.parts(place, slots) : holdings;
  }

  /** What a whole list says of jobs: those that it lacks are there no more. */
  public static Map<OutsideId, Optional<OutsideJob>> byNumber(
      List<OutsideJob> all, Collection<OutsideId> ids) {
    Map<OutsideId, OutsideJob> listed = new HashMap<>();
    all.forEach(it -> listed.put(it.id(), it));
    List<OutsideJob> arrays = all.stream().filter(it -> !it.tasks().isEmpty()).toList();
    Map<OutsideId, Optional<OutsideJob>> said = new HashMap<>();
    for (OutsideId id : ids) {
      said.put(
          id,
          Optional.ofNullable(listed.get(id))
              .or(() -> arrays.stream().filter(it -> it.isOrCovers(id)).findFirst()));
    }
    return said;
  }

  /** Those of an answer that have a tag of this cluster. */
  public static Told<List<OutsideJob>> ofCluster(Told<List<OutsideJob>> all, String cluster) {
    if (all instanceof Told.Answered<List<OutsideJob>> answer) {
      return Told.of(
          answer.value().stream()
              .filter(it -> it.tag().filter(tag -> tag.cluster().equals(cluster)).isPresent())
              .toList());
    }
    return all;
  }
}
