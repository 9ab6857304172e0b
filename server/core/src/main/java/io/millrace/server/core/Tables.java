package io.millrace.server.core;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Arrival;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.FormerQueue;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OpenChange;
import io.millrace.schemas.state.Parked;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Queued;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Routed;
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
import org.apache.avro.specific.SpecificRecord;

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
          "queued",
          "routed",
          "numbers",
          "dependents");

  /** Each table has a type of its own. */
  private static final Map<Class<?>, String> TABLE_OF =
      Map.ofEntries(
          Map.entry(Job.class, "jobs"),
          Map.entry(Node.class, "nodes"),
          Map.entry(Queue.class, "queues"),
          Map.entry(Scheduler.class, "schedulers"),
          Map.entry(ClusterObject.class, "objects"),
          Map.entry(Answer.class, "answers"),
          Map.entry(StoredScript.class, "scripts"),
          Map.entry(Timer.class, "timers"),
          Map.entry(Reason.class, "reasons"),
          Map.entry(JobBlock.class, "blocks"),
          Map.entry(Whereabouts.class, "whereabouts"),
          Map.entry(OpenChange.class, "changes"),
          Map.entry(Parked.class, "parked"),
          Map.entry(Arrival.class, "arrivals"),
          Map.entry(FormerQueue.class, "former-queues"),
          Map.entry(Queued.class, "queued"),
          Map.entry(Routed.class, "routed"),
          Map.entry(ShardState.class, "numbers"),
          Map.entry(Dependent.class, "dependents"));

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
  public Table<Queued> queued() {
    return table("queued");
  }

  @Override
  public Table<Routed> routed() {
    return table("routed");
  }

  @Override
  public Table<ShardState> numbers() {
    return table("numbers");
  }

  @Override
  public Table<Dependent> dependents() {
    return table("dependents");
  }

  @Override
  public Frozen<SpecificRecord> freeze() {
    return new FrozenTables(tables.values());
  }

  @Override
  public void restore(String key, SpecificRecord record) {
    String name = TABLE_OF.get(record.getClass());
    if (name == null) {
      throw new IllegalArgumentException("no table holds a " + record.getSchema().getName());
    }
    this.<SpecificRecord>table(name).put(key, record);
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

    @Override
    public Frozen<V> freeze() {
      return Frozen.copy(records);
    }
  }
}
