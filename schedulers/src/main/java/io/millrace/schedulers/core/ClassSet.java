package io.millrace.schedulers.core;

import java.util.Arrays;
import java.util.List;

/** The classes that the next cycle has to look at; each knows its place. */
final class ClassSet {

  private static final int LEAST = 16;

  private ClassState[] classes = new ClassState[LEAST];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  ClassState get(int index) {
    return classes[index];
  }

  void add(ClassState owner) {
    if (size == classes.length) {
      classes = Arrays.copyOf(classes, 2 * size);
    }
    owner.dirtyIndex = size;
    classes[size++] = owner;
  }

  void remove(ClassState owner) {
    size--;
    ClassState last = classes[size];
    classes[owner.dirtyIndex] = last;
    last.dirtyIndex = owner.dirtyIndex;
    classes[size] = null;
    owner.dirtyIndex = JobTable.NONE;
    if (size * 4 < classes.length && classes.length > LEAST) {
      classes = Arrays.copyOf(classes, classes.length / 2);
    }
  }

  List<ClassState> copy() {
    return List.of(Arrays.copyOf(classes, size));
  }
}
