package io.millrace.server.core.admission;

import io.millrace.schemas.command.GrantLimit;
import io.millrace.schemas.command.RecallLimit;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.LimitLeased;
import io.millrace.schemas.state.LimitBook;
import io.millrace.schemas.state.LimitNeed;
import io.millrace.schemas.state.LimitTurn;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.ShardNumbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The administrative shard's book of one of the server's limits, during one decision: what each
 * shard has at most, and who waits for more. What all have together never exceeds the limit, but
 * for what was there when the limit was set. Nobody is refused before all others were asked what
 * they can spare.
 */
final class LimitBooks {

  /**
   * A shard that has not answered by then may have lost its book's question: all are asked anew.
   */
  private static final long ROUND_MS = 10_000;

  private static final int NOBODY = -1;

  private final Context c;
  private final LimitBook book;
  private final LimitTurns turns;

  private LimitBooks(Context c, LimitBook book) {
    this.c = c;
    this.book = book;
    this.turns = new LimitTurns(book, c.nowMs());
  }

  /** The book of a limit; an empty one when what it says is void. */
  static LimitBooks of(Context c, String key) {
    long change = ShardNumbers.of(c.view()).getLimitChange();
    LimitBook known = c.view().table(LimitBook.class).get(key);
    LimitBook book = new LimitBook();
    boolean valid = known != null && known.getChange() == change;
    book.setLimit(key);
    book.setChange(change);
    book.setLeased(new HashMap<>(valid ? known.getLeased() : Map.of()));
    book.setNeeds(new ArrayList<>(valid ? known.getNeeds() : List.of()));
    book.setRound(valid ? known.getRound() : 0);
    book.setRoundMs(valid ? known.getRoundMs() : -1);
    book.setAwaited(new ArrayList<>(valid ? known.getAwaited() : List.of()));
    book.setMoved(valid ? known.getMoved() : 0);
    book.setMovedBefore(valid ? known.getMovedBefore() : 0);
    book.setTurns(new ArrayList<>());
    if (valid) {
      known.getTurns().forEach(it -> book.getTurns().add(LimitTurn.newBuilder(it).build()));
    }
    return new LimitBooks(c, book);
  }

  private boolean isUnderWay() {
    return !book.getAwaited().isEmpty() && c.nowMs() - book.getRoundMs() <= ROUND_MS;
  }

  /** A shard needs so much in all. */
  Decision ask(int shard, long held, long needed) {
    book.getLeased().merge(Integer.toString(shard), held, Math::max);
    long during = isUnderWay() ? book.getRound() : 0;
    for (LimitNeed before : book.getNeeds()) {
      if (before.getShard() == shard && needed <= before.getNeeded()) {
        during = before.getDuring(); // it asks again for what it has asked for
      }
    }
    turns.asks(shard, Math.min(needed, most()));
    book.getNeeds().removeIf(it -> it.getShard() == shard);
    book.getNeeds().add(new LimitNeed(shard, needed, during));
    Decision decision = Decision.none();
    serve(most(), 0, decision);
    return written(decision);
  }

  /** A shard has given back what it does not use; nothing when it was not asked in this round. */
  Decision returned(int shard, long round, long held, long gone) {
    if (book.getRound() != round || !book.getAwaited().remove((Integer) shard)) {
      return Decision.none();
    }
    book.getLeased().put(Integer.toString(shard), held);
    book.setMoved(book.getMoved() + gone);
    Decision decision = Decision.none();
    if (book.getAwaited().isEmpty()) {
      // All have told of what had arrived before this round.
      book.setMovedBefore(0L);
      serve(most(), round, decision);
    }
    return written(decision);
  }

  /** The amount of the limit; no bound when the server has it no longer. */
  private long most() {
    return ServerLimits.most(c.view(), book.getLimit()).orElse(Long.MAX_VALUE);
  }

