package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.SortKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Walks waiting jobs in an order that changes with each start: by fair share, or with queues that
 * take turns.
 *
 * <p>Simple semantics: after each job the first of those that are left is looked for anew. The
 * optimisation: a start moves jobs of its entity back and no job forward, so that the jobs stay in
 * heaps by what their entities had used when they were put there, and one that comes to the top is
 * put back where that is out of date.
 */
public final class TurnWalk implements JobWalk {

  private final JobBook book;
  private final SortKeys keys;

  /** Tier of queues of equal Priority whose turn it is, and in it the queue. */
  private int tier;

  private int turn;
  private final List<List<Line>> tiers = new ArrayList<>();

  private Line line;
  private Position present;
  private boolean skipped;

  TurnWalk(JobBook book, SortKeys keys) {
    this.book = book;
    this.keys = keys;
  }

  /**
   * A job that has been reached in its class.
   *
   * @param standing of its entity when it was put into the heap; null without fair share
   */
  private record Position(ClassState owner, int index, int slot, double[] standing) {}

  /** The jobs of one queue, or of all. */
  private final class Line {

    private final PriorityQueue<Position> frontier = new PriorityQueue<>(TurnWalk.this::compare);

    void add(ClassState owner, int index) {
      frontier.add(new Position(owner, index, owner.waiting().slot(index), keys.standing(owner)));
    }

    /** The first job as the order is now; null when none is left. */
    Position poll() {
      while (!frontier.isEmpty()) {
        Position first = frontier.poll();
        if (Arrays.equals(first.standing, keys.standing(first.owner))) {
          return first;
        }
        add(first.owner, first.index);
      }
      return null;
    }
  }

  private int compare(Position one, Position other) {
    if (one.slot == other.slot) {
      return 0;
    }
    return keys.compare(one.owner, one.slot, one.standing, other.owner, other.slot, other.standing);
  }

  @Override
  public void restart() {
    tiers.clear();
    present = null;
    tier = 0;
    turn = 0;
    if (keys.sequence().roundRobin()) {
      restartQueues();
    } else {
      Line all = new Line();
      for (int i = 0; i < book.order().size(); i++) {
        all.add(book.order().get(i), 0);
      }
      tiers.add(List.of(all));
    }
  }

  private void restartQueues() {
    Map<QueueState, Line> queues = new TreeMap<>(SortKeys::queuesInTurn);
    for (int i = 0; i < book.order().size(); i++) {
      ClassState owner = book.order().get(i);
      queues.computeIfAbsent(owner.queue(), it -> new Line()).add(owner, 0);
    }
    long priority = Long.MIN_VALUE;
    for (Map.Entry<QueueState, Line> queue : queues.entrySet()) {
      if (tiers.isEmpty() || queue.getKey().priority() != priority) {
        tiers.add(new ArrayList<>());
        priority = queue.getKey().priority();
      }
      tiers.get(tiers.size() - 1).add(queue.getValue());
    }
  }

  @Override
  public boolean next() {
    if (present != null && !skipped) {
      for (int child = 2 * present.index + 1; child <= 2 * present.index + 2; child++) {
        if (child < present.owner.waiting().size()) {
          line.add(present.owner, child);
        }
      }
    }
    skipped = false;
    present = null;
    while (tier < tiers.size() && present == null) {
      present = inTier(tiers.get(tier));
      if (present == null) {
        tier++;
        turn = 0;
      }
    }
    return present != null;
  }

  /** The next job of the tier; null when none of its queues has one. */
  private Position inTier(List<Line> of) {
    for (int tried = 0; tried < of.size(); tried++) {
      line = of.get(turn);
      turn = (turn + 1) % of.size();
      Position found = line.poll();
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  @Override
  public ClassState owner() {
    return present.owner;
  }

  @Override
  public int slot() {
    return present.slot;
  }

  @Override
  public void skipClass() {
    skipped = true;
  }
}
