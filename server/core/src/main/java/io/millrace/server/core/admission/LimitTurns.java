package io.millrace.server.core.admission;

import io.millrace.schemas.pbs.attributes.LimitEntry;
import io.millrace.schemas.state.LimitBook;
import io.millrace.schemas.state.LimitNeed;
import io.millrace.schemas.state.LimitTurn;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whose turn it is to get of what runs may use in all shards together. A shard with jobs for all
 * that it has leased would never give any back: each end is followed by the next start. So one that
 * has less than its part of the whole and got none has a turn: what ends elsewhere is not followed
 * until it has what it needs, first where more than a part is in use. Who has its part waits until
 * others have less to do; who wants no more than its part waits for nobody's turn.
 */
final class LimitTurns {

  /** Who has not asked again by then needs nothing any more; an engine tries again after two s. */
  private static final long LATE_MS = 10_000;

  /**
   * A turn is forgotten after so long. Until then it shows how seldom its shard asks: an engine
   * with policy gridengine does so with its runs, which may be further apart.
   */
  private static final long FORGOTTEN_MS = 600_000;

  /**
   * In the place of an amount, as records have it: readers whose numbers are all doubles do not
   * take the largest long.
   */
  static final long ALL = -1;

  private final LimitBook book;
  private final boolean on;
  private final long nowMs;

  LimitTurns(LimitBook book, long nowMs) {
    this.book = book;
    this.on = book.getLimit().endsWith(LimitEntry.OF_RUNS);
    this.nowMs = nowMs;
    book.getTurns().removeIf(turn -> nowMs - turn.getAtMs() > FORGOTTEN_MS);
  }

  /** The turns of those who have asked again in time, the first one first. */
  private List<LimitTurn> held() {
    return book.getTurns().stream()
        .filter(turn -> nowMs - turn.getAtMs() <= turn.getPatienceMs())
        .toList();
  }

  /** A shard asks: its turn, if it has one, is for what it needs now. */
  void asks(int shard, long needed) {
    for (LimitTurn turn : book.getTurns()) {
      if (turn.getShard() == shard) {
        long sinceMs = nowMs - turn.getAtMs();
        if (sinceMs > LATE_MS) {
          turn.setPatienceMs(Math.max(turn.getPatienceMs(), sinceMs + LATE_MS));
        }
        turn.setNeeded(needed);
        turn.setAtMs(nowMs);
      }
    }
  }

  /**
   * A shard got none, after all others were asked. For what is more than its part nothing is kept:
   * it would stand idle for as long as the runs of others last.
   */
  void missed(LimitNeed need, long most) {
    boolean waits = book.getTurns().stream().anyMatch(it -> it.getShard() == need.getShard());
    if (on && !waits && need.getNeeded() <= part(most)) {
      book.getTurns().add(new LimitTurn(need.getShard(), need.getNeeded(), nowMs, LATE_MS));
    }
  }

  void served(int shard) {
    book.getTurns().removeIf(it -> it.getShard() == shard);
  }

  /**
   * What is kept from a shard for those whose turn comes before its own. Nothing is kept from one
   * that wants no more than its part: it is not the one that left the others too little.
   *
   * @param wanted by the shard, in all
   */
  long before(int shard, long wanted, long most) {
    long sum = 0;
    if (wanted <= part(most)) {
      return sum;
    }
    for (LimitTurn turn : held()) {
      if (turn.getShard() == shard) {
        break;
      }
      sum += lacks(turn);
    }
    return sum;
  }

  private long lacks(LimitTurn turn) {
    return Math.max(0, turn.getNeeded() - leased(turn.getShard()));
  }

  private long leased(int shard) {
    return book.getLeased().getOrDefault(Integer.toString(shard), 0L);
  }

  /** The whole by the number of those who have some or want some, rounded up. */
  private long part(long most) {
    Set<Integer> claimants = new TreeSet<>();
    book.getLeased()
        .forEach(
            (shard, amount) -> {
              if (amount > 0) {
                claimants.add(Integer.valueOf(shard));
              }
            });
    book.getNeeds().forEach(it -> claimants.add(it.getShard()));
    held().forEach(it -> claimants.add(it.getShard()));
    return most / claimants.size() + (most % claimants.size() == 0 ? 0 : 1);
  }

  /**
   * What shards may keep at most, by shard; {@link #ALL} where there is no entry.
   *
   * @param free of the whole
   */
  Map<Integer, Long> keeps(long most, long free) {
    Map<Integer, Long> keeps = new HashMap<>();
    List<LimitTurn> turns = held();
    long lack = turns.stream().mapToLong(this::lacks).sum() - Math.max(0, free);
    if (lack <= 0) {
      return keeps;
    }
    List<Integer> others = new ArrayList<>();
    book.getLeased().keySet().forEach(it -> others.add(Integer.valueOf(it)));
    turns.forEach(turn -> others.remove((Integer) turn.getShard()));
    others.sort(Comparator.comparingLong(this::leased).reversed().thenComparing(it -> it));
    for (long least : new long[] {part(most), 0}) {
      for (int shard : others) {
        long has = keeps.getOrDefault(shard, leased(shard));
        long leaves = Math.min(lack, Math.max(0, has - least));
        if (leaves > 0) {
          keeps.put(shard, has - leaves);
          lack -= leaves;
        }
      }
    }
    return keeps;
  }
}
