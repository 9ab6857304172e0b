package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Amounts;
import io.millrace.reservations.resources.LimitSubject;
import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.resources.RequestException;
import io.millrace.reservations.resources.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Whether the limits of the server and of a queue allow one more job of a class to run.
 *
 * <p>Simple semantics: add up what runs, proposals included, for each whom a limit holds for; a job
 * may run if with it no sum is above its limit. The sums are kept from job to job. A class at a
 * limit waits at the sum, so that the end of a run touches only those that it concerns.
 *
 * <p>A job that holds a dated promise counts as one that runs: otherwise those behind it could use
 * up the limit again and again, and it would never start. As with nodes, promises of jobs that come
 * later in the order hinder nobody.
 *
 * <p>Limits hold for each scheduler by itself, as in PBS: what runs in queues of others does not
 * count.
 */
final class Eligibility {

  /**
   * What is counted for whom.
   *
   * @param queue empty for the server
   * @param attribute limits of several attributes hold beside each other
   */
  private record Sum(String queue, char whom, String name, String attribute) {}

  /**
   * A limit as it holds for the jobs of a class.
   *
   * @param amount that may be in use
   * @param need of one job
   */
  record Bound(LimitRules.Rule rule, String queue, Meter meter, long amount, long need) {

    /** The same of a job that has another number of chunks than it asks for. */
    long needOf(int chunks, int asked) {
      return chunks == asked || rule.resource().isEmpty() ? need : need / asked * chunks;
    }

    boolean reached(long promised) {
      return meter.used() + promised + need > amount;
    }

    Shortage shortage() {
      ReasonCode code =
          rule.resource().isEmpty() ? ReasonCode.RUN_LIMIT : ReasonCode.RESOURCE_LIMIT;
      LimitSubject subject = new LimitSubject(rule.attribute(), rule.entry(), queue);
      long free = Math.max(0, amount - meter.used());
      return new Shortage(
          code,
          subject.toString(),
          new Shortage.Numbers(need, free, amount),
          Shortage.Watch.CHANGE,
          Shortage.UNKNOWN);
    }
  }

  private static final List<Bound> UNBOUND = List.of();

  private final NodeTable nodes;
  private final ResourceNames names;

  /** True for a queue whose jobs this scheduler starts. */
  private final Predicate<QueueState> ours;

  /** Told of a class that is no longer at the limit it waited for. */
  private final Consumer<ClassState> wake;

  private final Map<Sum, Meter> meters = new HashMap<>();
  private LimitRules server = LimitRules.NONE;

  /** Number of the present walk over jobs in their order. */
  private int round;

  /** True when there is any limit, and when one tells owners apart. */
  private boolean active;

  private boolean personal;

  /** True when there is any limit that may be passed. */
  private boolean soft;

  /** Another number after each change of what counts for such a limit. */
  private long softChanges;

  Eligibility(
      NodeTable nodes, ResourceNames names, Predicate<QueueState> ours, Consumer<ClassState> wake) {
    this.nodes = nodes;
    this.names = names;
    this.ours = ours;
    this.wake = wake;
  }

  boolean active() {
    return active;
  }

  boolean soft() {
    return soft;
  }

  long softChanges() {
    return softChanges;
  }

  /** What is left of an owner where limits do not tell owners apart. */
  Account seen(Account account) {
    return personal ? account : Account.ANYBODY;
  }

  /**
   * Takes other limits into force; what runs has to be counted anew.
   *
   * @return true when from now on owners are told apart that were not, or the other way round
   */
  boolean reset(LimitRules ofServer, Iterable<QueueState> queues) {
    server = ofServer;
    boolean before = personal;
    active = server != LimitRules.NONE;
    personal = server.personal();
    soft = server.soft();
    for (QueueState queue : queues) {
      active |= queue.limits != LimitRules.NONE;
      personal |= queue.limits.personal();
      soft |= queue.limits.soft();
    }
    return before != personal;
  }

  /** All sums begin with 0 again; each class has to be forgotten. */
  void restart() {
    meters.clear();
  }

  /** Forgets what is known of a class, since limits have changed. */
  void forget(ClassState owner) {
    leave(owner);
    owner.bounds = null;
    owner.softBounds = null;
    softChanges++;
  }

  /**
   * One job of the class more runs, or one less.
   *
   * @param chunks that it has; some get another number than they ask for
   */
  void count(ClassState owner, int sign, int chunks) {
    if (!active) {
      return;
    }
    List<Bound> bounds = bounds(owner);
    for (Bound bound : bounds) {
      bound.meter.count(sign * bound.needOf(chunks, owner.shape.chunks));
    }
    for (int i = 0; i < bounds.size() && sign < 0; i++) {
      bounds.get(i).meter.waiting().forEach(this::lookAgain);
    }
    if (soft && !softBounds(owner).isEmpty()) {
      softChanges++;
      pretend(owner, sign, chunks);
    }
  }

  /** The same for the limits that may be passed only. */
  void pretend(ClassState owner, int sign, int chunks) {
    for (Bound bound : soft ? softBounds(owner) : UNBOUND) {
      bound.meter.count(sign * bound.needOf(chunks, owner.shape.chunks));
    }
  }

  /**
   * Whether more is in use than a limit says that may be passed.
   *
   * @param ofServer about the limits of the server, otherwise about those of the queue
   * @param oneMore with one more job of the class
   */
  boolean over(ClassState owner, boolean ofServer, boolean oneMore) {
    for (Bound bound : soft ? softBounds(owner) : UNBOUND) {
      long used = bound.meter.used() + (oneMore ? bound.need : 0);
      if (bound.queue.isEmpty() == ofServer && used > bound.amount) {
        return true;
      }
    }
    return false;
  }

