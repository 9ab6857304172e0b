package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.ResourceNames;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/** Jobs in their classes; keeps the job table, the heaps and the order of classes consistent. */
public final class JobBook {

  private final JobSlots jobs;
  private final ClassTable classes;
  private final ReadyOrder sequence;
  private final ClassOrder order;
  private final AccountTable accounts = new AccountTable();
  private final RunCounter counter;
  private final ToIntFunction<ClassState> level;

  /**
   * Number of chunks of each running job that got another number than it asked for, by job number.
   */
  private final Map<Long, Integer> chunks = new HashMap<>();

  private final Consumer<ClassState> waiting;
  private final Consumer<ClassState> drained;
  private final Consumer<ClassState> otherFirst;

  /**
   * What the book asks about jobs and classes.
   *
   * @param level of a class in the order of preemption
   */
  public record JobBookRules(
      RunCounter counter, ToIntFunction<ClassState> level, ReadyOrder sequence) {}

  /**
   * Listeners for changes of classes.
   *
   * @param waiting called with a class that has got its first waiting job
   * @param drained called with a class whose last waiting job has gone
   * @param otherFirst called with a class whose first waiting job has changed or moved in the order
   */
  public record Listeners(
      Consumer<ClassState> waiting,
      Consumer<ClassState> drained,
      Consumer<ClassState> otherFirst) {}

  public JobBook(ResourceNames names, JobSlots jobs, JobBookRules rules, Listeners listeners) {
    this.jobs = jobs;
    this.classes = new ClassTable(names);
    this.counter = rules.counter();
    this.level = rules.level();
    this.sequence = rules.sequence();
    this.order = new ClassOrder(sequence);
    this.waiting = listeners.waiting();
    this.drained = listeners.drained();
    this.otherFirst = listeners.otherFirst();
  }

  public JobSlots jobs() {
    return jobs;
  }

  public ClassTable classes() {
    return classes;
  }

  /** The order of all waiting jobs. */
  public ReadyOrder sequence() {
    return sequence;
  }

  /** The classes with waiting jobs, ordered by their first jobs. */
  public ClassOrder order() {
    return order;
  }

  public ClassState classOf(int slot) {
    return classes.get(jobs.classId(slot));
  }

  /** Sorts all waiting jobs again, because the order has changed. */
  public void reorder() {
    classes.each(
        owner -> {
          owner.waiting().reorder(owner, jobs, sequence);
          if (owner.waiting().size() > 0) {
            sequence.firstChanged(owner);
          }
        });
    order.rebuild();
    classes.each(
        owner -> {
          if (owner.waiting().size() > 0) {
            otherFirst.accept(owner);
          }
        });
  }

  /** Sorts the classes again, because their order has changed but not that of jobs in any. */
  public void reorderClasses() {
    order.rebuild();
    for (int i = order.size() - 1; i >= 0; i--) {
      otherFirst.accept(order.get(i));
    }
  }

  /** Sorts the jobs of one class again. */
  public void reorder(ClassState owner) {
    owner.waiting().reorder(owner, jobs, sequence);
    head(owner);
  }

  public void add(
      long number,
      QueueState queue,
      QueuePlace place,
      JobRequest asked,
      JobOwner account,
      byte flags) {
    int known = jobs.find(number);
    if (known != JobSlots.NONE) {
      remove(known);
    }
    ClassState owner = join(queue, account, asked);
    int slot = jobs.add(number, place.priority(), place.rank(), owner.id(), flags);
    jobs.account(slot, accounts.join(account));
    count(slot, owner, runs(slot));
    if (flags == 0) {
      enqueue(slot, owner);
    }
  }

  private ClassState join(QueueState queue, JobOwner account, JobRequest asked) {
    ClassState owner = classes.classOf(queue, counter.seen(account), asked);
    if (!owner.hasJobs()) {
      owner.relevel(level.applyAsInt(owner));
    }
    owner.joined();
    return owner;
  }

