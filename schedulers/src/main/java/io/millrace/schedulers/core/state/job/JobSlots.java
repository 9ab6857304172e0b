package io.millrace.schedulers.core.state.job;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Table of all jobs that have not finished: parallel arrays and a hash of job numbers to slots,
 * about 50 bytes for a job. A slot is valid until its job is removed.
 */
public final class JobSlots {

  public static final int NONE = -1;
  public static final byte HELD = 1;
  public static final byte TRANSIT = 2;
  public static final byte RUNNING = 4;
  public static final byte PROPOSED = 8;

  /** Its run is suspended and may not be resumed yet. */
  public static final byte SUSPENDED = 16;

  /** Starts when the runs that are being preempted for it have ended. */
  public static final byte CLAIMED = 32;

  private static final int FIRST_CAPACITY = 64;

  private long[] number = new long[FIRST_CAPACITY];
  private long[] rank = new long[FIRST_CAPACITY];
  private int[] priority = new int[FIRST_CAPACITY];
  private int[] classId = new int[FIRST_CAPACITY];
  private int[] heapIndex = new int[FIRST_CAPACITY];

  /** Owner number of each job; stored as its complement (negative) while limits count the job. */
  private int[] account = new int[FIRST_CAPACITY];

  private byte[] flags = new byte[FIRST_CAPACITY];

  /** Slots of jobs that are not rerunnable. */
  private final BitSet once = new BitSet();

  private int[] buckets = filled(4 * FIRST_CAPACITY);
  private int used;
  private int freeHead = NONE;
  private int size;

  public int size() {
    return size;
  }

  /** Slot of a job number, or NONE. */
  public int find(long jobNumber) {
    int mask = buckets.length - 1;
    int bucket = hash(jobNumber) & mask;
    while (buckets[bucket] != NONE) {
      if (number[buckets[bucket]] == jobNumber) {
        return buckets[bucket];
      }
      bucket = (bucket + 1) & mask;
    }
    return NONE;
  }

  /** Adds a job that is not there yet. */
  int add(long jobNumber, int jobPriority, long jobRank, int jobClass, byte jobFlags) {
    int slot = takeSlot();
    number[slot] = jobNumber;
    priority[slot] = jobPriority;
    rank[slot] = jobRank;
    classId[slot] = jobClass;
    flags[slot] = jobFlags;
    heapIndex[slot] = NONE;
    size++;
    if (size * 2 > buckets.length) {
      rehash(buckets.length * 2);
    }
    insert(slot);
    return slot;
  }

  void remove(int slot) {
    int mask = buckets.length - 1;
    int hole = hash(number[slot]) & mask;
    while (buckets[hole] != slot) {
      hole = (hole + 1) & mask;
    }
    // Backward-shift deletion: moves later entries into the hole, so that no tombstones pile up.
    int probe = (hole + 1) & mask;
    while (buckets[probe] != NONE) {
      int home = hash(number[buckets[probe]]) & mask;
      if (((probe - home) & mask) >= ((probe - hole) & mask)) {
        buckets[hole] = buckets[probe];
        hole = probe;
      }
      probe = (probe + 1) & mask;
    }
    buckets[hole] = NONE;
    classId[slot] = freeHead;
    flags[slot] = 0;
    once.clear(slot);
    freeHead = slot;
    size--;
  }

  public long number(int slot) {
    return number[slot];
  }

  public long rank(int slot) {
    return rank[slot];
  }

  public int priority(int slot) {
    return priority[slot];
  }

  int classId(int slot) {
    return classId[slot];
  }

  void order(int slot, int jobPriority, long jobRank, int jobClass) {
    priority[slot] = jobPriority;
    rank[slot] = jobRank;
    classId[slot] = jobClass;
  }

  public boolean waiting(int slot) {
    return flags[slot] == 0;
  }

  public boolean has(int slot, byte flag) {
    return (flags[slot] & flag) != 0;
  }

  void set(int slot, byte flag, boolean on) {
    flags[slot] = (byte) (on ? flags[slot] | flag : flags[slot] & ~flag);
  }

  /** True when the job is not rerunnable. */
  public boolean once(int slot) {
    return once.get(slot);
  }

  public void once(int slot, boolean on) {
    once.set(slot, on);
  }

  int heapIndex(int slot) {
    return heapIndex[slot];
  }

  void heapIndex(int slot, int index) {
    heapIndex[slot] = index;
  }

  /** Number of the owner. */
  int account(int slot) {
    return account[slot] < 0 ? ~account[slot] : account[slot];
  }

  /** Sets the owner number of a job that limits do not count. */
  void account(int slot, int number) {
    account[slot] = number;
  }

  /** True while limits count the job. */
  public boolean counted(int slot) {
    return account[slot] < 0;
  }

  void counted(int slot, boolean on) {
    if (counted(slot) != on) {
      account[slot] = ~account[slot];
    }
  }

  /** Visits all jobs; none may be added or removed meanwhile. */
  void each(IntConsumer visitor) {
    if (size == 0) {
      return; // the table may be large all the same
    }
    for (int slot : buckets) {
      if (slot != NONE) {
        visitor.accept(slot);
      }
    }
  }

  private int takeSlot() {
    if (freeHead != NONE) {
      int slot = freeHead;
      freeHead = classId[slot];
      return slot;
    }
    if (used == number.length) {
      int capacity = used + (used >> 1);
      number = Arrays.copyOf(number, capacity);
      rank = Arrays.copyOf(rank, capacity);
      priority = Arrays.copyOf(priority, capacity);
      classId = Arrays.copyOf(classId, capacity);
      heapIndex = Arrays.copyOf(heapIndex, capacity);
      account = Arrays.copyOf(account, capacity);
      flags = Arrays.copyOf(flags, capacity);
    }
    return used++;
  }

  private void insert(int slot) {
    int mask = buckets.length - 1;
    int bucket = hash(number[slot]) & mask;
    while (buckets[bucket] != NONE) {
      bucket = (bucket + 1) & mask;
    }
    buckets[bucket] = slot;
  }

  private void rehash(int capacity) {
    int[] old = buckets;
    buckets = filled(capacity);
    for (int slot : old) {
      if (slot != NONE) {
        insert(slot);
      }
    }
  }

  private static int[] filled(int capacity) {
    int[] array = new int[capacity];
    Arrays.fill(array, NONE);
    return array;
  }

  private static int hash(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32);
  }
}
