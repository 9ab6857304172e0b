package io.millrace.server.streams;

import io.millrace.schemas.broker.DroppedRecords;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.state.ReadBookings;
import io.millrace.server.streams.answer.HeldAnswers;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Shards that this process holds now. */
final class OwnedShards {
  private final Map<Integer, LiveTables> live = new ConcurrentHashMap<>();

  private final Map<Integer, Look> looks = new ConcurrentHashMap<>();
  private final HeldAnswers answers;
  private final DroppedRecords dropped = new DroppedRecords();
  private volatile String queryAddress = "";

  /**
   * @param answers that wait for their commit
   */
  OwnedShards(HeldAnswers answers) {
    this.answers = answers;
  }

  /**
   * What other threads may ask of a shard as it is now, decoded.
   *
   * @param bookings what is booked of its nodes
   * @param nodes its nodes, in no order; never changed in place
   * @param reservations its reservations, likewise
   */
  record LiveTables(
      ReadBookings bookings, Collection<Node> nodes, Collection<Reservation> reservations) {

    /**
     * @param nodes the table of the nodes, all of which stay decoded
     * @param reservations that of the reservations, likewise
     */
    @SuppressWarnings("unchecked")
    static LiveTables of(ReadBookings bookings, StoreTable<?> nodes, StoreTable<?> reservations) {
      return new LiveTables(
          bookings,
          ((StoreTable.SmallTable<Node>) nodes).records(),
          ((StoreTable.SmallTable<Reservation>) reservations).records());
    }
  }

  HeldAnswers answers() {
    return answers;
  }

  /** What a shard looks at between two commands, on its own thread, and when its timer is due. */
  private record Look(Thread thread, LongConsumer at, LongSupplier timerMs) {}

  /** Address "host:port" at which this process answers queries. */
  void answersAt(String address) {
    queryAddress = address;
  }

  String queryAddress() {
    return queryAddress;
  }

  void gained(int shard, LiveTables tables) {
    live.put(shard, tables);
  }

  /** What may be asked of a shard; null when it is not here any more. */
  LiveTables live(int shard) {
    return live.get(shard);
  }

  /**
   * A shard of the caller's thread has begun.
   *
   * @param look looks, without writing anything, whether the shard has to do something now
   * @param timerMs when its next timer is due
   */
  void begun(int shard, LongConsumer look, LongSupplier timerMs) {
    looks.put(shard, new Look(Thread.currentThread(), look, timerMs));
  }

  /**
   * Milliseconds until the next timer of the caller's shards is due; {@link Long#MAX_VALUE} when
   * there is none. One that is due already does not count: its shard was woken.
   */
  long untilTimerMs(long nowMs) {
    long least = Long.MAX_VALUE;
    for (Look look : looks.values()) {
      long dueMs = look.thread() == Thread.currentThread() ? look.timerMs().getAsLong() : nowMs;
      least = dueMs > nowMs ? Math.min(least, dueMs - nowMs) : least;
    }
    return least;
  }

  /** Has the shards of the caller's thread look, between two polls. */
  void look(long nowMs) {
    for (Look look : looks.values()) {
      if (look.thread() == Thread.currentThread()) {
        look.at().accept(nowMs);
      }
    }
  }

  /** On the shard's own thread. */
  void lost(int shard) {
    looks.remove(shard);
    live.remove(shard);
    dropped.closed(it -> it.partition() == shard);
  }

  /** What was polled for shards that were closed. */
  DroppedRecords dropped() {
    return dropped;
  }

  boolean holds(int shard) {
    return live.containsKey(shard);
  }

  Set<Integer> all() {
    return Set.copyOf(live.keySet());
  }

  /**
   * When the next timer of a shard is due, so that its thread waits no longer than until then: a
   * window begins at that time, and jobs wait for it.
   */
  static final class TimerWatch {
    private final LongSupplier next;
    private long nextMs;
    private boolean known;

    /** The timer for which the shard was woken; once is enough while that is on its way. */
    private long wokenForMs = Long.MIN_VALUE;

    /**
     * @param next looks it up, in the shard's time; {@link Long#MAX_VALUE} for none
     */
    TimerWatch(LongSupplier next) {
      this.next = next;
    }

    /** The shard was given a record: only that changes its timers. */
    void changed() {
      known = false;
    }

    /**
     * By this host's clock.
     *
     * @param aheadMs how far the shard's time is ahead of it
     */
    long dueMs(long aheadMs) {
      if (!known) {
        nextMs = next.getAsLong();
        known = true;
      }
      return nextMs == Long.MAX_VALUE ? nextMs : nextMs - aheadMs;
    }

    /** True once for each time at which timers are due. */
    boolean wakes(long nowMs, long aheadMs) {
      if (dueMs(aheadMs) > nowMs || nextMs == wokenForMs) {
        return false;
      }
      wokenForMs = nextMs;
      return true;
    }
  }
}
