package io.millrace.schedulers.core;

import io.millrace.schemas.common.ResourceRequest;
import java.util.function.Consumer;

/** Jobs in their classes; keeps the table and the heaps in step. */
final class JobBook {

  private final JobTable jobs = new JobTable();
  private final ClassTable classes;
  private final Policy policy;

  /** Told of a class that has got a waiting job. */
  private final Consumer<ClassState> waiting;

  /** Told of a class whose last waiting job has gone. */
  private final Consumer<ClassState> drained;

  JobBook(
      ResourceNames names,
      Policy policy,
      Consumer<ClassState> waiting,
      Consumer<ClassState> drained) {
    this.classes = new ClassTable(names);
    this.policy = policy;
    this.waiting = waiting;
    this.drained = drained;
  }

  JobTable jobs() {
    return jobs;
  }

  ClassTable classes() {
    return classes;
  }

  ClassState classOf(int slot) {
    return classes.get(jobs.classId(slot));
  }

  void add(long number, QueueState queue, Order order, ResourceRequest request, byte flags) {
    int known = jobs.find(number);
    if (known != JobTable.NONE) {
      remove(known);
    }
    ClassState owner = classes.classOf(queue, request);
    owner.jobs++;
    int slot = jobs.add(number, order.priority(), order.rank(), owner.id, flags);
    if (flags == 0) {
      enqueue(slot, owner);
    }
  }

  /** What decides a job's place among the others. */
  record Order(int priority, long rank) {}

  void remove(int slot) {
    ClassState owner = classOf(slot);
    if (jobs.waiting(slot)) {
      dequeue(slot, owner);
    }
    jobs.remove(slot);
    leave(owner);
  }

  /** Moves a job to another queue, request or place in the order. */
  void change(int slot, QueueState queue, Order order, ResourceRequest request) {
    ClassState before = classOf(slot);
    boolean isWaiting = jobs.waiting(slot);
    if (isWaiting) {
      before.waiting.remove(slot, jobs, policy);
    }
    ClassState owner = classes.classOf(queue, request);
    owner.jobs++;
    jobs.order(slot, order.priority(), order.rank(), owner.id);
    if (isWaiting) {
      enqueue(slot, owner);
      if (before.waiting.size() == 0) {
        drained.accept(before);
      }
    }
    leave(before);
  }

  void flag(int slot, byte flag, boolean on) {
    ClassState owner = classOf(slot);
    boolean before = jobs.waiting(slot);
    jobs.set(slot, flag, on);
    boolean now = jobs.waiting(slot);
    if (before && !now) {
      dequeue(slot, owner);
    } else if (!before && now) {
      enqueue(slot, owner);
    }
  }

  private void enqueue(int slot, ClassState owner) {
    owner.waiting.add(slot, jobs, policy);
    waiting.accept(owner);
  }

  private void dequeue(int slot, ClassState owner) {
    owner.waiting.remove(slot, jobs, policy);
    if (owner.waiting.size() == 0) {
      drained.accept(owner);
    }
  }

  private void leave(ClassState owner) {
    owner.jobs--;
    if (owner.jobs == 0) {
      classes.forget(owner);
    }
  }
}
