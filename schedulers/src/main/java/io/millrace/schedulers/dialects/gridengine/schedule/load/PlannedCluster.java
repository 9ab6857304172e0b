package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.reservations.timeline.Booking;
import io.millrace.reservations.timeline.Timeline;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.reservations.timeline.Window;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedAmount;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Attributes;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.LevelResources;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.cluster.Relation;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cluster as one run plans with it: its places, what each level offers, and the timeline of
 * their use.
 */
public final class PlannedCluster {

  private final Attributes attributes;
  private final LevelResources global;
  private final List<LevelResources> hosts = new ArrayList<>();
  private final List<String> outside = new ArrayList<>();
  private final boolean mixed;
  private final Map<String, Place> places = new LinkedHashMap<>();
  private final Map<String, LevelResources> hostsByName = new HashMap<>();
  private final Map<String, Integer> environments = new LinkedHashMap<>();
  private final Map<String, LevelResources> owners = new LinkedHashMap<>();
  private final Timeline timeline;

  public PlannedCluster(Cluster cluster) {
    this.attributes = new Attributes(cluster.complexes());
    this.global = holder(Level.GLOBAL, ExecHost.GLOBAL, cluster.global().offers());
    Map<String, Integer> hostNumbers = new LinkedHashMap<>();
    for (QueueInstance queue : cluster.queues()) {
      int host = hostNumbers.computeIfAbsent(queue.host(), name -> addHost(cluster, name));
      LevelResources own = holder(Level.QUEUE, queue.name(), queue.offers());
      places.put(own.name(), new Place(places.size(), queue, host, hosts.get(host), own));
    }
    this.mixed = outside.stream().anyMatch(it -> !it.equals(outside.get(0)));
    for (ParallelEnvironment environment : cluster.environments()) {
      environments.put(environment.name(), owners.size());
      OfferedAttributes slots =
          OfferedAttributes.NOTHING.withCapacity("slots", environment.slots());
      owners.put(environment.name(), holder(Level.ENVIRONMENT, environment.name(), slots));
    }
    this.timeline =
        new Timeline(
            global.container(),
            hosts.stream().map(LevelResources::container).toList(),
            places.values().stream().map(place -> place.own().container()).toList(),
            places.values().stream().mapToInt(Place::hostNumber).toArray(),
            owners.values().stream().map(LevelResources::container).toList());
  }

  private int addHost(Cluster cluster, String name) {
    OfferedAttributes offers = cluster.host(name).offers().withValue("hostname", name);
    hosts.add(holder(Level.HOST, name, offers));
    hostsByName.put(name, hosts.get(hosts.size() - 1));
    outside.add(cluster.host(name).outside());
    return hosts.size() - 1;
  }

  private LevelResources holder(Level level, String name, OfferedAttributes offers) {
    return new LevelResources(level, name, offers, attributes);
  }

  public Attributes attributes() {
    return attributes;
  }

  public Timeline timeline() {
    return timeline;
  }

  public LevelResources global() {
    return global;
  }

  /** Hosts that have queue instances. */
  public List<LevelResources> hosts() {
    return hosts;
  }

  /** True when hosts are of several clusters of other systems, or of one and of none. */
  public boolean mixed() {
    return mixed;
  }

  /** The cluster of another system of which a host is, by its number; empty for one of none. */
  public String outside(int host) {
    return outside.get(host);
  }

  /** All places, in the order of the cluster. */
  public List<Place> places() {
    return List.copyOf(places.values());
  }

  /** The place of a grant; null when the queue instance does not exist any more. */
  Place place(Grant grant) {
    return places.get(grant.queue().name());
  }

  public int number(ParallelEnvironment environment) {
    return environments.getOrDefault(environment.name(), Timeline.NONE);
  }

  /**
   * Enters an assignment into the timeline at all levels. Grants in queue instances that no longer
   * exist are left out.
   */
  public void debit(Category category, Assignment assignment) {
    List<Grant> known = assignment.grants().stream().filter(grant -> place(grant) != null).toList();
    timeline.debit(
        new Booking(
            category.claim(),
            window(TimeSpan.of(assignment.start(), assignment.duration())),
            assignment.environment().map(this::number).orElse(Timeline.NONE),
            known.stream().mapToInt(grant -> place(grant).number()).toArray(),
            known.stream().mapToInt(Grant::slots).toArray()));
  }

  /** Takes an amount away from all jobs for a time; all of it where there is no more. */
  public void book(BookedAmount booked) {
    LevelResources from = holder(booked);
    if (from == null) {
      return;
    }
    for (Complex complex : from.consumables()) {
      int resource = attributes.resource(complex);
      if (complex.name().equals(booked.resource()) && from.container().limits(resource)) {
        long asked = attributes.taken(complex, booked.amount());
        long taken = Math.min(asked, from.container().capacity(resource));
        from.container().debit(resource, booked.fromS(), booked.toS(), taken);
      }
    }
  }

  /** The level that something is booked of; null when there is no such one any more. */
  private LevelResources holder(BookedAmount booked) {
    return switch (booked.level()) {
      case GLOBAL -> global;
      case HOST -> hostsByName.get(booked.container());
      case QUEUE ->
          places.containsKey(booked.container()) ? places.get(booked.container()).own() : null;
      case ENVIRONMENT -> owners.get(booked.container());
    };
  }

  static Window window(TimeSpan span) {
    boolean ends = span.to() < Numbers.UNLIMITED_S || span == TimeSpan.AT_THE_END;
    return new Window(span.from(), ends ? span.to() : UsageProfile.FOREVER);
  }

  /**
   * Resources that an assignment takes, in the order of the file schedule. A suspended queue
   * instance is left out.
   */
  public List<ResourceUse> uses(Category category, Assignment assignment) {
    List<ResourceUse> uses = new ArrayList<>();
    assignment
        .environment()
        .ifPresent(
            environment ->
                uses.add(
                    new ResourceUse(
                        Level.ENVIRONMENT, environment.name(), "slots", assignment.slots())));
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
      List<ResourceUse> uses, LevelResources from, Category category, int slots, boolean master) {
    for (Complex complex : from.consumables()) {
      double amount = category.needs().amount(complex) * (complex.perJob() ? 1 : slots);
      if (amount == 0 && complex.relation() == Relation.EXCLUSIVE) {
        uses.add(new ResourceUse(from.level(), from.name(), complex.name(), slots));
      } else if (amount != 0 && (master || !complex.perJob())) {
        uses.add(new ResourceUse(from.level(), from.name(), complex.name(), amount));
      }
    }
  }
}
