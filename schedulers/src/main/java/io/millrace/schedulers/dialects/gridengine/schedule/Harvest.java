package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.reservations.timeline.Spread;
import io.millrace.schedulers.dialects.gridengine.cluster.AllocationRule;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.schedule.Fitting.Room;
import java.util.ArrayList;
import java.util.Arrays;
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
 * Hosts come in the order of the first of their suitable instances.
 */
final class Harvest {

  private final Site site;
  private final Fitting fitting;
  private final Rules rules;
  private final QueueOrder order;

  Harvest(Site site, Fitting fitting, Rules rules, QueueOrder order) {
    this.site = site;
    this.fitting = fitting;
    this.rules = rules;
    this.order = order;
  }

  /**
   * What was gathered.
   *
   * @param slots how many, at most the number that was asked for
   * @param violations of soft requests, for each slot
   */
  record Crop(int slots, List<Grant> grants, int violations) {

    static Crop none(int offered) {
      return new Crop(offered, List.of(), 0);
    }
  }

  /** Where slots of an environment can be gathered within a span. */
  Field field(Attempt attempt, ParallelEnvironment environment, Span span) {
    return new Field(attempt, environment, span);
  }

  /** Queue instances that can ever give slots; none when the cluster as a whole cannot. */
  Optional<Spread.Places> places(Attempt attempt, ParallelEnvironment environment) {
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
    return Optional.of(new Spread.Places(numbers(open), numbers(watched), neverFirst));
  }

