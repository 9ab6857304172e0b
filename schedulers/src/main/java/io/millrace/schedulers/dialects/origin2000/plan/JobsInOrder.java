package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.usage.PastUsage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The jobs in the order in which they are looked at: running, outstanding, special, normal,
 * dedicated, others. What compares equal stays in the order of the server.
 */
final class JobsInOrder {

  private static final Comparator<CycleJob> LARGEST =
      Comparator.comparingLong(CycleJob::nodes).reversed();
  private static final Comparator<CycleJob> SHORTEST =
      Comparator.comparingLong(CycleJob::walltimeS);
  private static final Comparator<CycleJob> LONGEST_WAIT =
      Comparator.comparingLong(CycleJob::eligibleS).reversed();

  private final CycleContext cycle;
  private final Set<String> dedicatedQueues;
  private final Set<String> specialQueues;
  private final List<CycleJob> running = new ArrayList<>();
  private final List<CycleJob> outstanding = new ArrayList<>();
  private final List<CycleJob> special = new ArrayList<>();
  private final List<CycleJob> normal = new ArrayList<>();
  private final List<CycleJob> dedicated = new ArrayList<>();
  private final List<CycleJob> others = new ArrayList<>();

  private JobsInOrder(CycleContext cycle) {
    this.cycle = cycle;
    dedicatedQueues = names(OriginOption.DEDICATED_QUEUES);
    specialQueues = names(OriginOption.SPECIAL_QUEUE);
  }

  private Set<String> names(OriginOption queues) {
    return cycle.config().queues(queues).stream()
        .map(OriginQueueName::name)
        .collect(Collectors.toSet());
  }

  /** All jobs in their order; none when none runs or waits. */
  static List<CycleJob> of(List<CycleJob> jobs, CycleContext cycle) {
    JobsInOrder order = new JobsInOrder(cycle);
    jobs.forEach(order::sort);
    if (order.others.size() == jobs.size()) {
      return List.of();
    }
    return order.joined();
  }

  private void sort(CycleJob job) {
    if (job.runs()) {
      running.add(job);
    } else if (!job.waits()) {
      others.add(job);
    } else if (dedicatedQueues.contains(job.given().queue())) {
      job.makeDedicated();
      dedicated.add(job);
    } else if (specialQueues.contains(job.given().queue())) {
      special.add(job);
    } else if (waitedTooLong(job)) {
      job.makeOutstanding();
      outstanding.add(job);
    } else {
      normal.add(job);
    }
  }

  private boolean waitedTooLong(CycleJob job) {
    long most = cycle.config().number(OriginOption.MAX_QUEUED_TIME);
    long interactive = cycle.config().number(OriginOption.INTERACTIVE_LONG_WAIT);
    return most > 0 && job.eligibleS() > most
        || interactive > 0
            && job.given().interactive()
            && job.eligibleS() > job.walltimeS() + interactive
            && cycle.primeNow();
  }

  private List<CycleJob> joined() {
    Comparator<CycleJob> bySize =
        cycle.primeNow()
            ? SHORTEST.thenComparing(LARGEST).thenComparing(LONGEST_WAIT)
            : LARGEST.thenComparing(SHORTEST).thenComparing(LONGEST_WAIT);
    // Users are listed by their jobs as the server has them, and looked up even if nobody asks:
    // who is on the list of past usage is charged.
    Map<String, Integer> jobsOf = new LinkedHashMap<>();
    normal.forEach(job -> jobsOf.merge(job.user(), 1, Integer::sum));
    Map<String, Double> usageOf = new LinkedHashMap<>();
    jobsOf.keySet().forEach(user -> usageOf.put(user, cycle.memory().usage().of(user)));
    running.sort(Comparator.comparingLong(CycleJob::leftS));
    outstanding.sort(largeBeforeSmall().thenComparing(LARGEST));
    special.sort(LARGEST);
    normal.sort(bySize);
    List<CycleJob> all = new ArrayList<>(running);
    all.addAll(outstanding);
    all.addAll(special);
    all.addAll(
        cycle.config().on(OriginOption.SORT_BY_PAST_USAGE) ? fairly(jobsOf, usageOf) : normal);
    all.addAll(dedicated);
    all.addAll(others);
    return all;
  }

  private Comparator<CycleJob> largeBeforeSmall() {
    long small = cycle.config().number(OriginOption.SMALL_QUEUED_TIME);
    return Comparator.comparing(job -> job.walltimeS() < small);
  }

  /**
   * The normal jobs in turns of their users. It is the turn of the user at the present place,
   * unless one has used less; each turn takes the user's first job, counts it as used and goes on
   * to the next place. Users with fewer jobs come first in the circle.
   */
  private List<CycleJob> fairly(Map<String, Integer> jobsOf, Map<String, Double> usageOf) {
    Map<String, Deque<CycleJob>> left = new LinkedHashMap<>();
    normal.forEach(job -> left.computeIfAbsent(job.user(), it -> new ArrayDeque<>()).add(job));
    List<String> users = new ArrayList<>(jobsOf.keySet());
    users.sort(Comparator.comparing(jobsOf::get));
    double[] used = users.stream().mapToDouble(usageOf::get).toArray();
    List<CycleJob> taken = new ArrayList<>();
    int count = users.size();
    int turn = 0;
    while (count > 0) {
      for (int i = 0; i < count; i++) {
        if (used[i] < used[turn]) {
          turn = i;
        }
      }
      Deque<CycleJob> jobs = left.get(users.get(turn));
      CycleJob job = jobs.remove();
      taken.add(job);
      used[turn] += PastUsage.charge(job.walltimeS());
      if (jobs.isEmpty()) {
        users.remove(turn);
        System.arraycopy(used, turn + 1, used, turn, count - turn - 1);
        count--;
      } else {
        turn++;
      }
      turn = turn >= count ? 0 : turn;
    }
    return taken;
  }
}
