package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import io.millrace.schemas.common.ResourceRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Jobs in their classes; keeps the table, the heaps and the order of the classes in step. */
final class JobBook {

  /** What a job wants: the record of a live job, or a shape that was made without one. */
  sealed interface Wish permits Recorded, Shaped {}

  record Recorded(ResourceRequest request) implements Wish {}

  record Shaped(RequestShape shape) implements Wish {}

  private final JobTable jobs = new JobTable();
  private final ClassTable classes;
  private final ClassOrder order = new ClassOrder();
  private final AccountTable accounts = new AccountTable();
  private final Eligibility eligibility;
  private final ToIntFunction<ClassState> level;
  private final Places places;

  /** Chunks of the jobs that run with another number of them than they ask for, by job number. */
  private final Map<Long, Integer> chunks = new HashMap<>();

  /** Told of a class that has got a waiting job. */
  private final Consumer<ClassState> waiting;

  /** Told of a class whose last waiting job has gone. */
  private final Consumer<ClassState> drained;

  /** Told of a class whose first job is over the threshold, or under it, as that before was not. */
  private final Consumer<ClassState> otherWorth;

  JobBook(
      ResourceNames names,
      Eligibility eligibility,
      ToIntFunction<ClassState> level,
      Places places,
      Consumer<ClassState> waiting,
      Consumer<ClassState> drained,
      Consumer<ClassState> otherWorth) {
    this.classes = new ClassTable(names);
    this.eligibility = eligibility;
    this.level = level;
    this.places = places;
    this.waiting = waiting;
    this.drained = drained;
    this.otherWorth = otherWorth;
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

  /** Another order holds: all jobs are put into it. */
  void reorder() {
    classes.each(this::reorder);
  }

  /** Jobs of a class may have got other places. */
  void reorder(ClassState owner) {
    owner.waiting.reorder(owner, jobs, places);
    head(owner);
  }

  void add(long number, QueueState queue, Order place, Wish wish, Account account, byte flags) {
    int known = jobs.find(number);
    if (known != JobTable.NONE) {
      remove(known);
    }
    ClassState owner = join(queue, account, wish);
    int slot = jobs.add(number, place.priority(), place.rank(), owner.id, flags);
    jobs.account(slot, accounts.join(account));
    count(slot, owner, runs(slot));
    if (flags == 0) {
      enqueue(slot, owner);
    }
  }

  private ClassState join(QueueState queue, Account account, Wish wish) {
    ClassState owner = classes.classOf(queue, eligibility.seen(account), wish);
    if (owner.jobs == 0) {
      owner.level = level.applyAsInt(owner);
    }
    owner.jobs++;
    return owner;
  }

  /** What decides a job's place among the others. */
  record Order(int priority, long rank) {}

  void remove(int slot) {
    ClassState owner = classOf(slot);
    if (jobs.waiting(slot)) {
      dequeue(slot, owner);
    }
    count(slot, owner, false);
    chunks.remove(jobs.number(slot));
    accounts.leave(jobs.account(slot));
    jobs.remove(slot);
    leave(owner);
  }

  /** Moves a job to another queue, request or place in the order. */
  void change(int slot, QueueState queue, Order place, Wish wish, Account account) {
    boolean counted = jobs.counted(slot);
    count(slot, classOf(slot), false);
    accounts.leave(jobs.account(slot));
    jobs.account(slot, accounts.join(account));
    ClassState before = classOf(slot);
    boolean isWaiting = jobs.waiting(slot);
    if (isWaiting) {
      before.waiting.remove(slot, before, jobs, places);
      head(before);
    }
    ClassState owner = join(queue, account, wish);
    count(slot, owner, counted);
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
    count(slot, owner, runs(slot));
    if (!runs(slot) && !chunks.isEmpty()) {
      chunks.remove(jobs.number(slot));
    }
    boolean now = jobs.waiting(slot);
    if (before && !now) {
      dequeue(slot, owner);
    } else if (!before && now) {
      enqueue(slot, owner);
    }
  }

  /** Whose a job is. */
  Account account(int slot) {
    return accounts.get(jobs.account(slot));
  }

  /** A job has been chosen to start: limits count it from now on. */
  void chosen(int slot) {
    count(slot, classOf(slot), true);
  }

  /** A job runs with so many chunks, which limits count. */
  void granted(int slot, int given) {
    ClassState owner = classOf(slot);
    if (owner.shape.kinds.length == 1 && given != chunks(slot, owner)) {
      boolean counted = jobs.counted(slot);
      count(slot, owner, false);
      chunks.put(jobs.number(slot), given);
      count(slot, owner, counted);
    }
  }

  /** Chunks with which a job counts. */
  int chunks(int slot) {
    return chunks(slot, classOf(slot));
  }

  private int chunks(int slot, ClassState owner) {
    int asked = owner.shape.chunks;
    return chunks.isEmpty() ? asked : chunks.getOrDefault(jobs.number(slot), asked);
  }

  private boolean runs(int slot) {
    return jobs.has(slot, JobTable.RUNNING)
        || jobs.has(slot, JobTable.PROPOSED)
        || jobs.has(slot, JobTable.CLAIMED);
  }

  private void count(int slot, ClassState owner, boolean on) {
    if (jobs.counted(slot) != on) {
      jobs.counted(slot, on);
      eligibility.count(owner, on ? 1 : -1, chunks(slot, owner));
    }
  }

  /** Other limits are in force: what runs is added up anew. */
  void recount() {
    eligibility.restart();
    classes.each(eligibility::forget);
    jobs.each(
        slot -> {
          if (jobs.counted(slot)) {
            eligibility.count(classOf(slot), 1, chunks(slot, classOf(slot)));
          }
        });
  }

  /** Owners are told apart that were not, or the other way round: jobs get into other classes. */
  void regroup(ResourceNames names) {
    classes.each(eligibility::forget);
    jobs.each(
        slot -> {
          ClassState before = classOf(slot);
          Account account = account(slot);
          if (!before.account.equals(eligibility.seen(account))) {
            Order place = new Order(jobs.priority(slot), jobs.rank(slot));
            change(slot, before.queue, place, new Recorded(before.shape.record(names)), account);
          }
        });
  }

  private void enqueue(int slot, ClassState owner) {
    owner.waiting.add(slot, owner, jobs, places);
    head(owner);
    waiting.accept(owner);
  }

  private void dequeue(int slot, ClassState owner) {
    owner.waiting.remove(slot, owner, jobs, places);
    head(owner);
    if (owner.waiting.size() == 0) {
      drained.accept(owner);
    }
  }

  /** Number by which the job in a slot is ordered before its rank. */
  long place(ClassState owner, int slot) {
    return places.place(owner, jobs.priority(slot));
  }

  /** That a job is worth too little to start; null where it is not. */
  Shortage underThreshold(ClassState owner, int slot) {
    return places.under(owner, jobs.priority(slot))
        ? Shortage.untilChange(ReasonCode.UNDER_THRESHOLD, places.threshold())
        : null;
  }

  /** A class has got into another level. */
  void relevel(ClassState owner, int level) {
    owner.level = level;
    head(owner);
  }

  private void head(ClassState owner) {
    if (owner.waiting.size() > 0) {
      int first = owner.waiting.first();
      owner.headPlace = place(owner, first);
      owner.headRank = jobs.rank(first);
      noteWorth(owner, first);
    }
    order.headChanged(owner);
  }

  /** What a class waits for is another thing when its first job has come over the threshold. */
  private void noteWorth(ClassState owner, int first) {
    boolean known = owner.shortage != null && !owner.backingOff;
    if (known && places.under(owner, jobs.priority(first)) != owner.shortage.ofWorth()) {
      otherWorth.accept(owner);
    }
  }

  private void leave(ClassState owner) {
    owner.jobs--;
    if (owner.jobs == 0) {
      classes.forget(owner);
    }
  }
}
