package io.millrace.schedulers.core;

import java.util.LinkedHashSet;
import java.util.Set;

/** A queue, known from its object or from a job in it. */
final class QueueState {

  final String name;
  String partition = SchedulerState.DEFAULT_PARTITION;

  /** True when its object exists, it is started, and it is no route queue. */
  boolean started;

  final Set<ClassState> classes = new LinkedHashSet<>();

  QueueState(String name) {
    this.name = name;
  }
}