  private static int[] numbers(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private int violations(Attempt attempt, Place place, Span span) {
    return attempt.category().needs().hasSoft()
        ? fitting.violations(attempt.category(), place, span)
            + rules.softQueueViolations(attempt.job(), place)
        : 0;
  }

  /** Room on one host, and how much of it was granted. */
  private static final class HostRoom {

    private final Place[] places;
    private final int[] rooms;
    private final boolean[] masters;
    private final int[] granted;
    private int onHost;

    HostRoom(List<Place> places) {
      this.places = places.toArray(new Place[0]);
      this.rooms = new int[this.places.length];
      this.masters = new boolean[this.places.length];
      this.granted = new int[this.places.length];
    }

    /** Slots that are left, in the instance and on the host. */
    int possible(int wanted) {
      long together = 0;
      int left = onHost;
      for (int i = 0; i < places.length; i++) {
        together += Math.max(0, rooms[i] - granted[i]);
        left -= granted[i];
      }
      return (int) Math.min(Math.min(left, together), wanted);
    }
  }

  /** The hosts of an environment within a span; what room they have is found out once. */
  final class Field {

    private final Attempt attempt;
    private final ParallelEnvironment environment;
    private final Span span;
    private Room inCluster;
    private int limit = -1;
    private List<List<Place>> hosts;
    private HostRoom[] rooms;
    private int most = Integer.MAX_VALUE;

    private Field(Attempt attempt, ParallelEnvironment environment, Span span) {
      this.attempt = attempt;
      this.environment = environment;
      this.span = span;
    }

    /** After less than a number was gathered: no larger number than this can be. */
    int most() {
      return most;
    }

    Crop gather(int slots) {
      if (limit() < slots) {
        most = Math.max(0, limit());
        return Crop.none(most);
      }
      arrange();
      Crop crop = new Gathering(this, slots).gather();
      if (crop.slots() >= slots && span != Span.AT_THE_END) {
        if (attempt.category().needs().hasSoft()) {
          order.disturb();
        } else {
          order.keep();
        }
      }
      return crop;
    }

    /** What environment and cluster allow. */
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

    /** Whether it is possible at all is asked without noting why not. */
    private void note(Finding finding) {
      if (finding != null && span != Span.AT_THE_END) {
        attempt.because(finding);
      }
    }

    private void note(Reason reason) {
      if (span != Span.AT_THE_END) {
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
      return rules.queue(attempt.job(), place, Optional.of(environment)).isPresent()
          ? Integer.MAX_VALUE
          : violations(attempt, place, span);
    }

    private List<List<Place>> suitable() {
      Map<Integer, List<Place>> byHost = new LinkedHashMap<>();
      for (Place place : order.instances()) {
        Optional<Reason> ruledOut = rules.queue(attempt.job(), place, Optional.of(environment));
        ruledOut.ifPresent(this::note);
        if (ruledOut.isEmpty()) {
          byHost.computeIfAbsent(place.hostNumber(), host -> new ArrayList<>(1)).add(place);
        }
      }
      return List.copyOf(byHost.values());
    }

    private HostRoom room(int host) {
      if (rooms[host] == null) {
        rooms[host] = measure(new HostRoom(hosts.get(host)));
      }
      return rooms[host];
    }

    private HostRoom measure(HostRoom room) {
      Holder host = room.places[0].host();
      Room onHost = fitting.room(host, host, attempt.category(), span);
      note(onHost.because());
      room.onHost = onHost.count();
      for (int i = 0; i < room.places.length; i++) {
        Room inQueue = fitting.room(room.places[i].own(), host, attempt.category(), span);
        note(inQueue.because());
        room.rooms[i] = inQueue.count();
        room.masters[i] = onHost.master() && inQueue.master();
      }
      return room;
    }
  }

  /** One pass over the hosts, or several for round robin. */
  private final class Gathering {

    private final Field field;
    private final AllocationRule rule;
    private final int wanted;
    private final List<HostRoom> hostOfGrant = new ArrayList<>();
    private final List<Integer> indexOfGrant = new ArrayList<>();
    private int total;
    private int most;
    private boolean hasMaster;

    Gathering(Field field, int wanted) {
      this.field = field;
      this.rule = field.environment.rule();
      this.wanted = wanted;
    }

    Crop gather() {
      boolean rounds = rule instanceof AllocationRule.RoundRobin;
      int before;
      do {
        before = total;
        for (int host = 0; host < field.rooms.length && total < wanted; host++) {
          takeFrom(field.room(host));
        }
      } while (rounds && total < wanted && total > before);
      if (total < wanted && !field.attempt.category().claim().takesOnce()) {
        field.most = rule instanceof AllocationRule.OneHost ? most : total;
      }
      Crop crop = crop();
      reset();
      return crop;
    }

    private void reset() {
      for (HostRoom room : hostOfGrant) {
        Arrays.fill(room.granted, 0);
      }
    }

    private void takeFrom(HostRoom room) {
      int possible = room.possible(wanted);
      most = Math.max(most, possible);
      int share = share(possible);
      if (share > 0) {
        take(room, share);
      }
    }

    /** How many of the possible slots the allocation rule takes from this host. */
    private int share(int possible) {
      int exact = rule.exactPerHost(wanted);
      if (exact > 0) {
        return possible >= exact ? exact : 0;
      }
      return Math.min(possible, rule instanceof AllocationRule.RoundRobin ? 1 : wanted - total);
    }

    private void take(HostRoom room, int share) {
      int[] taken = new int[room.places.length];
      int left = share;
      boolean master = hasMaster;
      for (int i = 0; i < taken.length; i++) {
        int here = room.rooms[i] - room.granted[i];
        if (here <= 0) {
          continue;
        }
        int slots = Math.min(here, left);
        boolean lastOfAll = total + share - left + slots == wanted;
        if (!master && !room.masters[i] && lastOfAll) {
          slots--;
        }
        taken[i] = Math.max(0, slots);
        master |= taken[i] > 0 && room.masters[i];
        left -= slots;
      }
      if (rule.exactPerHost(wanted) == 0 || left == 0) {
        grant(room, taken);
      }
    }

    /** On the host of the master each instance that could be the master's takes the first place. */
    private void grant(HostRoom room, int[] taken) {
      boolean masterBefore = hasMaster;
      for (int i = 0; i < taken.length; i++) {
        if (taken[i] == 0) {
          continue;
        }
        boolean mayBeMaster = !masterBefore && room.masters[i];
        hasMaster |= mayBeMaster;
        if (room.granted[i] == 0) {
          int at = mayBeMaster ? 0 : hostOfGrant.size();
          hostOfGrant.add(at, room);
          indexOfGrant.add(at, i);
        }
        room.granted[i] += taken[i];
        total += taken[i];
      }
    }

    private Crop crop() {
      List<Grant> grants = new ArrayList<>();
      int violations = 0;
      for (int i = 0; i < hostOfGrant.size(); i++) {
        HostRoom room = hostOfGrant.get(i);
        int index = indexOfGrant.get(i);
        grants.add(new Grant(room.places[index].queue(), room.granted[index]));
        violations +=
            room.granted[index] * violations(field.attempt, room.places[index], field.span);
      }
      return new Crop(total, grants, violations);
    }
  }
}
