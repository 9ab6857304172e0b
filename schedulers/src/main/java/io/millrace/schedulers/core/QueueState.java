package io.millrace.schedulers.core;

import java.util.Arrays;
import java.util.function.Consumer;

/** A queue, known from its object or from a job in it. */
final class QueueState {

  final String name;
  String partition = SchedulerState.DEFAULT_PARTITION;

  /** True when its object exists, it is started, and it is no route queue. */
  boolean started;

  LimitRules limits = LimitRules.NONE;

  /** Its attribute Priority: jobs of one with more come first, and it may be an express queue. */
  long priority;

  /** Nodes that serve it, as {@link ClusterBook#poolOf} found them, and when that was. */
  Pool pool;

  long poolAt;

  /** Classes of its jobs, each of which knows its place here. */
  private ClassState[] classes = new ClassState[4];

  private int size;

  QueueState(String name) {
    this.name = name;
  }

  void add(ClassState owner) {
    if (size == classes.length) {
      classes = Arrays.copyOf(classes, 2 * size);
    }
    owner.queueIndex = size;
    classes[size++] = owner;
  }

  void remove(ClassState owner) {
    size--;
    ClassState last = classes[size];
    classes[owner.queueIndex] = last;
    last.queueIndex = owner.queueIndex;
    classes[size] = null;
  }

  void eachClass(Consumer<ClassState> visitor) {
    for (int i = 0; i < size; i++) {
      visitor.accept(classes[i]);
    }
  }
}
