package io.millrace.server.streams.engine;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.engine.EngineAudience;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import io.millrace.server.streams.measure.ShardMeasures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The tables of a shard as snapshots for its engines.
 *
 * <p>Simple semantics: each engine that begins reads all jobs and keeps those that concern it. When
 * a shard begins all its engines do so at once, so the jobs are read for all of them together,
 * unless there are so many that they cannot be kept meanwhile.
 *
 * <p>Used by the shard's thread.
 */
public final class EngineSnapshots {

  /** Most jobs that are kept, decoded, for engines that are about to begin. */
  static final int KEPT_MAX = 50_000;

  private final View view;
  private final ShardMeasures measures;
  private final EngineAudience audience;

  /** Scheduler objects whose engines are about to begin. */
  private final Set<String> expected = new TreeSet<>();

  /** Jobs that concern those, by scheduler object; empty until the first one reads. */
  private Map<String, List<Job>> kept = new HashMap<>();

  public EngineSnapshots(View view, ShardMeasures measures, EngineAudience audience) {
    this.view = view;
    this.measures = measures;
    this.audience = audience;
  }

  /** The engines of these scheduler objects are about to begin. */
  public void expect(Collection<String> schedulers) {
    expected.clear();
    expected.addAll(schedulers);
    kept.clear();
  }

  /** The shard has changed: jobs that were read are not as they are now. */
  public void changed() {
    kept.clear();
  }

  /** The tables as they are now, for the engine of a scheduler object. */
  public EngineSnapshot of(String scheduler) {
    return new TableSnapshot(this, scheduler);
  }

  private void jobs(String scheduler, Consumer<Job> each) {
    if (!kept.containsKey(scheduler) && expected.contains(scheduler) && expected.size() > 1) {
      keep();
    }
    expected.remove(scheduler);
    List<Job> its = kept.remove(scheduler);
    if (its != null) {
      its.forEach(each);
    } else {
      eachJob(
          job -> {
            if (audience.concerns(scheduler, job)) {
              each.accept(job);
            }
          });
    }
  }

  /** Reads for all that are expected, where there are not too many. */
  private void keep() {
    long[] jobs = {0};
    view.queues().each(queue -> queue.getCounts().values().forEach(count -> jobs[0] += count));
    if (jobs[0] > KEPT_MAX) {
      return;
    }
    Map<String, List<Job>> all = new HashMap<>();
    expected.forEach(scheduler -> all.put(scheduler, new ArrayList<>()));
    eachJob(
        job ->
            all.forEach(
                (scheduler, its) -> {
                  if (audience.concerns(scheduler, job)) {
                    its.add(job);
                  }
                }));
    kept = all;
  }

  private void eachJob(Consumer<Job> each) {
    measures.begin();
    view.jobs()
        .each(
            job -> {
              if (job.getStatus() != JobStatus.FINISHED) {
                each.accept(job);
                measures.known(job);
              }
            });
  }

  private record TableSnapshot(EngineSnapshots all, String scheduler) implements EngineSnapshot {

    @Override
    public long timeMs() {
      return ShardNumbers.of(all.view).getTimeMs();
    }

    @Override
    public void objects(Consumer<ClusterObject> each) {
      all.view.objects().each(each);
    }

    @Override
    public void schedulers(Consumer<Scheduler> each) {
      all.view.schedulers().each(each);
    }

    @Override
    public void usages(Consumer<EntityUsage> each) {
      all.view.table(EntityUsage.class).each(each);
    }

    @Override
    public void reasons(Consumer<Reason> each) {
      all.view
          .reasons()
          .each(
              reason -> {
                if (reason.getScheduler().equals(scheduler)) {
                  each.accept(reason);
                }
              });
    }

    @Override
    public void nodes(Consumer<Node> each) {
      all.view.nodes().each(each);
    }

    @Override
    public void jobs(Consumer<Job> each) {
      all.jobs(scheduler, each);
    }

    @Override
    public void reservations(Consumer<Reservation> each) {
      all.view.table(Reservation.class).each(each);
    }

    @Override
    public void past(Consumer<PastReservation> each) {
      all.view.table(PastReservation.class).each(each);
    }
  }
}
