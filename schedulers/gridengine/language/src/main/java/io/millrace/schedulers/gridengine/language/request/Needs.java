package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a job can run, and where it would rather.
 *
 * @param hard -l
 * @param soft -soft -l: each one that is not met counts against a place
 * @param queues -q; empty for any
 * @param softQueues -soft -q
 * @param environment -pe
 */
public record Needs(
    List<AttributeRequest> hard,
    List<AttributeRequest> soft,
    List<QueueRequest> queues,
    List<QueueRequest> softQueues,
    Optional<EnvironmentRequest> environment) {

  public static final Needs NONE =
      new Needs(List.of(), List.of(), List.of(), List.of(), Optional.empty());

  public boolean parallel() {
    return environment.isPresent();
  }

  /** Smallest and largest number of slots that the job accepts. */
  public int leastSlots() {
    return environment.map(it -> it.slots().least()).orElse(1);
  }

  public int mostSlots() {
    return environment.map(it -> it.slots().most()).orElse(1);
  }

  /** A copy with at most this many slots; empty when no requested number is that small. */
  public Optional<Needs> atMost(int most) {
    if (most >= mostSlots()) {
      return Optional.of(this);
    }
    return environment
        .flatMap(it -> it.slots().atMost(most).map(left -> new EnvironmentRequest(it.name(), left)))
        .map(it -> new Needs(hard, soft, queues, softQueues, Optional.of(it)));
  }

  /** A copy that avoids these hosts. */
  public Needs avoiding(Set<String> hosts) {
    List<QueueRequest> asked = queues.isEmpty() ? List.of(new QueueRequest("*")) : queues;
    List<QueueRequest> others =
        asked.stream().map(queue -> new QueueRequest(queue.text(), hosts)).toList();
    return new Needs(hard, soft, others, softQueues, environment);
  }

  public boolean hasSoft() {
    return !soft.isEmpty() || !softQueues.isEmpty();
  }

  public Optional<AttributeRequest> hard(String name) {
    return hard.stream().filter(request -> request.complex().name().equals(name)).findFirst();
  }

  public boolean requests(Complex complex) {
    return hard.stream().anyMatch(request -> request.complex().equals(complex));
  }

  /** Amount of a consumable per slot (per job for a job consumable), requested or by default. */
  public double amount(Complex complex) {
    return hard.stream()
        .filter(request -> request.complex().equals(complex))
        .findFirst()
        .map(AttributeRequest::amount)
        .orElseGet(complex::usualAmount);
  }

  /** The hard requests by name, as scheduling information quotes them. */
  public String quoted() {
    return hard.isEmpty()
        ? "NONE"
        : hard.stream().map(AttributeRequest::toString).sorted().collect(Collectors.joining(","));
  }
}
