package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.SeedSource;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobKept;
import io.millrace.schemas.fact.JobOfferRefused;
import io.millrace.schemas.fact.NodeKept;
import io.millrace.schemas.fact.NodeRemoved;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The state is a function of the ledger: after every command, and from any snapshot. */
class ReplayTest {
  private static final int COMMANDS = 5000;
  private static final int HISTORIES = 5;

  /** As many as are needed, up to these, until each type has occurred: some are rare. */
  private static final int COVERING_HISTORIES = 20;

  private static final int FULL_EVERY = 500;

  /** Facts that need a coincidence which their own tests bring about. */
  private static final Set<String> RARE =
      Set.of(
          NodeKept.class.getName(),
          NodeRemoved.class.getName(),
          TimerFailed.class.getName(),
          JobOfferRefused.class.getName(),
          JobKept.class.getName(),
          RunPreempted.class.getName(),
          ReservationReturned.class.getName(),
          UsagesSet.class.getName());

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
    assertTrue(snapshots.interrupted > 10, "chunks with other commands between them");
  }

  @Test
  void theHistoriesUseEveryTypeOfCommandAndFact() {
    Set<String> missing = new TreeSet<>();
    missing.addAll(names(Catalogue.get().commands()));
    missing.addAll(names(Catalogue.get().facts()));
    missing.removeAll(RARE);
    // What one history happens not to have another one has.
    for (long seed = 1; seed <= COVERING_HISTORIES && !missing.isEmpty(); seed++) {
      missing.removeAll(typesIn(seed));
    }
    assertEquals(Set.of(), missing, "never occurred");
  }

  private static Set<String> typesIn(long seed) {
    Set<String> seen = new TreeSet<>();
    History history =
        new History(
            seed,
            (shard, command, outcome, facts) -> {
              seen.add(command.getSchema().getFullName());
              facts.forEach(fact -> seen.add(fact.getSchema().getFullName()));
            });
    history.play(COMMANDS);
    history.settle();
    history.shards.queue("brief", "");
    history.shards.must(ChangeOperation.DELETE, ObjectKind.QUEUE, "brief");
    // Long enough for everything that is forgotten after a time.
    history.shards.pass(2 * AnswerMemory.KEPT_MS);
    return seen;
  }

  private static Set<String> names(List<Catalogue.Entry> entries) {
    return entries.stream().map(Catalogue.Entry::fullName).collect(Collectors.toSet());
  }
}
