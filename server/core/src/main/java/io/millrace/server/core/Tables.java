package io.millrace.server.core;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Arrival;
import io.millrace.schemas.state.FormerQueue;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OpenChange;
import io.millrace.schemas.state.Parked;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Timer;
import io.millrace.schemas.state.Whereabouts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** A state made of one table per name, whatever the tables keep their records in. */
public final class Tables implements State {

  /** Names of all tables, which are also the names of the stores. */
  public static final List<String> NAMES =
      List.of(
          "jobs",
          "nodes",
          "queues",
          "schedulers",
          "objects",
          "answers",
          "scripts",
          "timers",
          "reasons",
          "blocks",
          "whereabouts",
          "changes",
          "parked",
          "arrivals",
          "former-queues",
          "numbers");

  private final int shard;
  private final int shards;
  private final Map<String, Table<?>> tables = new LinkedHashMap<>();

  public Tables(int shard, int shards, Function<String, Table<?>> source) {
    this.shard = shard;
    this.shards = shards;
    for (String name : NAMES) {
      tables.put(name, source.apply(name));
    }
  }

  /** A state in memory, for replay and tests. */
  public static Tables inMemory(int shard, int shards) {
    return new Tables(shard, shards, name -> new HeapTable<>());
  }

  @SuppressWarnings("unchecked")
  public <V> Table<V> table(String name) {
    return (Table<V>) tables.get(name);
  }

  @Override
  public int shard() {
    return shard;
  }

  @Override
  public int shards() {
    return shards;
  }

  @Override
  public Table<Job> jobs() {
    return table("jobs");
  }

  @Override
  public Table<Node> nodes() {
    return table("nodes");
  }

  @Override
  public Table<Queue> queues() {
    return table("queues");
  }

  @Override
  public Table<Scheduler> schedulers() {
    return table("schedulers");
  }

  @Override
  public Table<ClusterObject> objects() {
    return table("objects");
  }

  @Override
  public Table<Answer> answers() {
    return table("answers");
  }

  @Override
  public Table<StoredScript> scripts() {
    return table("scripts");
  }

  @Override
  public Table<Timer> timers() {
    return table("timers");
  }

  @Override
  public Table<Reason> reasons() {
    return table("reasons");
  }

  @Override
  public Table<JobBlock> blocks() {
    return table("blocks");
  }

  @Override
  public Table<Whereabouts> whereabouts() {
    return table("whereabouts");
  }

  @Override
  public Table<OpenChange> changes() {
    return table("changes");
  }

  @Override
  public Table<Parked> parked() {
    return table("parked");
  }

  @Override
  public Table<Arrival> arrivals() {
    return table("arrivals");
  }

  @Override
  public Table<FormerQueue> formerQueues() {
    return table("former-queues");
  }

  @Override
  public Table<ShardState> numbers() {
    return table("numbers");
  }

  /** A table in a sorted map. */
  private static final class HeapTable<V> implements Table<V> {
    private final TreeMap<String, V> records = new TreeMap<>();

    @Override
    public V get(String key) {
      return records.get(key);
    }

    @Override
    public void scan(String from, String to, Visitor<V> visitor) {
      Map<String, V> range =
          to == null ? records.tailMap(from, true) : records.subMap(from, true, to, false);
      for (Map.Entry<String, V> entry : range.entrySet()) {
        if (!visitor.visit(entry.getKey(), entry.getValue())) {
          return;
        }
      }
    }

    @Override
    public void put(String key, V value) {
      records.put(key, value);
    }

    @Override
    public void remove(String key) {
      records.remove(key);
    }
  }
}
