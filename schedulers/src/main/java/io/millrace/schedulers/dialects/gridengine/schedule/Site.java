package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.reservations.timeline.Booking;
import io.millrace.reservations.timeline.Timeline;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.reservations.timeline.Window;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.Complex;
import io.millrace.schedulers.dialects.gridengine.cluster.ExecHost;
import io.millrace.schedulers.dialects.gridengine.cluster.Offers;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.cluster.Relation;
import io.millrace.schedulers.dialects.gridengine.options.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cluster of a run: its places, what each level offers, and the timeline of their use. */
final class Site {

  private final Attributes attributes;
  private final Holder global;
  private final List<Holder> hosts = new ArrayList<>();
  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<String, Integer> environments = new LinkedHashMap<>();
  private final Timeline timeline;

  Site(Cluster cluster) {
    this.attributes = new Attributes(cluster.complexes());
    this.global = holder(Level.GLOBAL, ExecHost.GLOBAL, cluster.global().offers());
    Map<String, Integer> hostNumbers = new LinkedHashMap<>();
    for (QueueInstance queue : cluster.queues()) {
      int host = hostNumbers.computeIfAbsent(queue.host(), name -> addHost(cluster, name));
      Holder own = holder(Level.QUEUE, queue.name(), queue.offers());
      places.put(own.name(), new Place(places.size(), queue, host, hosts.get(host), own));
    }
    List<Holder> owners = new ArrayList<>();
    for (ParallelEnvironment environment : cluster.environments()) {
      environments.put(environment.name(), owners.size());
      Offers slots = Offers.NOTHING.withCapacity("slots", environment.slots());
      owners.add(holder(Level.ENVIRONMENT, environment.name(), slots));
    }
    this.timeline =
        new Timeline(
            global.container(),
            hosts.stream().map(Holder::container).toList(),
            places.values().stream().map(place -> place.own().container()).toList(),
            places.values().stream().mapToInt(Place::hostNumber).toArray(),
            owners.stream().map(Holder::container).toList());
  }

  private int addHost(Cluster cluster, String name) {
    Offers offers = cluster.host(name).offers().withValue("hostname", name);
    hosts.add(holder(Level.HOST, name, offers));
    return hosts.size() - 1;
  }

  private Holder holder(Level level, String name, Offers offers) {
    return new Holder(level, name, offers, attributes);
  }

  Attributes attributes() {
    return attributes;
  }

  Timeline timeline() {
    return timeline;
  }

  Holder global() {
    return global;
  }

  /** Hosts that have queue instances. */
  List<Holder> hosts() {
    return hosts;
  }

  /** In the order of the cluster. */
  List<Place> places() {
    return List.copyOf(places.values());
  }

  /** The place of a grant; null when the queue instance does not exist any more. */
  Place place(Grant grant) {
    return places.get(grant.queue().name());
  }

  int number(ParallelEnvironment environment) {
    return environments.getOrDefault(environment.name(), Timeline.NONE);
  }

  /** Debits an assignment at all levels. What lies in queue instances that are gone is left out. */
  void debit(Category category, Assignment assignment) {
    List<Grant> known = assignment.grants().stream().filter(grant -> place(grant) != null).toList();
    timeline.debit(
        new Booking(
            category.claim(),
            window(Span.of(assignment.start(), assignment.duration())),
            assignment.environment().map(this::number).orElse(Timeline.NONE),
            known.stream().mapToInt(grant -> place(grant).number()).toArray(),
            known.stream().mapToInt(Grant::slots).toArray()));
  }

  static Window window(Span span) {
    boolean ends = span.to() < Numbers.UNLIMITED_S || span == Span.AT_THE_END;
    return new Window(span.from(), ends ? span.to() : UsageProfile.FOREVER);
  }

  /**
   * What an assignment takes, in the order of the file schedule. A suspended queue instance is out
   * of the picture: what its jobs take of it is not told.
   */
  List<Use> uses(Category category, Assignment assignment) {
    List<Use> uses = new ArrayList<>();
    assignment
        .environment()
        .ifPresent(
            environment ->
                uses.add(
                    new Use(Level.ENVIRONMENT, environment.name(), "slots", assignment.slots())));
    add(uses, global, category, assignment.slots(), true);
    boolean master = true;
    for (Grant grant : assignment.grants()) {
      Place place = place(grant);
      if (place != null) {
        add(uses, place.host(), category, grant.slots(), master);
        if (!place.queue().suspended()) {
          add(uses, place.own(), category, grant.slots(), master);
        }
      }
      master = false;
    }
    return uses;
  }

  private static void add(
      List<Use> uses, Holder from, Category category, int slots, boolean master) {
    for (Complex complex : from.consumables()) {
      double amount = category.needs().amount(complex) * (complex.perJob() ? 1 : slots);
      if (amount == 0 && complex.relation() == Relation.EXCLUSIVE) {
        uses.add(new Use(from.level(), from.name(), complex.name(), slots));
      } else if (amount != 0 && (master || !complex.perJob())) {
        uses.add(new Use(from.level(), from.name(), complex.name(), amount));
      }
    }
  }
}
