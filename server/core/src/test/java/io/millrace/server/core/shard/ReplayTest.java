package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;

/** The state is a function of the ledger: after every command, and from any snapshot. */
class ReplayTest {
  private static final int COMMANDS = 5000;
  private static final int FULL_EVERY = 500;

  /** Replicas of all shards, fed with nothing but decoded facts. */
  private static final class Replicas implements TestShards.Observer {
    private final List<Tables> tables = new ArrayList<>();
    private final List<Shard> shards = new ArrayList<>();
    private final int[] steps = new int[TestShards.COUNT];
    private TestShards live;

    Replicas() {
      for (int i = 0; i < TestShards.COUNT; i++) {
        tables.add(WatchedTable.tables(i, TestShards.COUNT));
        shards.add(new Shard(tables.get(i)));
      }
    }

    @Override
    public void stepped(
        int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> facts) {
      facts.forEach(shards.get(shard)::apply);
      compareWritten(live.tables(shard), tables.get(shard), command);
      if (++steps[shard] % FULL_EVERY == 0) {
        compareAll(live.tables(shard), tables.get(shard));
        compareAll(rebuilt(live, shard), tables.get(shard));
      }
    }
  }

  private static Tables rebuilt(TestShards live, int shard) {
    Tables fresh = WatchedTable.tables(shard, TestShards.COUNT);
    live.ledger(shard).forEach(new Shard(fresh)::apply);
    return fresh;
  }

  /** Records that neither side wrote are as equal as they were before. */
  private static void compareWritten(Tables live, Tables replica, SpecificRecord command) {
    for (String name : Tables.NAMES) {
      WatchedTable<Object> one = WatchedTable.of(live, name);
      WatchedTable<Object> other = WatchedTable.of(replica, name);
      Set<String> keys = new TreeSet<>(one.takeWritten());
      keys.addAll(other.takeWritten());
      for (String key : keys) {
        assertEquals(one.get(key), other.get(key), () -> name + " " + key + " after " + command);
      }
    }
  }

  private static void compareAll(Tables live, Tables replica) {
    for (String name : Tables.NAMES) {
      Map<String, Object> one = WatchedTable.of(live, name).records();
      assertEquals(one, WatchedTable.of(replica, name).records(), name);
    }
    WalkedBookings.check(live);
    WalkedBookings.check(replica);
  }

  @ParameterizedTest
  @SeedSource(value = 1, night = 20)
  void stateRebuiltFromTheLedgerEqualsTheLiveState(long seed) {
    Replicas replicas = new Replicas();
    History history = new History(seed, replicas);
    replicas.live = history.shards;
    history.play(COMMANDS);
    history.settle();
    for (int i = 0; i < TestShards.COUNT; i++) {
      compareAll(history.shards.tables(i), replicas.tables.get(i));
      compareAll(history.shards.tables(i), rebuilt(history.shards, i));
    }
  }

  /** What stands before the last completed snapshot of a shard is cut off, then it is rebuilt. */
  private static Tables rebuiltFromSnapshot(TestShards live, int shard) {
    List<SpecificRecord> ledger = live.ledger(shard);
    OptionalLong last = Rebuilding.lastSnapshot(ledger);
    assertTrue(last.isPresent(), "shard " + shard + " has written a snapshot");
    Tables fresh = WatchedTable.tables(shard, TestShards.COUNT);
    int cut = (int) last.getAsLong() - 1;
    Rebuilding.fromSnapshot(last.getAsLong(), ledger.subList(cut, ledger.size()), fresh);
    return fresh;
  }

  /** Compares at the end of every so many completed snapshots, facts behind them included. */
  private static final class Snapshots implements TestShards.Observer {
    private int completed;
    private int interrupted;
    private TestShards live;

    @Override
    public void stepped(
        int shard, SpecificRecord command, CommandOutcome outcome, List<SpecificRecord> written) {
      boolean chunk = written.stream().anyMatch(SnapshotChunk.class::isInstance);
      if (chunk && written.stream().noneMatch(SnapshotCompleted.class::isInstance)) {
        interrupted++;
      }
      if (written.stream().anyMatch(SnapshotCompleted.class::isInstance) && ++completed % 5 == 0) {
        compareAll(live.tables(shard), rebuiltFromSnapshot(live, shard));
      }
    }
  }

  @ParameterizedTest
  @SeedSource(value = 12, night = 20)
  void aSnapshotInTheLedgerAndTheLaterFactsGiveTheLiveState(long seed) {
    Snapshots snapshots = new Snapshots();
    History history = new History(seed, snapshots);
    snapshots.live = history.shards;
    history.play(COMMANDS);
    history.settle();
    for (int i = 0; i < TestShards.COUNT; i++) {
      compareAll(history.shards.tables(i), rebuiltFromSnapshot(history.shards, i));
    }
    assertTrue(
        snapshots.interrupted > 2, snapshots.interrupted + " chunks with commands between them");
  }
}
