package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.RunCounter;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import java.util.ArrayList;
import java.util.Arrays;
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
public final class Eligibility implements RunCounter {

  /**
   * What is counted for whom.
   *
   * @param queue empty for the server
   * @param attribute limits of several attributes hold beside each other
   */
  private record Sum(String queue, char whom, String name, String attribute) {}

  private static final List<LimitBound> UNBOUND = List.of();

  private final NodeTable nodes;
  private final ResourceNames names;

  /** True for a queue whose jobs this scheduler starts. */
  private final Predicate<QueueState> ours;

  /** Told of a class that is no longer at the limit it waited for. */
  private final Consumer<ClassState> wake;

  private final Map<Sum, LimitMeter> meters = new HashMap<>();

  /** By number of the class; made when it is needed, which without limits is never. */
  private LimitedClass[] limited = new LimitedClass[64];

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

  public Eligibility(
      NodeTable nodes, ResourceNames names, Predicate<QueueState> ours, Consumer<ClassState> wake) {
    this.nodes = nodes;
    this.names = names;
    this.ours = ours;
    this.wake = wake;
  }

  public boolean active() {
    return active;
  }

  public boolean soft() {
    return soft;
  }

  public long softChanges() {
    return softChanges;
  }

  @Override
  public JobOwner seen(JobOwner account) {
    return personal ? account : JobOwner.ANYBODY;
  }

  /**
   * Takes other limits into force; what runs has to be counted anew.
   *
   * @return true when from now on owners are told apart that were not, or the other way round
   */
  public boolean reset(LimitRules ofServer, Iterable<QueueState> queues) {
    server = ofServer;
    boolean before = personal;
    active = server != LimitRules.NONE;
    personal = server.personal();
    soft = server.soft();
    for (QueueState queue : queues) {
      active |= queue.limits() != LimitRules.NONE;
      personal |= queue.limits().personal();
      soft |= queue.limits().soft();
    }
    return before != personal;
  }

  @Override
  public void restart() {
    meters.clear();
  }

  @Override
  public void forget(ClassState owner) {
    LimitedClass known = known(owner);
    if (known != null) {
      known.waitNoMore();
      known.forgetBounds();
    }
    softChanges++;
  }

  @Override
  public void count(ClassState owner, int sign, int chunks) {
    if (!active) {
      return;
    }
    List<LimitBound> bounds = bounds(owner);
    for (LimitBound bound : bounds) {
      bound.meter().count(sign * bound.needOf(chunks, owner.shape().chunks()));
    }
    for (int i = 0; i < bounds.size() && sign < 0; i++) {
      bounds.get(i).meter().waiting().forEach(this::lookAgain);
    }
    if (soft && !softBounds(owner).isEmpty()) {
      softChanges++;
      pretend(owner, sign, chunks);
    }
  }

  /** The same for the limits that may be passed only. */
  public void pretend(ClassState owner, int sign, int chunks) {
    for (LimitBound bound : soft ? softBounds(owner) : UNBOUND) {
      bound.meter().count(sign * bound.needOf(chunks, owner.shape().chunks()));
    }
  }

  /**
   * Whether more is in use than a limit says that may be passed.
   *
   * @param ofServer about the limits of the server, otherwise about those of the queue
   * @param oneMore with one more job of the class
   */
  public boolean over(ClassState owner, boolean ofServer, boolean oneMore) {
    for (LimitBound bound : soft ? softBounds(owner) : UNBOUND) {
      long used = bound.meter().used() + (oneMore ? bound.need() : 0);
      if (bound.queue().isEmpty() == ofServer && used > bound.amount()) {
        return true;
      }
    }
    return false;
  }

  /** A job of the class gets a dated promise, or has it no more. */
  public void promise(ClassState owner, int sign) {
    if (active) {
      for (LimitBound bound : bounds(owner)) {
        bound.meter().promise(sign * bound.need());
      }
    }
  }

  /** A promise is lost, and its job does not start: those that wait may come now. */
  public void unpromised(ClassState owner) {
    if (active) {
      bounds(owner).forEach(bound -> bound.meter().waiting().forEach(this::lookAgain));
    }
  }

  /** Jobs are considered in their order from the first on. */
  public void beginOrder() {
    round++;
  }

  /** The order has come to a job of the class, and its dated promise holds. */
  public void keep(ClassState owner) {
    if (active) {
      for (LimitBound bound : bounds(owner)) {
        bound.meter().keep(bound.need(), round);
      }
    }
  }

  /**
   * Less is in use at the sum at which the class waits. At another limit it waits for another
   * reason, which the next cycle finds.
   */
  private void lookAgain(LimitedClass waiting) {
    if (reached(waiting.owner()) != waiting.waitsFor()) {
      waiting.waitNoMore();
      wake.accept(waiting.owner());
    }
  }

