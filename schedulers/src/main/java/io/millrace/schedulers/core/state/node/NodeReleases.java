package io.millrace.schedulers.core.state.node;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.Arrays;

/**
 * The runs on one node with known ends, sorted by end, and how much more than now is free after
 * each. So the free amount at a later time is looked up, without walking what happens until then.
 */
public final class NodeReleases {

  private static final ExpectedEnd[] NO_ENDS = {};
  private static final long[][] NO_AMOUNTS = {};

  private ExpectedEnd[] ends = NO_ENDS;

  /** Amounts freed up to and including each run, by resource number. */
  private long[][] freed = NO_AMOUNTS;

  private int size;

  void add(ExpectedEnd end, long[] amounts) {
    if (size == ends.length) {
      int capacity = size == 0 ? 2 : size + (size >> 1) + 1;
      ends = Arrays.copyOf(ends, capacity);
      freed = Arrays.copyOf(freed, capacity);
    }
    int at = position(end);
    System.arraycopy(ends, at, ends, at + 1, size - at);
    System.arraycopy(freed, at, freed, at + 1, size - at);
    ends[at] = end;
    freed[at] = at == 0 ? new long[amounts.length] : freed[at - 1].clone();
    size++;
    for (int i = at; i < size; i++) {
      freed[i] = plus(freed[i], amounts, 1);
    }
  }

  void remove(ExpectedEnd end, long[] amounts) {
    int at = position(end);
    size--;
    System.arraycopy(ends, at + 1, ends, at, size - at);
    System.arraycopy(freed, at + 1, freed, at, size - at);
    ends[size] = null;
    freed[size] = null;
    for (int i = at; i < size; i++) {
      freed[i] = plus(freed[i], amounts, -1);
    }
  }

  public int size() {
    return size;
  }

  public ExpectedEnd get(int index) {
    return ends[index];
  }

  /**
   * Number of runs that have ended at a time.
   *
   * @param last of the runs that end in that instant, count only those up to this one; null for all
   */
  public int passed(long timeMs, ExpectedEnd last) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      ExpectedEnd end = ends[middle];
      boolean over =
          end.endMs() < timeMs
              || end.endMs() == timeMs && (last == null || !ExpectedEnd.before(last, end));
      if (over) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * First time at which these amounts are free, as far as runs go: {@link Long#MIN_VALUE} for now,
   * {@link UsageProfile#NEVER} when no end of a run is enough.
   *
   * @param free what is free now
   * @param resources numbers of the resources of which amounts are wanted
   */
  public long enoughFrom(long[] free, int[] resources, long[] amounts) {
    int low = 0;
    int high = size + 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (enough(free, middle, resources, amounts)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (low == 0) {
      return Long.MIN_VALUE;
    }
    return low > size ? UsageProfile.NEVER : ends[low - 1].endMs();
  }

  private boolean enough(long[] free, int passed, int[] resources, long[] amounts) {
    for (int i = 0; i < resources.length; i++) {
      long there = ResourceNames.at(free, resources[i]);
      if (passed > 0) {
        there += ResourceNames.at(freed[passed - 1], resources[i]);
      }
      if (there < amounts[i]) {
        return false;
      }
    }
    return true;
  }

  /** Amounts that the first {@code passed} runs free, at least one; not to be kept. */
  public long[] freed(int passed) {
    return freed[passed - 1];
  }

  /**
   * How many of the first {@code passed} runs have the node exclusively, given the node's sharing.
   */
  public int alone(int passed, NodeSharing here) {
    int count = 0;
    for (int i = 0; i < passed; i++) {
      count += ends[i].asked().on(here) == Sharing.SHARED ? 0 : 1;
    }
    return count;
  }

  /**
   * How many of the first {@code passed} runs have the host exclusively, given the node's sharing.
   */
  public int hostAlone(int passed, NodeSharing here) {
    int count = 0;
    for (int i = 0; i < passed; i++) {
      count += ends[i].asked().on(here) == Sharing.EXCLHOST ? 1 : 0;
    }
    return count;
  }

  private static long[] plus(long[] sum, long[] amounts, int sign) {
    long[] all = sum.length < amounts.length ? Arrays.copyOf(sum, amounts.length) : sum;
    for (int resource = 0; resource < amounts.length; resource++) {
      all[resource] += sign * amounts[resource];
    }
    return all;
  }

  /** Index of the end, or the index at which to insert it. */
  private int position(ExpectedEnd end) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ExpectedEnd.before(ends[middle], end)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
