package io.millrace.schedulers.core.state.job;

import java.util.Arrays;
import java.util.List;

/** The classes that the next cycle has to look at; each knows its place. */
public final class ClassSet {

  private static final int LEAST = 16;

  private ClassState[] classes = new ClassState[LEAST];
  private int size;

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  ClassState get(int index) {
    return classes[index];
  }

  public void add(ClassState owner) {
    if (size == classes.length) {
      classes = Arrays.copyOf(classes, 2 * size);
    }
    owner.dirtyAt(size);
    classes[size++] = owner;
  }

  public void remove(ClassState owner) {
    size--;
    ClassState last = classes[size];
    classes[owner.dirtyIndex()] = last;
    last.dirtyAt(owner.dirtyIndex());
    classes[size] = null;
    owner.dirtyAt(JobSlots.NONE);
    if (size * 4 < classes.length && classes.length > LEAST) {
      classes = Arrays.copyOf(classes, classes.length / 2);
    }
  }

  public List<ClassState> copy() {
    return List.of(Arrays.copyOf(classes, size));
  }
}