  /** Why no job of the class may run beside those that run or hold promises; null when one may. */
  public Shortage shortage(ClassState owner) {
    LimitBound bound = active ? reached(owner) : null;
    return bound == null ? null : bound.shortage();
  }

  /** The same for the next job in the order, which promises of later ones do not hinder. */
  public Shortage shortageInOrder(ClassState owner) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      if (bound.reached(bound.meter().kept(round))) {
        // Told is the limit at which it waits, as in a gap.
        return reached(owner).shortage();
      }
    }
    return null;
  }

  /** False when a promise to a job, which is in the book, would break a limit beside the others. */
  public boolean allows(ClassState owner, boolean dated) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      // One with a date is among what is promised; one without takes nothing from anybody.
      if (bound.reached(dated ? bound.meter().promised() - bound.need() : 0)) {
        return false;
      }
    }
    return true;
  }

  /** The same for one that is not in the book. */
  public boolean wouldAllow(ClassState owner, boolean dated) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      if (bound.reached(dated ? bound.meter().promised() : 0)) {
        return false;
      }
    }
    return true;
  }

  /** True when no limit is passed with what runs and is to start now. */
  public boolean within(ClassState owner) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      if (bound.meter().used() > bound.amount()) {
        return false;
      }
    }
    return true;
  }

  /** The class waits until it is no longer at its limit. */
  public void await(ClassState owner) {
    LimitBound bound = active ? reached(owner) : null;
    if (bound != null) {
      LimitedClass its = of(owner);
      its.waitNoMore();
      its.waitFor(bound);
    }
  }

  /** The class waits for no limit. */
  public void leave(ClassState owner) {
    LimitedClass known = known(owner);
    if (known != null) {
      known.waitNoMore();
    }
  }

  /** The limit for which a class waits; null when for none. */
  public LimitBound waitsFor(ClassState owner) {
    LimitedClass known = known(owner);
    return known == null ? null : known.waitsFor();
  }

  /** Null when nothing is known of the class; its number may have been another one's before. */
  private LimitedClass known(ClassState owner) {
    LimitedClass known = owner.id() < limited.length ? limited[owner.id()] : null;
    return known != null && known.owner() == owner ? known : null;
  }

  private LimitedClass of(ClassState owner) {
    LimitedClass known = known(owner);
    if (known == null) {
      int id = owner.id();
      if (id >= limited.length) {
        limited = Arrays.copyOf(limited, Math.max(id + 1, limited.length + (limited.length >> 1)));
      }
      known = new LimitedClass(owner);
      limited[id] = known;
    }
    return known;
  }

  private LimitBound reached(ClassState owner) {
    for (LimitBound bound : bounds(owner)) {
      if (bound.reached(bound.meter().promised())) {
        return bound;
      }
    }
    return null;
  }

  /** The limits that hold for the jobs of a class, in the order in which they are looked at. */
  public List<LimitBound> bounds(ClassState owner) {
    LimitedClass its = of(owner);
    if (its.bounds() == null) {
      its.boundBy(ours.test(owner.queue()) ? find(owner, false) : UNBOUND);
    }
    return its.bounds();
  }

  private List<LimitBound> softBounds(ClassState owner) {
    LimitedClass its = of(owner);
    if (its.softBounds() == null) {
      its.softlyBoundBy(ours.test(owner.queue()) ? find(owner, true) : UNBOUND);
    }
    return its.softBounds();
  }

  private List<LimitBound> find(ClassState owner, boolean passable) {
    List<LimitBound> found = new ArrayList<>();
    add(owner, owner.queue().limits(), owner.queue().name(), found);
    add(owner, server, "", found);
    found.removeIf(it -> it.rule().soft() != passable);
    // PBS looks at all numbers of jobs before it looks at amounts.
    found.sort(Comparator.comparingInt(it -> it.rule().rank()));
    return found.isEmpty() ? UNBOUND : List.copyOf(found);
  }

  private void add(ClassState owner, LimitRules rules, String queue, List<LimitBound> found) {
    for (LimitRules.Rule rule : rules.of(owner.account())) {
      Optional<Long> amount = amount(rule);
      long need =
          rule.resource().isEmpty() ? 1 : owner.shape().total(names.number(rule.resource()));
      if (amount.isPresent() && need > 0) {
        char whom = rule.entry().whom();
        Sum sum = new Sum(queue, whom, owner.account().name(whom), rule.attribute());
        LimitMeter meter = meters.computeIfAbsent(sum, it -> new LimitMeter());
        found.add(new LimitBound(rule, queue, meter, amount.get(), need));
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
      // The shard lets nobody set such a limit; one that is none holds nobody back.
      return Optional.empty();
    }
  }
}
