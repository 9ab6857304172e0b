package io.millrace.server.core.state;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** A state made of one table per name, whatever the tables keep their records in. */
public final class Tables implements State {

  /** Each table has a type of its own; its schema names the table. */
  private static final Map<Class<?>, String> NAME_OF = names();

  /** Names of all tables, which are also the names of the stores. */
  public static final List<String> NAMES = List.copyOf(NAME_OF.values());

  private final int shard;
  private final int shards;
  private final RecordCodec codec;
  private final Map<String, Table<?>> tables = new LinkedHashMap<>();
  private final ReservationTable reservations;
  private final RecordFollowers jobFollowers = RecordFollowers.of(Job.SCHEMA$);

  /**
   * @param codec for records that others carry as bytes
   * @param source makes the table of a name
   */
  public Tables(int shard, int shards, RecordCodec codec, Function<String, Table<?>> source) {
    this.shard = shard;
    this.shards = shards;
    this.codec = codec;
    for (String name : NAMES) {
      tables.put(name, source.apply(name));
    }
    reservations = new ReservationTable(table(nameOf(Reservation.class)));
  }

  /** A state in memory, for replay and tests. */
  public static Tables inMemory(int shard, int shards) {
    return new Tables(shard, shards, WireCodec.local(), name -> new HeapTable<>());
  }

  private static Map<Class<?>, String> names() {
    Map<Class<?>, String> names = new LinkedHashMap<>();
    for (Catalogue.CatalogueEntry entry : Catalogue.get().tables()) {
      names.put(entry.type(), entry.table());
    }
    return Collections.unmodifiableMap(names);
  }

  /** What the records of a table are kept in; to look at, not to write. */
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
  public RecordCodec codec() {
    return codec;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <V extends SpecificRecord> Table<V> table(Class<V> type) {
    return type == Reservation.class ? (Table<V>) reservations : table(nameOf(type));
  }

  @Override
  public ReadBookings bookings() {
    return reservations.bookings();
  }

  private static String nameOf(Class<?> type) {
    String name = NAME_OF.get(type);
    if (name == null) {
      throw new IllegalArgumentException("no table holds a " + type.getSimpleName());
    }
    return name;
  }

  @Override
  public RecordFollowers jobFollowers() {
    return jobFollowers;
  }

  @Override
  public Frozen<SpecificRecord> freeze() {
    return new FrozenTables(tables.values());
  }

  @Override
  @SuppressWarnings("unchecked")
  public void restore(String key, SpecificRecord record) {
    table((Class<SpecificRecord>) record.getClass()).put(key, record);
  }

  /** A table in a sorted map. */
  private static final class HeapTable<V> implements Table<V> {
    private final TreeMap<String, V> records = new TreeMap<>();

    @Override
    public V get(String key) {
      return records.get(key);
    }

    @Override
    public void scan(String from, String to, RecordVisitor<V> visitor) {
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
