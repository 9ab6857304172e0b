package io.millrace.schedulers.dialects.gridengine.schedule.search;

import io.millrace.reservations.timeline.ParallelRequest;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Category;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.FitCheck.Room;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.HostRoom;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.LevelResources;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Obstacle;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Place;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.PlacementAttempt;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.Rules;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.TimeSpan;
import io.millrace.schedulers.dialects.gridengine.schedule.load.PlannedCluster;
import io.millrace.schedulers.dialects.gridengine.schedule.load.QueueOrder;
import io.millrace.schedulers.dialects.gridengine.schedule.load.ThresholdRoom;
import io.millrace.schedulers.gridengine.language.cluster.AllocationRule;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Gathers a number of slots in one environment within one span of time: limited by the environment,
 * then the cluster, then on each host by the host and by all its suitable queue instances together.
 * Hosts are ordered by their first instance, suitable or not, whose queue is not excluded as a
 * whole.
 */
public final class SlotGathering {

  private final PlannedCluster site;
  private final FitCheck fitting;
  private final Rules rules;
  private final QueueOrder order;
  private final ThresholdRoom thresholds;

  public SlotGathering(
      PlannedCluster site,
      FitCheck fitting,
      Rules rules,
      QueueOrder order,
      ThresholdRoom thresholds) {
    this.site = site;
    this.fitting = fitting;
    this.rules = rules;
    this.order = order;
    this.thresholds = thresholds;
  }

  /** Whether thresholds whose room changes over time limit the job's slots. */
  boolean limitsByUse(Category category) {
    return thresholds.moveWith(category);
  }

  /**
   * The gathered slots.
   *
   * @param slots how many, at most the number that was asked for
   * @param violations of soft requests, for each slot
   */
  record GatheredSlots(int slots, List<Grant> grants, int violations) {

    static GatheredSlots none(int offered) {
      return new GatheredSlots(offered, List.of(), 0);
    }
  }

  /** The hosts of an environment where slots can be gathered within a time span. */
  Field field(PlacementAttempt attempt, ParallelEnvironment environment, TimeSpan span) {
    return new Field(attempt, environment, span);
  }

  /** Queue instances that can ever give slots; none when the cluster as a whole cannot. */
  Optional<ParallelRequest.Candidates> places(
      PlacementAttempt attempt, ParallelEnvironment environment) {
    Category category = attempt.category();
    if (rules.globally(attempt.job()).isPresent()
        || fitting.impossible(site.global(), site.global(), category)) {
      return Optional.empty();
    }
    List<Integer> open = new ArrayList<>();
    List<Integer> watched = new ArrayList<>();
    BitSet neverFirst = new BitSet();
    for (Place place : order.instances()) {
      if (rules.queue(attempt.job(), place, Optional.of(environment)).isEmpty()) {
        boolean closed =
            fitting.impossible(place.host(), place.host(), category)
                || fitting.impossible(place.own(), place.host(), category);
        (closed ? watched : open).add(place.number());
        neverFirst.set(place.number(), category.asksOnce() && !fitting.possible(place, category));
      }
    }
    return Optional.of(
        new ParallelRequest.Candidates(numbers(open), numbers(watched), neverFirst, mostByLoads()));
  }

  /** Slots allowed by loads, by number of the host; empty when no load limits them. */
  private int[] mostByLoads() {
    if (!thresholds.ofLoads()) {
      return new int[0];
    }
    int[] most = new int[site.hosts().size()];
    for (int host = 0; host < most.length; host++) {
      most[host] = thresholds.byLoads(order.ofHost(host));
    }
    return most;
  }

