package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.AllocationRule;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Gathers a number of slots in one environment within one span of time: limited by the environment,
 * then the cluster, then on each host by the host and by all its suitable queue instances together.
 * Hosts come in the order of the first of their suitable instances.
 */
final class Harvest {

  private final Cluster cluster;
  private final Containers containers;
  private final Fitting fitting;
  private final Rules rules;
  private final QueueOrder order;

  Harvest(Cluster cluster, Containers containers, Fitting fitting, Rules rules, QueueOrder order) {
    this.cluster = cluster;
    this.containers = containers;
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

  Crop slots(Attempt attempt, ParallelEnvironment environment, int slots, Span span) {
    Limit limit = limits(attempt, environment, span);
    if (limit.slots() < slots) {
      return Crop.none(Math.max(0, limit.slots()));
    }
    arrange(attempt, environment, span);
    Crop crop = new Gathering(attempt, environment, slots, span, limit.met()).gather();
    if (crop.slots() >= slots && span != Span.AT_THE_END) {
      if (attempt.job().needs().hasSoft()) {
        order.disturb();
      } else {
        order.keep();
      }
    }
    return crop;
  }

  private record Limit(int slots, Set<String> met) {}

  /** What environment and cluster allow. */
  private Limit limits(Attempt attempt, ParallelEnvironment environment, Span span) {
    double left = containers.environment(environment).left(cluster.complexes().slots(), span);
    Set<String> met = new HashSet<>();
    Optional<Reason> ruledOut = rules.globally(attempt.job());
    ruledOut.ifPresent(reason -> note(attempt, span, reason));
    if (ruledOut.isPresent()) {
      return new Limit(0, met);
    }
    Needs needs = attempt.job().needs();
    Fitting.Room room = fitting.room(containers.global(), needs, span, met);
    if (!room.because().isEmpty()) {
      note(attempt, span, Reason.of(Code.CANNOT_RUN_GLOBALLY, needs.quoted(), room.because()));
    }
    return new Limit(Math.min((int) left, room.count()), met);
  }

  /** Whether it is possible at all is asked without noting why not. */
  private static void note(Attempt attempt, Span span, Reason reason) {
    if (span != Span.AT_THE_END) {
      attempt.because(reason);
    }
  }

  private void arrange(Attempt attempt, ParallelEnvironment environment, Span span) {
    if (!attempt.job().needs().hasSoft()) {
      order.restore();
      return;
    }
    Map<String, Integer> violations = new HashMap<>();
    ToIntFunction<QueueInstance> count =
        queue ->
            violations.computeIfAbsent(
                queue.name(),
                name ->
                    rules.queue(attempt.job(), queue, Optional.of(environment)).isPresent()
                        ? Integer.MAX_VALUE
                        : violations(attempt.job(), queue, span));
    order.sortFor(count);
  }

  private int violations(Job job, QueueInstance queue, Span span) {
    if (!job.needs().hasSoft()) {
      return 0;
    }
    Set<String> met = new HashSet<>();
    return fitting.violations(containers.global(), job.needs(), span, met)
        + fitting.violations(containers.host(queue), job.needs(), span, met)
        + fitting.violations(containers.queue(queue), job.needs(), span, met)
        + rules.softQueueViolations(job, queue);
  }

  /** One pass over the hosts, or several for round robin. */
  private final class Gathering {

    private final Attempt attempt;
    private final ParallelEnvironment environment;
    private final int wanted;
    private final Span span;
    private final Set<String> metGlobally;
    private final Map<QueueInstance, Integer> granted = new LinkedHashMap<>();
    private final List<QueueInstance> places = new ArrayList<>();
    private boolean hasMaster;

    Gathering(
        Attempt attempt,
        ParallelEnvironment environment,
        int wanted,
        Span span,
        Set<String> metGlobally) {
      this.attempt = attempt;
      this.environment = environment;
      this.wanted = wanted;
      this.span = span;
      this.metGlobally = metGlobally;
    }

    Crop gather() {
      Map<String, List<QueueInstance>> hosts = suitable();
      boolean rounds = environment.rule() instanceof AllocationRule.RoundRobin;
      int before;
      do {
        before = total();
        for (Map.Entry<String, List<QueueInstance>> host : hosts.entrySet()) {
          if (total() < wanted) {
            takeFrom(host.getKey(), host.getValue());
          }
        }
      } while (rounds && total() < wanted && total() > before);
      return crop();
    }

    private int total() {
      return granted.values().stream().mapToInt(Integer::intValue).sum();
    }

    private Map<String, List<QueueInstance>> suitable() {
      Map<String, List<QueueInstance>> hosts = new LinkedHashMap<>();
      for (QueueInstance queue : order.instances()) {
        Optional<Reason> ruledOut = rules.queue(attempt.job(), queue, Optional.of(environment));
        ruledOut.ifPresent(reason -> note(attempt, span, reason));
        if (ruledOut.isEmpty()) {
          hosts.computeIfAbsent(queue.host(), name -> new ArrayList<>()).add(queue);
        }
      }
      return hosts;
    }

    private void takeFrom(String host, List<QueueInstance> queues) {
      Set<String> met = new HashSet<>(metGlobally);
      Fitting.Room onHost = room(containers.hostNamed(host), met, Code.CANNOT_RUN_AT_HOST);
      int hostLeft =
          onHost.count() - queues.stream().mapToInt(q -> granted.getOrDefault(q, 0)).sum();
      Map<QueueInstance, Integer> rooms = new LinkedHashMap<>();
      Set<QueueInstance> masters = new LinkedHashSet<>();
      for (QueueInstance queue : queues) {
        Fitting.Room inQueue =
            room(containers.queue(queue), new HashSet<>(met), Code.CANNOT_RUN_IN_QUEUE);
        int left = inQueue.count() - granted.getOrDefault(queue, 0);
        if (left > 0) {
          rooms.put(queue, left);
        }
        if (onHost.master() && inQueue.master()) {
          masters.add(queue);
        }
      }
      long together = rooms.values().stream().mapToLong(Integer::longValue).sum();
      int possible = (int) Math.min(Math.min(hostLeft, together), wanted);
      int share = share(possible);
      if (share > 0) {
        take(rooms, masters, share);
      }
    }

    private Fitting.Room room(Container container, Set<String> met, Code code) {
      Needs needs = attempt.job().needs();
      Fitting.Room room = fitting.room(container, needs, span, met);
      if (!room.because().isEmpty()) {
        String quoted = room.because().contains("c:slots=") ? "slots=1" : needs.quoted();
        note(attempt, span, Reason.of(code, quoted, container.name(), room.because()));
      }
      return room;
    }

    /** How many of the possible slots the allocation rule takes from this host. */
    private int share(int possible) {
      int exact = environment.rule().exactPerHost(wanted);
      if (exact > 0) {
        return possible >= exact ? exact : 0;
      }
      int most = environment.rule() instanceof AllocationRule.RoundRobin ? 1 : wanted - total();
      return Math.min(possible, most);
    }

    private void take(Map<QueueInstance, Integer> rooms, Set<QueueInstance> masters, int share) {
      Map<QueueInstance, Integer> taken = new LinkedHashMap<>();
      int left = share;
      for (Map.Entry<QueueInstance, Integer> room : rooms.entrySet()) {
        int slots = Math.min(room.getValue(), left);
        boolean lastOfAll = total() + share - left + slots == wanted;
        boolean stillNoMaster = !hasMaster && taken.keySet().stream().noneMatch(masters::contains);
        if (stillNoMaster && !masters.contains(room.getKey()) && lastOfAll) {
          slots--;
        }
        if (slots > 0) {
          taken.put(room.getKey(), slots);
        }
        left -= slots;
      }
      if (environment.rule().exactPerHost(wanted) == 0 || left == 0) {
        grant(taken, masters);
      }
    }

    /** On the host of the master each instance that could be the master's takes the first place. */
    private void grant(Map<QueueInstance, Integer> taken, Set<QueueInstance> masters) {
      boolean masterBefore = hasMaster;
      taken.forEach(
          (queue, slots) -> {
            boolean mayBeMaster = !masterBefore && masters.contains(queue);
            hasMaster |= mayBeMaster;
            if (granted.merge(queue, slots, Integer::sum).equals(slots)) {
              places.add(mayBeMaster ? 0 : places.size(), queue);
            }
          });
    }

    private Crop crop() {
      List<Grant> grants = new ArrayList<>();
      places.forEach(queue -> grants.add(new Grant(queue, granted.get(queue))));
      int violations = 0;
      for (Grant grant : grants) {
        violations += grant.slots() * violations(attempt.job(), grant.queue(), span);
      }
      return new Crop(total(), grants, violations);
    }
  }
}
