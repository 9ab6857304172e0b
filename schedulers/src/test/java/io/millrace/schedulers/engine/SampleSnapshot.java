package io.millrace.schedulers.engine;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.List;
import java.util.function.Consumer;

/** A state, at time 0, in which no scheduler has run and nobody has used anything yet. */
record SampleSnapshot(
    List<ClusterObject> objects, List<Node> nodes, List<Job> jobs, List<Reservation> reservations)
    implements EngineSnapshot {

  static SampleSnapshot of(List<ClusterObject> objects, List<Node> nodes, Job... jobs) {
    return new SampleSnapshot(objects, nodes, List.of(jobs), List.of());
  }

  @Override
  public long timeMs() {
    return 0;
  }

  @Override
  public void objects(Consumer<ClusterObject> each) {
    objects.forEach(each);
  }

  @Override
  public void schedulers(Consumer<Scheduler> each) {
    // None has run yet.
  }

  @Override
  public void usages(Consumer<EntityUsage> each) {
    // Nobody has used anything.
  }

  @Override
  public void reasons(Consumer<Reason> each) {
    // None has been said yet.
  }

  @Override
  public void nodes(Consumer<Node> each) {
    nodes.forEach(each);
  }

  @Override
  public void reservations(Consumer<Reservation> each) {
    reservations.forEach(each);
  }

  @Override
  public void past(Consumer<PastReservation> each) {
    // None has ended yet.
  }

  @Override
  public void jobs(Consumer<Job> each) {
    jobs.forEach(each);
  }
}
