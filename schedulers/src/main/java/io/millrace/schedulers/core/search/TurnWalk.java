package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.SortKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Walks waiting jobs in an order that changes with each start: by fair share, or with queues that
 * take turns.
 *
 * <p>Simple semantics: after each job the first of those that are left is looked for anew. The
 * optimisation: a start moves jobs of its entity back and no job forward. So the jobs stay in heaps
 * by what their entities had used when they were put there, and one that comes to the top is put
 * back where that is out of date. And the classes come out of the heap in which the book has them
 * as the cycle began, each once the one above it has been reached there.
 */
public final class TurnWalk implements JobWalk {

  private final JobBook book;
  private final SortKeys keys;
  private final Supplier<Collection<QueueState>> queues;

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

  /** True when the classes below one in the book's heap come after it has been reached. */
  private boolean fromHeap;

  /** True when classes may {@link #join} the walk. */
  private boolean open;

  /** Classes of which a job was reached; kept while others may join. */
  private final Set<ClassState> reached = new HashSet<>();

  /**
   * @param queues all of them
   */
  TurnWalk(JobBook book, SortKeys keys, Supplier<Collection<QueueState>> queues) {
    this.book = book;
    this.keys = keys;
    this.queues = queues;
  }

  /** A job that has been reached in its class. */
  private static final class Position {
    private final ClassState owner;
    private final int index;
    private final int slot;

    /** What decides about it but for its entity. */
    private final double[] place;

    /** Standing of its entity when it was put into the heap; null without fair share. */
    private final double[] standing;

    /** True when the classes below its own in the book's heap are in the line. */
    private boolean passed;

    Position(ClassState owner, int index, int slot, double[] place, double[] standing) {
      this.owner = owner;
      this.index = index;
      this.slot = slot;
      this.place = place;
      this.standing = standing;
    }
  }

  /** The jobs of one queue, or of all. */
  private final class WaitingLine {

    /** Those that were known when the walk began, in their order then, and how many were passed. */
    private final Position[] known;

    private int taken;
    private final PriorityQueue<Position> frontier = new PriorityQueue<>(TurnWalk.this::compare);

    WaitingLine(Collection<ClassState> owners) {
      known = new Position[owners.size()];
      int count = 0;
      for (ClassState owner : owners) {
        known[count++] = position(owner, 0);
      }
      Arrays.sort(known, TurnWalk.this::compare);
    }

    void add(Position position) {
      frontier.add(position);
      if (fromHeap && position.index == 0 && keys.startedInCycle(position.owner)) {
        pass(position);
      }
    }

    /** The walk reaches the place that a class had in the book's heap. */
    private void pass(Position position) {
      if (fromHeap && position.index == 0 && !position.passed) {
        position.passed = true;
        int below = 2 * position.owner.orderIndex() + 1;
        for (int i = below; i <= below + 1 && i < book.order().size(); i++) {
          add(position(book.order().get(i), 0));
        }
      }
    }

    /** The first job as the order is now, which stays; null when none is left. */
    Position first() {
      while (true) {
        Position first = peek();
        if (first == null || keys.stands(first.owner, first.standing)) {
          return first;
        }
        take(first);
        keys.renew(first.owner, first.standing);
        frontier.add(first);
        pass(first);
      }
    }

    private Position peek() {
      Position first = frontier.peek();
      if (taken < known.length && (first == null || compare(known[taken], first) < 0)) {
        return known[taken];
      }
      return first;
    }

    /** Takes out what {@link #first} has given, which need not be looked for again. */
    void take(Position first) {
      if (taken < known.length && first == known[taken]) {
        taken++;
      } else {
        frontier.poll();
      }
    }

    /**
     * Adds classes that were never in the line, where they come behind the present job. The first
     * job of one that was may have started, and be behind the present one for that alone.
     */
    void join(Collection<ClassState> owners) {
      Set<ClassState> in = new HashSet<>(reached);
      frontier.forEach(it -> in.add(it.owner));
      for (int i = taken; i < known.length; i++) {
        in.add(known[i].owner);
      }
      for (ClassState owner : owners) {
        Position position = position(owner, 0);
        if (!in.contains(owner) && compare(position, present) > 0) {
          frontier.add(position);
        }
      }
    }
  }

  private Position position(ClassState owner, int index) {
    int slot = owner.waiting().slot(index);
    return new Position(owner, index, slot, keys.place(owner, slot), keys.standing(owner));
  }

  private int compare(Position one, Position other) {
    return one.slot == other.slot
        ? 0
        : keys.compare(one.place, one.standing, one.slot, other.place, other.standing, other.slot);
  }

  @Override
  public void restart() {
    begin();
    if (keys.sequence().turns()) {
      Map<QueueState, List<ClassState>> inTurn = new TreeMap<>(keys.queuesInTurn());
      // Neighbours are of one queue as a rule.
      QueueState queue = null;
      List<ClassState> ofQueue = null;
      for (int i = 0; i < book.order().size(); i++) {
        ClassState owner = book.order().get(i);
        if (owner.queue() != queue) {
          queue = owner.queue();
          ofQueue = inTurn.computeIfAbsent(queue, it -> new ArrayList<>());
        }
        ofQueue.add(owner);
      }
      inTurn.values().forEach(owners -> lines.add(new WaitingLine(owners)));
    } else {
      fromHeap = true;
      WaitingLine all = new WaitingLine(List.of());
      lines.add(all);
      if (book.order().size() > 0) {
        all.add(position(book.order().get(0), 0));
      }
    }
    openTier();
  }

  /** Begins before the first job of these classes; only without queues that take turns. */
  public void restart(Collection<ClassState> owners) {
    begin();
    open = true;
    lines.add(new WaitingLine(owners));
    openTier();
  }

  /** Forgets the jobs: a walk that has ended must keep none. */
  public void end() {
    lines.clear();
    tier.clear();
    reached.clear();
    like = null;
    line = null;
    present = null;
  }

  private void begin() {
    end();
    skipped = false;
    fromHeap = false;
    open = false;
    keys.placeQueues(queues.get());
  }

  /** Adds classes to those of {@link #restart(Collection)}, where they come behind the present. */
  public void join(Collection<ClassState> owners) {
    line.join(owners);
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
    return one != other && keys.sequence().turns()
        ? keys.compareTurns(one.owner, one.place, one.slot, other.owner, other.place, other.slot)
        : 0;
  }

  @Override
  public boolean next() {
    if (present != null && !skipped) {
      for (int child = 2 * present.index + 1; child <= 2 * present.index + 2; child++) {
        if (child < present.owner.waiting().size()) {
          line.add(position(present.owner, child));
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
        line.take(first);
        line.pass(first);
        if (open) {
          reached.add(first.owner);
        }
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

  @Override
  public void passOver() {
    skipped = true;
    turn = Math.max(0, tier.indexOf(line));
  }
}
