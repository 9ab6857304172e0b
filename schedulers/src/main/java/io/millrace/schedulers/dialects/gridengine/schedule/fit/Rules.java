package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complex.Requestable;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.ObjectAccess;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Rules that exclude a place for a job at any time: -q, queue types, environments, access lists,
 * projects, forced attributes.
 */
public final class Rules {

  private final Cluster cluster;
  private final List<Place> places;
  private final List<Complex> forced;
  private final Map<String, List<Place>> byQueue;

  /** Places that each -q name matches. */
  private final Map<QueueRequest, BitSet> named = new HashMap<>();

  /** Places that offer each environment, by its name. */
  private final Map<String, BitSet> offering = new HashMap<>();

  /** Environment of the last look-up, which is usually asked for again. */
  private ParallelEnvironment lastEnvironment;

  private BitSet lastOffering;

  /** Number of comparisons of a job with a place, which measures the work of a run. */
  private long looked;

  private final BitSet batch = new BitSet();
  private final BitSet interactive = new BitSet();

  /** Places whose access is restricted. */
  private final BitSet restricted = new BitSet();

  public Rules(Cluster cluster, List<Place> places) {
    this.cluster = cluster;
    this.places = places;
    this.byQueue = places.stream().collect(Collectors.groupingBy(place -> place.queue().queue()));
    this.forced =
        cluster.complexes().all().stream()
            .filter(complex -> complex.use().requestable() == Requestable.FORCED)
            .toList();
    for (Place place : places) {
      batch.set(place.number(), place.queue().batch());
      interactive.set(place.number(), place.queue().interactive());
      restricted.set(place.number(), restricted(place));
    }
  }

  private boolean restricted(Place place) {
    return !place.queue().access().open()
        || !cluster.host(place.queue().host()).access().open()
        || forced.stream()
            .anyMatch(
                complex ->
                    place.own().offers().sets(complex.name())
                        || place.host().offers().sets(complex.name()));
  }

  /** Why the job cannot run anywhere. */
  public Optional<Reason> globally(GridEngineJob job) {
    ExecHost global = cluster.global();
    return admitted(job, global.access(), "host", global.name())
        .or(() -> forced(job, global.offers(), Code.FORCED_GLOBALLY, ""));
  }

  /**
   * Why a rule excludes a queue instance for the job; empty when none does.
   *
   * @param environment for parallel jobs
   */
  public Optional<Reason> queue(
      GridEngineJob job, Place place, Optional<ParallelEnvironment> environment) {
    looked++;
    Optional<Reason> ruledOut = named(job, place);
    if (ruledOut.isEmpty()) {
      ruledOut = kind(job, place, environment);
    }
    return ruledOut.isEmpty() && restricted.get(place.number())
        ? restriction(job, place)
        : ruledOut;
  }

  /**
   * Whether a rule excludes a queue as a whole. Its instances then do not count when hosts and
   * instances are put in order, whereas an instance that is excluded for its own reason still does.
   *
   * @param queue its name
   */
  public boolean without(GridEngineJob job, String queue, ParallelEnvironment environment) {
    List<QueueRequest> requests = job.needs().queues();
    if (!requests.isEmpty() && requests.stream().noneMatch(request -> request.names(queue))) {
      return true;
    }
    List<Place> instances = byQueue.getOrDefault(queue, List.of());
    return instances.stream()
            .allMatch(place -> kind(job, place, Optional.of(environment)).isPresent())
        || instances.stream()
            .allMatch(place -> admitted(job, place.queue().access(), "queue", queue).isPresent());
  }

  /** Adds comparisons with queue instances that were made elsewhere, by their use. */
  public void looked(int instances) {
    looked += instances;
  }

  /** Number of comparisons of a job with a queue instance so far. */
  public long looked() {
    return looked;
  }

  private Optional<Reason> restriction(GridEngineJob job, Place place) {
    ExecHost host = cluster.host(place.queue().host());
    return admitted(job, host.access(), "host", host.name())
        .or(() -> admitted(job, place.queue().access(), "queue", place.name()))
        .or(() -> forced(job, place.host().offers(), Code.FORCED_OF_HOST, host.name()))
        .or(() -> forced(job, place.own().offers(), Code.FORCED_OF_QUEUE, place.name()));
  }

