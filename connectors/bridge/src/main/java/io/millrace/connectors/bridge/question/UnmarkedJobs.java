package io.millrace.connectors.bridge.question;

import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Jobs that a queue shows without their marks, by whose numbers runs are known. Numbers are given
 * out again, as by a master that was restored, and those of the same account tell nothing apart:
 * where something speaks for that the jobs are looked for by their marks.
 */
public final class UnmarkedJobs {

  private final OutsideSystem system;
  private final InstantSource clock;
  private final QueryPace pace;

  /** Runs whose jobs had their marks. */
  private final Set<OutsideTag> sure = new HashSet<>();

  /**
   * @param pace of the questions for the marks of all jobs
   */
  public UnmarkedJobs(OutsideSystem system, InstantSource clock, QueryPace pace) {
    this.system = system;
    this.clock = clock;
    this.pace = pace;
  }

  /**
   * Whether a job with the number of a run may be another one.
   *
   * @param latest when that of the run was submitted at the latest
   * @param lost whether the run was not heard of until now
   */
  public boolean isDoubtful(OutsideTag run, OutsideJob job, Instant latest, boolean lost) {
    return job.tag().isEmpty() && !sure.contains(run) && (lost || isLater(job, latest));
  }

  /** Whether a job was submitted later than that of a run, as far as both clocks agree. */
  public static boolean isLater(OutsideJob job, Instant latest) {
    return job.submitted().filter(it -> it.isAfter(latest)).isPresent();
  }

  /**
   * The marks of all jobs by their numbers; empty when nobody tells, or is asked now.
   *
   * @param first whether a run is in doubt of which it was known before how it stands: then the
   *     question does not wait
   */
  public Optional<Map<Long, OutsideTag>> marks(boolean first) throws InterruptedException {
    Instant begun = clock.instant();
    if (!first && !pace.isDue(begun)) {
      return Optional.empty();
    }
    Told<List<OutsideJob>> told = system.tagged();
    Duration took = Duration.between(begun, clock.instant());
    if (!(told instanceof Told.Answered<List<OutsideJob>> answer)) {
      pace.failed(begun, took);
      return Optional.empty();
    }
    pace.asked(begun, took);
    Map<Long, OutsideTag> marks = new HashMap<>();
    for (OutsideJob job : answer.value()) {
      job.tag().ifPresent(it -> marks.put(job.id().number(), it));
    }
    return Optional.of(marks);
  }

  /** The job of a run has its mark. */
  public void isSure(OutsideTag run) {
    sure.add(run);
  }

  /** Of a run nothing is known any more. */
  public void forget(OutsideTag run) {
    sure.remove(run);
  }

  /** The system was silent, and may be another one by now. */
  public void forgetAll() {
    sure.clear();
    pace.hurry();
  }
}
