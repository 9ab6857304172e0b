package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginQueueName;
import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schedulers.dialects.origin2000.usage.PastUsage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What a scheduler remembers from cycle to cycle. */
public final class OriginMemory {

  private final PastUsage usage = new PastUsage();
  private final Allocations allocations = new Allocations();
  private final OutageCache outages = new OutageCache();
  private final Map<OriginQueueName, Long> idleSince = new HashMap<>();
  private final Set<OriginQueueName> released = new HashSet<>();
  private OriginRules rules;
  private OriginPrimeTime primeTime;
  private boolean lastInPrime;
  private boolean firstCycle = true;
  private long lastCycleAt;

  /**
   * @param startedAt seconds since 1970
   */
  public OriginMemory(long startedAt) {
    lastCycleAt = startedAt;
  }

  /** Past usage is kept, and fades, elsewhere; these are its figures now. */
  public void usageElsewhere(Map<String, Double> figures) {
    usage.keptElsewhere(figures);
  }

  /** What groups have used is counted elsewhere; these are the sums beyond the file now. */
  public void allocationsElsewhere(Map<String, Double> sums) {
    allocations.countedElsewhere(sums);
  }

  /** Other dedicated times are known than before. */
  public void outagesChanged() {
    outages.clear();
  }

  /** When the next dedicated time begins or ends, of those that a cycle looked at. */
  public long outageMoment(long now) {
    return outages.nextMoment(now);
  }

  PastUsage usage() {
    return usage;
  }

  Allocations allocations() {
    return allocations;
  }

  OutageCache outages() {
    return outages;
  }

  /** When it is prime time by some rules; it knows the days that it was asked about. */
  OriginPrimeTime primeTime(OriginRules by) {
    if (by != rules) {
      rules = by;
      primeTime = by.prime();
    }
    return primeTime;
  }

  boolean firstCycle() {
    return firstCycle;
  }

  long lastCycleAt() {
    return lastCycleAt;
  }

  /** Notes that a pass over the jobs begins. */
  void passAt(long now) {
    lastCycleAt = now;
  }

  /** Notes that a cycle, with all its passes, is over. */
  public void cycleEnds() {
    firstCycle = false;
  }

  /** A new configuration was read: idle times, dedicated times and files are looked at anew. */
  public void reconfigure() {
    firstCycle = true;
    usage.forget();
    allocations.forget();
    outages.clear();
    idleSince.clear();
    released.clear();
  }

  /** Notes whether it is prime time; after it every queue observes the next one again. */
  void prime(boolean now) {
    if (!now && lastInPrime) {
      released.clear();
    }
    lastInPrime = now;
  }

  boolean isReleased(OriginQueueName queue) {
    return released.contains(queue);
  }

  /** Lets a queue stop observing prime time until it is over. */
  void release(OriginQueueName queue) {
    released.add(queue);
  }

  /** Notes that a queue has jobs. */
  void busy(OriginQueueName queue) {
    idleSince.remove(queue);
  }

  /** Notes that a queue has none. */
  void idle(OriginQueueName queue, long now) {
    idleSince.putIfAbsent(queue, now);
  }

  /** Seconds for which a queue has been seen without jobs. */
  long idleS(OriginQueueName queue, long now) {
    return now - idleSince.getOrDefault(queue, now);
  }
}
