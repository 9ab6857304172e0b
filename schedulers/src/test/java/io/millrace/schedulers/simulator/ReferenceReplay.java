package io.millrace.schedulers.simulator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Replays a workload over one count of processors, written for clarity: no index, no classes, no
 * nodes. The production cycle is compared with it.
 */
final class ReferenceReplay {

  enum Rule {
    /** No job overtakes the first of the queue. */
    FCFS,
    /**
     * A job that does not delay the first of the queue may overtake it, in order of submission. As
     * published, the expected ends are walked one by one, and only what is free when the first job
     * fits is available to others, even if more jobs end in that same second.
     */
    EASY,
    /** EASY with the shortest estimate first in the gaps. */
    EASY_SJBF,
    /** Each job is promised a start when it arrives; no promise is moved later. */
    CONSERVATIVE
  }

  private final Workload workload;
  private final Rule rule;
  private final long[] startS;

  /** Jobs by index, in order of submission. */
  private final List<Integer> queue = new ArrayList<>();

  private final PriorityQueue<Integer> ends = new PriorityQueue<>(Comparator.comparing(this::endS));
  private final List<Integer> running = new ArrayList<>();

  /** Conservative: the start that each job of the queue was last promised. */
  private final long[] promisedS;

  private int free;

  /** Number of times that a promise moved later, which must be 0. */
  private int brokenPromises;

  private ReferenceReplay(Workload workload, Rule rule) {
    this.workload = workload;
    this.rule = rule;
    this.startS = new long[workload.jobs().size()];
    this.promisedS = new long[workload.jobs().size()];
    this.free = workload.processors();
  }

  static Schedule run(Workload workload, Rule rule) {
    ReferenceReplay replay = new ReferenceReplay(workload, rule);
    replay.run();
    if (replay.brokenPromises > 0) {
      throw new IllegalStateException(replay.brokenPromises + " promises moved later");
    }
    return new Schedule(workload, replay.startS);
  }

  private TraceJob job(int index) {
    return workload.jobs().get(index);
  }

  private long endS(int index) {
    return startS[index] + job(index).runS();
  }

  private void run() {
    int next = 0;
    while (next < workload.jobs().size() || !ends.isEmpty()) {
      long now = Long.MAX_VALUE;
      if (next < workload.jobs().size()) {
        now = job(next).submitS();
      }
      if (!ends.isEmpty()) {
        now = Math.min(now, endS(ends.peek()));
      }
      if (rule == Rule.CONSERVATIVE) {
        for (int index : queue) {
          now = Math.min(now, promisedS[index]);
        }
      }
      while (!ends.isEmpty() && endS(ends.peek()) == now) {
        end(ends.poll());
      }
      while (next < workload.jobs().size() && job(next).submitS() == now) {
        promisedS[next] = Long.MAX_VALUE;
        queue.add(next++);
      }
      pass(now);
    }
  }

  private void pass(long now) {
    if (rule == Rule.CONSERVATIVE) {
      conservative(now);
      return;
    }
    while (!queue.isEmpty() && job(queue.get(0)).processors() <= free) {
      start(queue.remove(0), now);
    }
    if (rule == Rule.FCFS || queue.isEmpty()) {
      return;
    }
    int head = job(queue.get(0)).processors();
    long shadowS = now;
    int atShadow = free;
    List<Integer> releases = new ArrayList<>(running);
    releases.sort(
        Comparator.comparingLong(this::expectedEndS)
            .thenComparingInt(index -> job(index).processors()));
    for (int index : releases) {
      if (atShadow >= head) {
        break;
      }
      shadowS = expectedEndS(index);
      atShadow += job(index).processors();
    }
    int spare = atShadow - head;
    List<Integer> candidates = new ArrayList<>(queue.subList(1, queue.size()));
    if (rule == Rule.EASY_SJBF) {
      candidates.sort(Comparator.comparingLong(index -> job(index).estimateS()));
    }
    for (int index : candidates) {
      TraceJob job = job(index);
      if (job.processors() > free) {
        continue;
      }
      boolean endsBefore = now + job.estimateS() <= shadowS;
      if (endsBefore || job.processors() <= spare) {
        spare -= endsBefore ? 0 : job.processors();
        queue.remove((Integer) index);
        start(index, now);
      }
    }
  }

  /**
   * Keeps all promises and lets each job, in order of submission, move to the earliest start that
   * the other promises allow.
   */
  private void conservative(long now) {
    TreeMap<Long, Integer> changes = new TreeMap<>();
    for (int index : running) {
      changes.merge(expectedEndS(index), -job(index).processors(), Integer::sum);
    }
    changes.merge(now, workload.processors() - free, Integer::sum);
    for (int index : queue) {
      if (promisedS[index] != Long.MAX_VALUE) {
        promise(changes, index, promisedS[index], 1);
      }
    }
    for (int index : queue) {
      if (promisedS[index] != Long.MAX_VALUE) {
        promise(changes, index, promisedS[index], -1);
      }
      long earliest = earliest(changes, now, job(index));
      brokenPromises += earliest > promisedS[index] ? 1 : 0;
      promisedS[index] = earliest;
      promise(changes, index, earliest, 1);
    }
    for (int index : List.copyOf(queue)) {
      if (promisedS[index] == now) {
        queue.remove((Integer) index);
        start(index, now);
      }
    }
  }

  private void promise(TreeMap<Long, Integer> changes, int index, long atS, int sign) {
    TraceJob job = job(index);
    changes.merge(atS, sign * job.processors(), Integer::sum);
    changes.merge(atS + job.estimateS(), -sign * job.processors(), Integer::sum);
  }

  /** The first time from now on from which the job's processors stay free for its estimate. */
  private long earliest(TreeMap<Long, Integer> changes, long now, TraceJob job) {
    long candidate = now;
    int used = 0;
    for (var change : changes.entrySet()) {
      if (change.getKey() >= candidate + job.estimateS()) {
        break;
      }
      used += change.getValue();
      if (used + job.processors() > workload.processors()) {
        candidate = Long.MAX_VALUE / 2;
      } else if (candidate == Long.MAX_VALUE / 2) {
        candidate = change.getKey();
      }
    }
    return candidate;
  }

  private void start(int index, long now) {
    TraceJob job = job(index);
    startS[index] = now;
    free -= job.processors();
    if (free < 0) {
      throw new IllegalStateException("more processors in use than there are");
    }
    ends.add(index);
    running.add(index);
  }

  private void end(int index) {
    free += job(index).processors();
    running.remove((Integer) index);
  }

  private long expectedEndS(int index) {
    return startS[index] + job(index).estimateS();
  }
}
