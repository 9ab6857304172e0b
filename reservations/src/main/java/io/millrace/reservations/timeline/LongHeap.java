package io.millrace.reservations.timeline;

/** Numbers with keys, the largest key on top: a binary heap in two arrays. */
final class LongHeap {

  private final long[] keys;
  private final int[] values;
  private int size;

  LongHeap(int capacity) {
    keys = new long[capacity];
    values = new int[capacity];
  }

  int size() {
    return size;
  }

  long topKey() {
    return keys[0];
  }

  void add(long key, int value) {
    int at = size++;
    while (at > 0 && keys[(at - 1) / 2] < key) {
      move((at - 1) / 2, at);
      at = (at - 1) / 2;
    }
    set(at, key, value);
  }

  int removeTop() {
    int top = values[0];
    size--;
    long key = keys[size];
    int value = values[size];
    int at = 0;
    int child = 1;
    while (child < size) {
      if (child + 1 < size && keys[child + 1] > keys[child]) {
        child++;
      }
      if (keys[child] <= key) {
        break;
      }
      move(child, at);
      at = child;
      child = 2 * at + 1;
    }
    set(at, key, value);
    return top;
  }

  private void move(int from, int to) {
    keys[to] = keys[from];
    values[to] = values[from];
  }

  private void set(int at, long key, int value) {
    keys[at] = key;
    values[at] = value;
  }
}