  private static int[] numbers(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * The places that may give the slots of one start together, since no run has hosts of several
   * clusters: those of each cluster of another system and of none, in the order of their first
   * places; all where a start is on one host, or no host is of such a cluster.
   */
  List<ParallelRequest.Candidates> together(ParallelRequest.Candidates all, boolean oneHost) {
    if (oneHost || !site.mixed()) {
      return List.of(all);
    }
    Map<String, List<Integer>> open = byCluster(all.open());
    Map<String, List<Integer>> watched = byCluster(all.watched());
    return open.keySet().stream()
        .map(
            cluster ->
                new ParallelRequest.Candidates(
                    numbers(open.get(cluster)),
                    numbers(watched.getOrDefault(cluster, List.of())),
                    all.neverFirst(),
                    all.mostOfHost()))
        .toList();
  }

  private Map<String, List<Integer>> byCluster(int[] queues) {
    Map<String, List<Integer>> found = new LinkedHashMap<>();
    for (int queue : queues) {
      String cluster = site.outside(site.timeline().hostOf(queue));
      found.computeIfAbsent(cluster, it -> new ArrayList<>()).add(queue);
    }
    return found;
  }

  /** Whether an environment gives so many slots on one host only. */
  static boolean oneHost(ParallelEnvironment environment, int slots) {
    return slots == 1 || environment.rule().exactPerHost(slots) == slots;
  }

  private int violations(PlacementAttempt attempt, Place place, TimeSpan span) {
    return attempt.category().needs().hasSoft()
        ? fitting.violations(attempt.category(), place, span)
            + rules.softQueueViolations(attempt.job(), place)
        : 0;
  }

  /** The hosts of an environment within a time span; their room is computed once. */
  final class Field {

    private final PlacementAttempt attempt;
    private final ParallelEnvironment environment;
    private final TimeSpan span;
    private Room inCluster;
    private int limit = -1;
    private List<List<Place>> hosts;
    private HostRoom[] rooms;

    /** Numbers of the hosts that are looked at now, in {@link #rooms}; null for all. */
    private int[] within;

    private int most = Integer.MAX_VALUE;

    /** By queue: whether a rule excludes it as a whole. */
    private final Map<String, Boolean> without = new HashMap<>();

    private Field(PlacementAttempt attempt, ParallelEnvironment environment, TimeSpan span) {
      this.attempt = attempt;
      this.environment = environment;
      this.span = span;
    }

    /**
     * Upper bound of the slots that can be gathered, known after a smaller number was gathered than
     * asked for.
     */
    int most() {
      return most;
    }

    GatheredSlots gather(int slots) {
      if (limit() < slots) {
        most = Math.max(0, limit());
        return GatheredSlots.none(most);
      }
      arrange();
      GatheredSlots gathered =
          site.mixed() && !oneHost(environment, slots)
              ? inOneCluster(slots)
              : new HostPass(this, slots).gather();
      if (gathered.slots() >= slots && span != TimeSpan.AT_THE_END) {
        if (attempt.category().needs().hasSoft()) {
          order.disturb();
        } else {
          order.keep();
        }
      }
      return gathered;
    }

    /** From the hosts of the first cluster of another system, or of none, that give all. */
    private GatheredSlots inOneCluster(int slots) {
      GatheredSlots best = GatheredSlots.none(0);
      int bound = 0;
      for (int[] group : groups()) {
        within = group;
        most = Integer.MAX_VALUE;
        GatheredSlots here = new HostPass(this, slots).gather();
        bound = Math.max(bound, most);
        best = here.slots() > best.slots() ? here : best;
        if (here.slots() >= slots) {
          break;
        }
      }
      within = null;
      most = bound;
      return best;
    }

    private List<int[]> groups() {
      Map<String, List<Integer>> groups = new LinkedHashMap<>();
      for (int i = 0; i < rooms.length; i++) {
        String cluster = site.outside(hosts.get(i).get(0).hostNumber());
        groups.computeIfAbsent(cluster, it -> new ArrayList<>()).add(i);
      }
      return groups.values().stream().map(SlotGathering::numbers).toList();
    }

    /** Number of slots that the environment and the cluster allow. */
    private int limit() {
      if (inCluster == null) {
        Optional<Reason> ruledOut = rules.globally(attempt.job());
        ruledOut.ifPresent(this::note);
        inCluster =
            ruledOut.isPresent()
                ? new Room(0, false, null)
                : fitting.room(site.global(), site.global(), attempt.category(), span);
        note(inCluster.because());
        int free =
            site.timeline()
                .environment(site.number(environment))
                .room(attempt.category().claim(), span.from(), span.to());
        limit = Math.min(free, inCluster.count());
      }
      return limit;
    }

    /** Notes a finding, except in a mere check of whether slots are possible at all. */
    private void note(Obstacle finding) {
      if (finding != null && span != TimeSpan.AT_THE_END) {
        attempt.because(finding);
      }
    }

    private void note(Reason reason) {
      if (span != TimeSpan.AT_THE_END) {
        attempt.because(reason);
      }
    }

    private void arrange() {
      if (!attempt.category().needs().hasSoft()) {
        order.restore();
      } else {
        Map<Integer, Integer> violations = new HashMap<>();
        ToIntFunction<Place> count =
            place -> violations.computeIfAbsent(place.number(), number -> countedViolations(place));
        order.sortFor(count);
      }
      if (hosts == null) {
        hosts = suitable();
        rooms = new HostRoom[hosts.size()];
      }
    }

    private int countedViolations(Place place) {
      return without(place) ? Integer.MAX_VALUE : violations(place);
    }

    private boolean without(Place place) {
      return without.computeIfAbsent(
          place.queue().queue(), queue -> rules.without(attempt.job(), queue, environment));
    }

    private List<List<Place>> suitable() {
      Map<Integer, List<Place>> byHost = new LinkedHashMap<>();
      for (Place place : order.instances()) {
        if (!without(place)) {
          byHost.computeIfAbsent(place.hostNumber(), host -> new ArrayList<>(1));
        }
        Optional<Reason> ruledOut = rules.queue(attempt.job(), place, Optional.of(environment));
        ruledOut.ifPresent(this::note);
        if (ruledOut.isEmpty()) {
          byHost.get(place.hostNumber()).add(place);
        }
      }
      return byHost.values().stream().filter(places -> !places.isEmpty()).toList();
    }

    AllocationRule rule() {
      return environment.rule();
    }

    boolean takesOnce() {
      return attempt.category().claim().takesOnce();
    }

    int hosts() {
      return within == null ? rooms.length : within.length;
    }

    /** Records an upper bound of the slots that can be gathered. */
    void atMost(int slots) {
      most = slots;
    }

    int violations(Place place) {
      return SlotGathering.this.violations(attempt, place, span);
    }

    HostRoom room(int number) {
      int host = within == null ? number : within[number];
      if (rooms[host] == null) {
        rooms[host] = measure(new HostRoom(hosts.get(host)));
      }
      return rooms[host];
    }

    private HostRoom measure(HostRoom room) {
      LevelResources host = room.places[0].host();
      Room onHost = fitting.room(host, host, attempt.category(), span);
      note(onHost.because());
      room.onHost = onHost.count();
      if (thresholds.limits() && span != TimeSpan.AT_THE_END) {
        List<Place> all = order.ofHost(room.places[0].hostNumber());
        room.onHost = Math.min(room.onHost, thresholds.most(all, attempt.category(), span));
      }
      for (int i = 0; i < room.places.length; i++) {
        Room inQueue = fitting.room(room.places[i].own(), host, attempt.category(), span);
        note(inQueue.because());
        room.rooms[i] = inQueue.count();
        room.masters[i] = onHost.master() && inQueue.master();
      }
      return room;
    }
  }
}
