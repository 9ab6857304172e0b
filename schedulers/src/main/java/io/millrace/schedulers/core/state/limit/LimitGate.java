package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the limits of the server and of queues leave, for a dialect that decides by itself what
 * starts. What runs is counted as for every policy; what the dialect has decided since {@link
 * #begin}, and what it proposed before and was not granted yet, it has to {@link #take}.
 */
public final class LimitGate {

  /**
   * A limit that is in the way.
   *
   * @param name attribute, entry, and whose it is
   * @param used of it, by what runs or is to run
   */
  public record Reached(String name, long used, long amount) {}

  private final JobBook book;
  private final Eligibility eligibility;
  private final Map<LimitMeter, Long> taken = new HashMap<>();

  public LimitGate(JobBook book, Eligibility eligibility) {
    this.book = book;
    this.eligibility = eligibility;
  }

  /** Forgets what was taken. */
  public void begin() {
    taken.clear();
  }

  /** Chunks with which a job may run, at most {@code most}; one that is not known here may. */
  public int room(long number, int most) {
    long room = most;
    ClassState owner = owner(number);
    for (LimitBound bound : bounds(owner)) {
      long one = bound.needOf(1, owner.shape().chunks());
      long free = bound.amount() - used(bound);
      boolean jobs = bound.rule().resource().isEmpty();
      room = Math.min(room, jobs ? (free >= one ? most : 0) : Math.max(0, free) / one);
    }
    return (int) room;
  }

  /** The first limit that forbids a job to run with this many chunks. */
  public Optional<Reached> reached(long number, int chunks) {
    ClassState owner = owner(number);
    return bounds(owner).stream()
        .filter(it -> used(it) + it.needOf(chunks, owner.shape().chunks()) > it.amount())
        .findFirst()
        .map(it -> new Reached(it.shortage().subject(), used(it), it.amount()));
  }

  /** Whether a job needs some of a resource of which the server has only so much. */
  public boolean needs(long number, String resource) {
    return bounds(owner(number)).stream()
        .anyMatch(
            it ->
                it.queue().isEmpty()
                    && it.rule().attribute().equals(LimitRules.available(resource)));
  }

  /** How often what others leave of the server's resources has changed. */
  public int leaseChanges() {
    return eligibility.leaseChanges();
  }

  /** Counts a job that the dialect starts with this many chunks. */
  public void take(long number, int chunks) {
    ClassState owner = owner(number);
    for (LimitBound bound : bounds(owner)) {
      taken.merge(bound.meter(), bound.needOf(chunks, owner.shape().chunks()), Long::sum);
    }
  }

  /**
   * Counts a job with all chunks that it asks for, for a run that keeps its resources although the
   * shard does not count it: a suspended one.
   */
  public void take(long number) {
    ClassState owner = owner(number);
    if (owner != null) {
      take(number, owner.shape().chunks());
    }
  }

  private long used(LimitBound bound) {
    return bound.meter().used() + taken.getOrDefault(bound.meter(), 0L);
  }

  private ClassState owner(long number) {
    int slot = book.jobs().find(number);
    return slot == JobSlots.NONE ? null : book.classOf(slot);
  }

  private List<LimitBound> bounds(ClassState owner) {
    return owner == null || !eligibility.active() ? List.of() : eligibility.bounds(owner);
  }
}
