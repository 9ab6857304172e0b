package io.millrace.schedulers.core;

import io.millrace.schedulers.core.policy.JobOrder;
import io.millrace.schemas.common.ResourceRequest;
import java.util.function.Consumer;

/** Jobs in their classes; keeps the table, the heaps and the order of the classes in step. */
final class JobBook {

  /** What a job wants: the record of a live job, or a shape that was made without one. */
  sealed interface Wish permits Recorded, Shaped {}

  record Recorded(ResourceRequest request) implements Wish {}

  record Shaped(RequestShape shape) implements Wish {}

  private final JobTable jobs = new JobTable();
  private final ClassTable classes;
  private final ClassOrder order = new ClassOrder();
  private JobOrder jobOrder;

  /** Told of a class that has got a waiting job. */
  private final Consumer<ClassState> waiting;

  /** Told of a class whose last waiting job has gone. */
  private final Consumer<ClassState> drained;

  JobBook(
      ResourceNames names,
      JobOrder jobOrder,
      Consumer<ClassState> waiting,
      Consumer<ClassState> drained) {
    this.classes = new ClassTable(names);
    this.jobOrder = jobOrder;
    this.waiting = waiting;
    this.drained = drained;
  }

  JobTable jobs() {
    return jobs;
  }

  ClassTable classes() {
    return classes;
  }

  ClassOrder order() {
    return order;
  }

  ClassState classOf(int slot) {
    return classes.get(jobs.classId(slot));
  }

  /** Puts all jobs into another order. */
  void reorder(JobOrder newOrder) {
    jobOrder = newOrder;
    classes.each(
        it -> {
          it.waiting.reorder(jobs, newOrder);
          head(it);
        });
  }

  void add(long number, QueueState queue, Order place, Wish wish, byte flags) {
    int known = jobs.find(number);
    if (known != JobTable.NONE) {
      remove(known);
    }
    ClassState owner = classes.classOf(queue, wish);
    owner.jobs++;
    int slot = jobs.add(number, place.priority(), place.rank(), owner.id, flags);
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
  void change(int slot, QueueState queue, Order place, Wish wish) {
    ClassState before = classOf(slot);
    boolean isWaiting = jobs.waiting(slot);
    if (isWaiting) {
      before.waiting.remove(slot, jobs, jobOrder);
      head(before);
    }
    ClassState owner = classes.classOf(queue, wish);
    owner.jobs++;
    jobs.order(slot, place.priority(), place.rank(), owner.id);
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
    owner.waiting.add(slot, jobs, jobOrder);
    head(owner);
    waiting.accept(owner);
  }

  private void dequeue(int slot, ClassState owner) {
    owner.waiting.remove(slot, jobs, jobOrder);
    head(owner);
    if (owner.waiting.size() == 0) {
      drained.accept(owner);
    }
  }

  /** Number by which the job in a slot is ordered before its rank. */
  long place(ClassState owner, int slot) {
    return jobOrder.place(jobs.priority(slot), owner.shape.walltimeMs);
  }

  private void head(ClassState owner) {
    if (owner.waiting.size() > 0) {
      int first = owner.waiting.first();
      owner.headPlace = place(owner, first);
      owner.headRank = jobs.rank(first);
    }
    order.headChanged(owner);
  }

  private void leave(ClassState owner) {
    owner.jobs--;
    if (owner.jobs == 0) {
      classes.forget(owner);
    }
  }
}
