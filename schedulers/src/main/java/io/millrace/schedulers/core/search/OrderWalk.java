package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.ReadyOrder;
import java.util.Arrays;

/**
 * Walks all waiting jobs in the policy's order without changing the heaps in which they stand: what
 * has been walked costs, what lies behind does not.
 */
public final class OrderWalk implements JobWalk {

  private final JobBook book;
  private final ReadyOrder order;

  // The frontier of the walk: a heap of positions, each a job in the waiting heap of its class.
  private ClassState[] owners = new ClassState[16];
  private int[] indices = new int[16];
  private int[] slots = new int[16];
  private int size;

  private ClassState owner;
  private int index;
  private boolean skipped;

  OrderWalk(JobBook book) {
    this.book = book;
    this.order = book.sequence();
  }

  @Override
  public void restart() {
    Arrays.fill(owners, 0, size, null);
    size = 0;
    owner = null;
    if (book.order().size() > 0) {
      push(book.order().get(0), 0);
    }
  }

  @Override
  public boolean next() {
    if (owner != null) {
      extend();
    }
    if (size == 0) {
      owner = null;
      return false;
    }
    owner = owners[0];
    index = indices[0];
    skipped = false;
    size--;
    if (size > 0) {
      down(owners[size], indices[size], slots[size]);
    }
    owners[size] = null;
    return true;
  }

  @Override
  public ClassState owner() {
    return owner;
  }

  @Override
  public int slot() {
    return owner.waiting().slot(index);
  }

  @Override
  public void skipClass() {
    skipped = true;
  }

  private void extend() {
    if (!skipped) {
      for (int child = 2 * index + 1; child <= 2 * index + 2; child++) {
        if (child < owner.waiting().size()) {
          push(owner, child);
        }
      }
    }
    if (index == 0) {
      for (int child = 2 * owner.orderIndex() + 1; child <= 2 * owner.orderIndex() + 2; child++) {
        if (child < book.order().size()) {
          push(book.order().get(child), 0);
        }
      }
    }
  }

  private void push(ClassState of, int at) {
    if (size == owners.length) {
      owners = Arrays.copyOf(owners, 2 * size);
      indices = Arrays.copyOf(indices, 2 * size);
      slots = Arrays.copyOf(slots, 2 * size);
    }
    int slot = of.waiting().slot(at);
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      if (!order.before(of, slot, owners[parent], slots[parent])) {
        break;
      }
      copy(parent, hole);
      hole = parent;
    }
    put(hole, of, at, slot);
  }

  private void down(ClassState of, int at, int slot) {
    int hole = 0;
    while (2 * hole + 1 < size) {
      int child = 2 * hole + 1;
      if (child + 1 < size
          && order.before(owners[child + 1], slots[child + 1], owners[child], slots[child])) {
        child++;
      }
      if (!order.before(owners[child], slots[child], of, slot)) {
        break;
      }
      copy(child, hole);
      hole = child;
    }
    put(hole, of, at, slot);
  }

  private void copy(int from, int to) {
    put(to, owners[from], indices[from], slots[from]);
  }

  private void put(int hole, ClassState of, int at, int slot) {
    owners[hole] = of;
    indices[hole] = at;
    slots[hole] = slot;
  }
}