  /** A job of the class gets a dated promise, or has it no more. */
  void promise(ClassState owner, int sign) {
    if (active) {
      for (Bound bound : bounds(owner)) {
        bound.meter.promise(sign * bound.need);
      }
    }
  }

  /** A promise is lost, and its job does not start: those that wait may come now. */
  void unpromised(ClassState owner) {
    if (active) {
      bounds(owner).forEach(bound -> bound.meter.waiting().forEach(this::lookAgain));
    }
  }

  /** Jobs are considered in their order from the first on. */
  void beginOrder() {
    round++;
  }

  /** The order has come to a job of the class, and its dated promise holds. */
  void keep(ClassState owner) {
    if (active) {
      for (Bound bound : bounds(owner)) {
        bound.meter.keep(bound.need, round);
      }
    }
  }

  /**
   * Less is in use at the sum at which the class waits. At another limit it waits for another
   * reason, which the next cycle finds.
   */
  private void lookAgain(ClassState waiting) {
    if (reached(waiting) != waiting.waitsFor) {
      leave(waiting);
      wake.accept(waiting);
    }
  }

  /** Why no job of the class may run beside those that run or hold promises; null when one may. */
  Shortage shortage(ClassState owner) {
    Bound bound = active ? reached(owner) : null;
    return bound == null ? null : bound.shortage();
  }

  /** The same for the next job in the order, which promises of later ones do not hinder. */
  Shortage shortageInOrder(ClassState owner) {
    for (Bound bound : active ? bounds(owner) : UNBOUND) {
      if (bound.reached(bound.meter.kept(round))) {
        // Told is the limit at which it waits, as in a gap.
        return reached(owner).shortage();
      }
    }
    return null;
  }

  /** False when a promise, which is in the book, would break a limit beside the others. */
  boolean allows(Promise promise) {
    for (Bound bound : active ? bounds(promise.owner) : UNBOUND) {
      // One with a date is among what is promised; one without takes nothing from anybody.
      boolean dated = promise.dated();
      if (bound.reached(dated ? bound.meter.promised() - bound.need : 0)) {
        return false;
      }
    }
    return true;
  }

  /** The same for one that is not in the book. */
  boolean wouldAllow(Promise promise) {
    for (Bound bound : active ? bounds(promise.owner) : UNBOUND) {
      if (bound.reached(promise.dated() ? bound.meter.promised() : 0)) {
        return false;
      }
    }
    return true;
  }

  /** True when no limit is passed with what runs and is to start now. */
  boolean within(ClassState owner) {
    for (Bound bound : active ? bounds(owner) : UNBOUND) {
      if (bound.meter.used() > bound.amount) {
        return false;
      }
    }
    return true;
  }

  /** The class waits until it is no longer at its limit. */
  void await(ClassState owner) {
    Bound bound = active ? reached(owner) : null;
    if (bound != null) {
      leave(owner);
      owner.waitsFor = bound;
      bound.meter.add(owner);
    }
  }

  /** The class waits for no limit. */
  void leave(ClassState owner) {
    if (owner.waitsFor != null) {
      owner.waitsFor.meter.remove(owner);
      owner.waitsFor = null;
    }
  }

  private Bound reached(ClassState owner) {
    for (Bound bound : bounds(owner)) {
      if (bound.reached(bound.meter.promised())) {
        return bound;
      }
    }
    return null;
  }

  /** The limits that hold for the jobs of a class, in the order in which they are looked at. */
  List<Bound> bounds(ClassState owner) {
    if (owner.bounds == null) {
      owner.bounds = ours.test(owner.queue) ? find(owner, false) : UNBOUND;
    }
    return owner.bounds;
  }

  private List<Bound> softBounds(ClassState owner) {
    if (owner.softBounds == null) {
      owner.softBounds = ours.test(owner.queue) ? find(owner, true) : UNBOUND;
    }
    return owner.softBounds;
  }

  private List<Bound> find(ClassState owner, boolean passable) {
    List<Bound> found = new ArrayList<>();
    add(owner, owner.queue.limits, owner.queue.name, found);
    add(owner, server, "", found);
    found.removeIf(it -> it.rule.soft() != passable);
    // PBS looks at all numbers of jobs before it looks at amounts.
    found.sort(Comparator.comparingInt(it -> it.rule.rank()));
    return found.isEmpty() ? UNBOUND : List.copyOf(found);
  }

  private void add(ClassState owner, LimitRules rules, String queue, List<Bound> found) {
    for (LimitRules.Rule rule : rules.of(owner.account)) {
      Optional<Long> amount = amount(rule);
      long need = rule.resource().isEmpty() ? 1 : owner.shape.total(names.number(rule.resource()));
      if (amount.isPresent() && need > 0) {
        char whom = rule.entry().whom();
        Sum sum = new Sum(queue, whom, owner.account.name(whom), rule.attribute());
        Meter meter = meters.computeIfAbsent(sum, it -> new Meter());
        found.add(new Bound(rule, queue, meter, amount.get(), need));
      }
    }
  }

  /** Nothing for a resource that is not, or no longer, known. */
  private Optional<Long> amount(LimitRules.Rule rule) {
    String text = rule.entry().amount();
    if (rule.resource().isEmpty()) {
      return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }
    Optional<ResourceDefinition> resource = nodes.resources().find(rule.resource());
    try {
      return resource.isEmpty()
          ? Optional.empty()
          : Optional.of(Amounts.parse(resource.get(), text));
    } catch (RequestException e) {
      // The shard lets nobody set such a limit; one of an older form holds nobody back.
      return Optional.empty();
    }
  }
}