  public void remove(int slot) {
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
  public void change(
      int slot, QueueState queue, QueuePlace place, JobRequest asked, JobOwner account) {
    boolean counted = jobs.counted(slot);
    count(slot, classOf(slot), false);
    accounts.leave(jobs.account(slot));
    jobs.account(slot, accounts.join(account));
    ClassState before = classOf(slot);
    boolean isWaiting = jobs.waiting(slot);
    if (isWaiting) {
      before.waiting().remove(slot, before, jobs, sequence);
      head(before);
    }
    ClassState owner = join(queue, account, asked);
    count(slot, owner, counted);
    jobs.order(slot, place.priority(), place.rank(), owner.id());
    if (isWaiting) {
      enqueue(slot, owner);
      if (before.waiting().size() == 0) {
        drained.accept(before);
      }
    }
    leave(before);
  }

  public void flag(int slot, byte flag, boolean on) {
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

  /** The account that owns a job. */
  public JobOwner account(int slot) {
    return accounts.get(jobs.account(slot));
  }

  /** A job was chosen to start; limits count it from now on. */
  public void chosen(int slot) {
    count(slot, classOf(slot), true);
  }

  /** A job runs with this number of chunks, which limits count. */
  public void granted(int slot, int given) {
    ClassState owner = classOf(slot);
    if (owner.shape().kinds().length == 1 && given != chunks(slot, owner)) {
      boolean counted = jobs.counted(slot);
      count(slot, owner, false);
      chunks.put(jobs.number(slot), given);
      count(slot, owner, counted);
    }
  }

  /** Number of chunks that limits count for the job. */
  public int chunks(int slot) {
    return chunks(slot, classOf(slot));
  }

  private int chunks(int slot, ClassState owner) {
    int asked = owner.shape().chunks();
    return chunks.isEmpty() ? asked : chunks.getOrDefault(jobs.number(slot), asked);
  }

  private boolean runs(int slot) {
    return jobs.has(slot, JobSlots.RUNNING)
        || jobs.has(slot, JobSlots.PROPOSED)
        || jobs.has(slot, JobSlots.CLAIMED);
  }

  private void count(int slot, ClassState owner, boolean on) {
    if (jobs.counted(slot) != on) {
      jobs.counted(slot, on);
      counter.count(owner, on ? 1 : -1, chunks(slot, owner));
    }
  }

  /** Adds up the running jobs again, because limits have changed. */
  public void recount() {
    counter.restart();
    classes.each(counter::forget);
    jobs.each(
        slot -> {
          if (jobs.counted(slot)) {
            counter.count(classOf(slot), 1, chunks(slot, classOf(slot)));
          }
        });
  }

  /**
   * Puts jobs into other classes, because owners have begun or ceased to be told apart, or are told
   * apart by something else.
   *
   * @param owners the owner as it is seen now, by the owner and the job's queue
   */
  public void regroup(ResourceNames names, BiFunction<JobOwner, String, JobOwner> owners) {
    classes.each(counter::forget);
    jobs.each(
        slot -> {
          ClassState before = classOf(slot);
          JobOwner account = owners.apply(account(slot), before.queue().name());
          if (!before.account().equals(counter.seen(account)) || !account.equals(account(slot))) {
            QueuePlace place = new QueuePlace(jobs.priority(slot), jobs.rank(slot));
            change(
                slot,
                before.queue(),
                place,
                new JobRequest.Recorded(before.shape().record(names)),
                account);
          }
        });
  }

  /** Puts all jobs into classes anew, because their requests are read otherwise. */
  public void reread(ResourceNames names) {
    jobs.each(
        slot -> {
          ClassState before = classOf(slot);
          QueuePlace place = new QueuePlace(jobs.priority(slot), jobs.rank(slot));
          JobRequest asked = new JobRequest.Recorded(before.shape().record(names));
          change(slot, before.queue(), place, asked, account(slot));
        });
  }

  private void enqueue(int slot, ClassState owner) {
    owner.waiting().add(slot, owner, jobs, sequence);
    head(owner);
    waiting.accept(owner);
  }

  private void dequeue(int slot, ClassState owner) {
    owner.waiting().remove(slot, owner, jobs, sequence);
    head(owner);
    if (owner.waiting().size() == 0) {
      drained.accept(owner);
    }
  }

  /** Moves a class to another preemption level. */
  public void relevel(ClassState owner, int level) {
    owner.relevel(level);
    head(owner);
  }

  private void head(ClassState owner) {
    if (owner.waiting().size() > 0) {
      sequence.firstChanged(owner);
      otherFirst.accept(owner);
    }
    order.headChanged(owner);
  }

  private void leave(ClassState owner) {
    owner.left();
    if (!owner.hasJobs()) {
      classes.forget(owner);
    }
  }
}
