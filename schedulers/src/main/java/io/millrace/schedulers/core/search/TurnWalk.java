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

  /** The jobs of each queue, in the order of the queues' turns; all in one without turns. */
  private final List<WaitingLine> lines = new ArrayList<>();

  /** Those of them that take turns now, and whose turn is next. */
  private final List<WaitingLine> tier = new ArrayList<>();

  private int turn;

  /** A job of the tier: queues whose first job is as good as it are in it. */
  private Position like;

  private WaitingLine line;
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
  private final class WaitingLine {

    private final PriorityQueue<Position> frontier = new PriorityQueue<>(TurnWalk.this::compare);

    void add(ClassState owner, int index) {
      frontier.add(new Position(owner, index, owner.waiting().slot(index), keys.standing(owner)));
    }

    /** The first job as the order is now, which stays; null when none is left. */
    Position first() {
      while (!frontier.isEmpty()) {
        Position first = frontier.peek();
        if (Arrays.equals(first.standing, keys.standing(first.owner))) {
          return first;
        }
        frontier.poll();
        add(first.owner, first.index);
      }
      return null;
    }

    /** Takes out what {@link #first} has given. */
    void take() {
      frontier.poll();
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
    lines.clear();
    tier.clear();
    present = null;
    if (keys.sequence().turns()) {
      Map<QueueState, WaitingLine> queues = new TreeMap<>(keys.queuesInTurn());
      for (int i = 0; i < book.order().size(); i++) {
        ClassState owner = book.order().get(i);
        queues.computeIfAbsent(owner.queue(), it -> new WaitingLine()).add(owner, 0);
      }
      lines.addAll(queues.values());
    } else {
      WaitingLine all = new WaitingLine();
      for (int i = 0; i < book.order().size(); i++) {
        all.add(book.order().get(i), 0);
      }
      lines.add(all);
    }
    openTier();
  }

  /** Lets those queues take turns whose first jobs come before those of all others. */
  private void openTier() {
    tier.clear();
    turn = 0;
    like = null;
    for (WaitingLine each : lines) {
      Position first = each.first();
      int order = first == null ? 1 : like == null ? -1 : compareTurns(first, like);
      if (order < 0) {
        tier.clear();
        like = first;
      }
      if (order <= 0) {
        tier.add(each);
      }
    }
  }

  private int compareTurns(Position one, Position other) {
    return keys.sequence().turns()
        ? keys.compareTurns(one.owner, one.slot, other.owner, other.slot)
        : 0;
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
    present = inTier();
    if (present == null && keys.sequence().turns()) {
      openTier();
      present = inTier();
    }
    return present != null;
  }

  /** The next job of the tier; null when none of its queues has one. */
  private Position inTier() {
    for (int tried = 0; tried < tier.size(); tried++) {
      line = tier.get(turn);
      turn = (turn + 1) % tier.size();
      Position first = line.first();
      if (first != null && compareTurns(first, like) <= 0) {
        line.take();
        return first;
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