  /**
   * Grants what there is.
   *
   * @param round that is complete: who asked before it gets what is left, though it is not enough;
   *     0: none
   */
  private void serve(long most, long round, Decision decision) {
    List<LimitNeed> unserved = new ArrayList<>();
    for (LimitNeed need : book.getNeeds()) {
      long free =
          free(most, need.getShard()) - turns.before(need.getShard(), need.getNeeded(), most);
      boolean known = most == Long.MAX_VALUE || unknown().isEmpty();
      if (book.getAwaited().contains(need.getShard())) {
        // What it is about to give back does not know of a grant that is on its way.
        unserved.add(need);
      } else if (known && need.getNeeded() <= free) {
        long amount = most == Long.MAX_VALUE ? need.getNeeded() : ample(need, free);
        grant(need.getShard(), amount, false, decision);
        turns.served(need.getShard());
      } else if (round != 0 && need.getDuring() != round && book.getMoved() == 0) {
        turns.missed(need, most);
        grant(need.getShard(), free, true, decision);
      } else {
        unserved.add(need);
      }
    }
    book.setNeeds(unserved);
  }

  /** What a shard may have at most, what it has included. */
  private long free(long most, int shard) {
    return most - ofOthers(shard) - book.getMoved() - book.getMovedBefore();
  }

  /** What is needed, and of the rest a part, so that it need not ask for each job. */
  private long ample(LimitNeed need, long free) {
    long rest = free - need.getNeeded();
    return need.getNeeded() + (ofOthers(need.getShard()) == 0 ? rest - rest / 4 : rest / 2);
  }

  /**
   * Never less than it has: jobs may have come to it since it asked. Where more is in use than the
   * limit, as after it was lowered, what it has is not told in full: nothing may follow its jobs.
   */
  private void grant(int shard, long least, boolean exhausted, Decision decision) {
    long amount = Math.max(leased(shard), least);
    book.getLeased().put(Integer.toString(shard), amount);
    long kept = turns.before(shard, amount, most());
    long told = Math.max(0, Math.min(amount, most() - ofOthers(shard) - kept));
    decision.tell(
        shard, new GrantLimit(c.asShard(), book.getLimit(), told, exhausted, book.getChange()));
  }

  private long leased(int shard) {
    return book.getLeased().getOrDefault(Integer.toString(shard), 0L);
  }

  private long ofOthers(int shard) {
    long sum = 0;
    for (Map.Entry<String, Long> each : book.getLeased().entrySet()) {
      sum += each.getKey().equals(Integer.toString(shard)) ? 0 : each.getValue();
    }
    return sum;
  }

  /** Shards of which nothing is known: jobs may be on their way from them. */
  private List<Integer> unknown() {
    List<Integer> unknown = new ArrayList<>();
    for (int shard = 0; shard < c.view().shards(); shard++) {
      if (!book.getLeased().containsKey(Integer.toString(shard))) {
        unknown.add(shard);
      }
    }
    return unknown;
  }

  /** Those that serve a partition, hold something, or may: no other one can get jobs. */
  private List<Integer> asked() {
    TreeSet<Integer> shards = new TreeSet<>(unknown());
    Nodes.each(
        c.view(),
        ObjectKind.PARTITION,
        partition -> shards.add(PartitionTable.shardOf(c.view(), partition.getName())));
    for (int shard = 0; shard < c.view().shards(); shard++) {
      if (leased(shard) > 0) {
        shards.add(shard);
      }
    }
    shards.remove(-1);
    return List.copyOf(shards);
  }

  /** The book as it is now, with a new round of recalls where somebody waits and none goes on. */
  private Decision written(Decision decision) {
    FactMeta stamp = c.stamp();
    if (!book.getNeeds().isEmpty() && !isUnderWay()) {
      book.setRound(stamp.getSeq());
      book.setRoundMs(c.nowMs());
      book.setMovedBefore(book.getMovedBefore() + book.getMoved());
      book.setMoved(0L);
      book.setAwaited(new ArrayList<>(asked()));
      book.getNeeds().forEach(it -> it.setDuring(0L));
      long most = most();
      Map<Integer, Long> keeps = turns.keeps(most, free(most, NOBODY));
      for (int shard : book.getAwaited()) {
        long keep = keeps.getOrDefault(shard, LimitTurns.ALL);
        decision.tell(shard, new RecallLimit(c.asShard(), book.getLimit(), book.getRound(), keep));
      }
    }
    return decision.fact(new LimitLeased(stamp, book));
  }
}