  private Optional<Reason> named(GridEngineJob job, Place place) {
    List<QueueRequest> requests = job.needs().queues();
    boolean fits = requests.isEmpty();
    for (int i = 0; i < requests.size() && !fits; i++) {
      fits = fits(requests.get(i), place);
    }
    if (fits) {
      return Optional.empty();
    }
    boolean refused =
        requests.stream()
            .filter(request -> request.without().contains(place.queue().host()))
            .anyMatch(request -> fits(new QueueRequest(request.text()), place));
    Code code = refused ? Code.REFUSED_AT_HOST : Code.NOT_IN_QUEUE_LIST;
    return Optional.of(Reason.of(code, place.name()));
  }

  private boolean fits(QueueRequest request, Place place) {
    return named.computeIfAbsent(request, this::namedBy).get(place.number());
  }

  private BitSet namedBy(QueueRequest request) {
    BitSet fitting = new BitSet();
    for (Place place : places) {
      fitting.set(place.number(), request.fits(place.queue(), cluster.groups()));
    }
    return fitting;
  }

  private Optional<Reason> kind(
      GridEngineJob job, Place place, Optional<ParallelEnvironment> environment) {
    boolean immediate = job.behaviour().immediate();
    if (environment.isPresent() && !offers(place, environment.get())) {
      return Optional.of(Reason.of(Code.PE_NOT_OF_QUEUE, place.name(), environment.get().name()));
    }
    if (immediate && !interactive.get(place.number())) {
      return Optional.of(Reason.of(Code.NOT_INTERACTIVE, place.name()));
    }
    if (environment.isEmpty() && !immediate && !batch.get(place.number())) {
      return Optional.of(Reason.of(Code.NOT_BATCH, place.name()));
    }
    return Optional.empty();
  }

  private boolean offers(Place place, ParallelEnvironment environment) {
    if (environment != lastEnvironment) {
      lastEnvironment = environment;
      lastOffering = offering.computeIfAbsent(environment.name(), name -> offering(environment));
    }
    return lastOffering.get(place.number());
  }

  private BitSet offering(ParallelEnvironment environment) {
    BitSet offers = new BitSet();
    places.forEach(place -> offers.set(place.number(), place.queue().offers(environment)));
    return offers;
  }

  private Optional<Reason> admitted(
      GridEngineJob job, ObjectAccess access, String what, String name) {
    if (!access.admitsUser(job.identity().owner(), cluster.accessLists())) {
      return Optional.of(Reason.of(Code.NO_PERMISSION, what, name));
    }
    String project = job.identity().project();
    if (!access.admitsProject(project)) {
      return Optional.of(
          project.isEmpty()
              ? Reason.of(Code.NO_PROJECT, what, name)
              : Reason.of(Code.WRONG_PROJECT, project, what, name));
    }
    return Optional.empty();
  }

  /** Why a rule excludes a parallel environment for the job; empty when none does. */
  public Optional<Reason> environment(GridEngineJob job, ParallelEnvironment environment) {
    if (environment.slots() == 0) {
      return Optional.of(Reason.of(Code.PE_TOTAL_SLOTS, environment.name()));
    }
    return environment.access().admitsUser(job.identity().owner(), cluster.accessLists())
        ? Optional.empty()
        : Optional.of(Reason.of(Code.PE_NO_ACCESS, environment.name()));
  }

  private Optional<Reason> forced(
      GridEngineJob job, OfferedAttributes offers, Code code, String name) {
    for (Complex complex : forced) {
      if (offers.sets(complex.name()) && !job.needs().requests(complex)) {
        return Optional.of(
            name.isEmpty()
                ? Reason.of(code, complex.name())
                : Reason.of(code, complex.name(), name));
      }
    }
    return Optional.empty();
  }

  /** Number of -soft -q names that do not match the queue instance. */
  public int softQueueViolations(GridEngineJob job, Place place) {
    int violations = 0;
    for (QueueRequest request : job.needs().softQueues()) {
      if (!fits(request, place)) {
        violations++;
      }
    }
    return violations;
  }
}
