package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.state.node.NodeChanges;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.util.Map;

/** Applies the facts of a shard to the books of a scheduler. */
public final class ShardChanges implements ShardFollower {

  private final SchedulerBooks books;
  private final JobChanges jobs;
  private final NodeChanges nodes;

  public ShardChanges(SchedulerBooks books) {
    this.books = books;
    this.jobs = books.jobFacts();
    this.nodes = books.nodeFacts();
  }

  @Override
  public void written(ClusterObject object) {
    if (object.getKind() == ObjectKind.QUEUE) {
      books.rearrangement().queueWritten(object);
    } else {
      books.cluster().written(object);
    }
    if (object.getKind() == ObjectKind.RESOURCE) {
      books.rearrangement().resourcesChanged();
    } else if (object.getKind() == ObjectKind.NODE) {
      nodes.reopen(object.getName());
    }
    if (books.reservable().written(object)) {
      books.reservations().retry();
    }
    books.rearrangement().relevel();
  }

  @Override
  public void deleted(ObjectKind kind, String name) {
    if (kind == ObjectKind.NODE) {
      // Before the node is forgotten, which happens only when nobody holds any of it.
      books.claims().lost(name);
    }
    books.cluster().deleted(kind, name);
    if (kind == ObjectKind.RESOURCE) {
      books.rearrangement().resourcesChanged();
    }
    books.rearrangement().relevel();
  }

  @Override
  public void node(Node node) {
    nodes.node(node);
  }

  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    nodes.up(name, host, measured);
  }

  @Override
  public void nodeDown(String name) {
    nodes.down(name);
  }

  @Override
  public void nodeOffered(String name, int to) {
    nodes.offered(name, to);
  }

  @Override
  public void nodeClosing(String name) {
    nodes.closing(name);
  }

  @Override
  public void nodeGone(String name) {
    books.claims().lost(name);
    nodes.gone(name);
  }

  @Override
  public void reservation(Reservation reservation) {
    books.reservationFacts().reservation(reservation);
  }

  @Override
  public void forgotten(long reservation) {
    books.reservable().forgotten(reservation);
  }

  @Override
  public void job(Job job) {
    jobs.job(job);
  }

  @Override
  public void holds(long number, String holds) {
    jobs.holds(number, holds);
  }

  @Override
  public void transit(long number, boolean on) {
    jobs.transit(number, on);
  }

  @Override
  public void altered(long number, JobSpec spec, boolean askedAnew) {
    jobs.altered(number, spec, askedAnew);
  }

  @Override
  public void moved(long number, String queue, long rank) {
    jobs.moved(number, queue, rank);
  }

  @Override
  public void gone(long number) {
    jobs.gone(number);
  }

  /**
   * A granted run, proposed by this engine or not. The estimated runtime counts from the grant,
   * unless a proposal has set the end.
   */
  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    jobs.granted(number, allocation, atMs);
  }

  @Override
  public void began(long number, long beganMs) {
    jobs.began(number, beganMs);
  }

  @Override
  public void shortened(long number, long beganMs, long walltimeS) {
    jobs.shortened(number, beganMs, walltimeS);
  }

  @Override
  public void suspended(long number, RunSuspended fact) {
    jobs.suspended(number, fact);
  }

  @Override
  public void resumable(long number) {
    jobs.resumable(number);
  }

  @Override
  public void resumed(long number, long atMs) {
    jobs.resumed(number, atMs);
  }

  @Override
  public void ending(long number, long atMs) {
    jobs.ending(number, atMs);
  }

  @Override
  public void requeued(long number) {
    jobs.requeued(number);
  }

  @Override
  public void withdraw(long number) {
    jobs.withdraw(number);
  }
}
