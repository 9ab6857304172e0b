package io.millrace.schedulers.dialects.origin2000.plan;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.DEDICATED_TIME_CACHE_SECS;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_DEDICATED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_PRIME_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.SYSTEM_NAME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.TEST_ONLY;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.dedicated.OutageCache;
import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schemas.pbs.origin.Outage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the parts of a cycle share: rules, time, memory and the actions so far. */
final class CycleContext {

  /** For how long a comment stays that was made not long ago. */
  private static final long COMMENT_S = 300;

  private final OriginRules rules;
  private final OriginMemory memory;
  private final OriginOutside outside;
  private final long now;
  private final OutageCache.Asking asking;
  private final OriginPrimeTime prime;
  private final boolean primeNow;
  private String date;
  private final List<OriginAction> actions = new ArrayList<>();
  private final Map<String, Optional<Outage>> outages = new HashMap<>();

  CycleContext(OriginRules rules, OriginMemory memory, OriginOutside outside, long now) {
    this.rules = rules;
    this.memory = memory;
    this.outside = outside;
    this.now = now;
    prime = memory.primeTime(rules);
    primeNow = primeEnforced() && prime.at(now);
    asking =
        new OutageCache.Asking(
            outside::dedicatedTimes,
            rules.config().word(SYSTEM_NAME),
            rules.config().number(DEDICATED_TIME_CACHE_SECS),
            zone());
  }

  OriginConfig config() {
    return rules.config();
  }

  OriginPrimeTime prime() {
    return prime;
  }

  OriginRules rules() {
    return rules;
  }

  ZoneId zone() {
    return rules.place().zone();
  }

  OriginMemory memory() {
    return memory;
  }

  OriginOutside outside() {
    return outside;
  }

  long now() {
    return now;
  }

  List<OriginAction> actions() {
    return actions;
  }

  boolean testOnly() {
    return config().on(TEST_ONLY);
  }

  boolean primeEnforced() {
    return config().enforced(ENFORCE_PRIME_TIME, now);
  }

  boolean primeNow() {
    return primeNow;
  }

  /** Whether prime time counts for a queue. */
  boolean observesPrime(CycleQueue queue) {
    return primeEnforced() && !memory.isReleased(queue.id());
  }

  boolean allocationsEnforced() {
    return config().enforced(ENFORCE_ALLOCATION, now);
  }

  boolean overAllocation(String group) {
    return allocationsEnforced() && memory.allocations().over(group);
  }

  boolean dedicatedEnforced() {
    return config().enforced(ENFORCE_DEDICATED_TIME, now);
  }

  /** The dedicated time of a queue's host in or before which a time lies. */
  Optional<Outage> outage(CycleQueue queue, long time) {
    return dedicatedEnforced()
        ? memory.outages().next(queue.id().host(), time, now, asking)
        : Optional.empty();
  }

  /** The dedicated time of a queue's host in or before which the present lies. */
  Optional<Outage> outage(CycleQueue queue) {
    return outages.computeIfAbsent(queue.id().host(), host -> outage(queue, now));
  }

  /** Does something, unless everything is only tried. */
  void act(OriginAction action) {
    if (!testOnly()) {
      actions.add(action);
    }
  }

  /** Says something that must be said. */
  void say(CycleJob job, String text) {
    if (!text.equals(job.comment())) {
      act(new OriginAction.Comment(job.id(), text));
      job.comment(text);
    }
  }

  /** Says why a job waits, unless it was told something a moment ago. */
  void tell(CycleJob job, String text) {
    boolean fresh = now - job.given().modifiedAt() < COMMENT_S;
    if (memory.firstCycle() || job.comment() == null || job.firstSeen() || !fresh) {
      say(job, text);
    }
  }

  void delete(CycleJob job, String reason, Optional<Allocations.Figures> figures) {
    if (testOnly()) {
      actions.add(new OriginAction.WouldDelete(job.id(), reason));
    } else {
      actions.add(new OriginAction.OriginDeletion(job.id(), reason, figures));
    }
    job.remove();
    job.queue().jobs().remove(job);
  }

  /** Asks a host to switch its counters; with TEST_ONLY it counts as done. */
  boolean switchCounters(CycleHost host, String mode) {
    boolean done = true;
    if (!testOnly()) {
      done = outside.switchCounters(host.name(), mode);
      actions.add(new OriginAction.SwitchCounters(host.name(), mode, done));
    }
    if (done) {
      host.userCounters(mode.equals(CycleHost.USER));
    }
    return done;
  }

  /**
   * Starts a job in a queue.
   *
   * @return false when the server refused it; it is where it was then
   */
  boolean start(CycleJob job, CycleQueue queue) {
    say(job, "Started on " + date() + suffix(job));
    CycleQueue from = job.queue();
    boolean moves = !from.name().equals(queue.name());
    if (moves) {
      act(new OriginAction.OriginMove(job.id(), from.name(), queue.name()));
    }
    if (!run(job, queue.name(), queue.id().host())) {
      if (moves) {
        act(new OriginAction.OriginMove(job.id(), queue.name(), from.name()));
      }
      return false;
    }
    queue.take(job);
    queue.start(job, now);
    memory.busy(queue.id());
    if (!testOnly()) {
      memory.usage().started(job.user(), job.walltimeS());
    }
    memory.allocations().started(job.group(), job.walltimeS());
    return true;
  }

  private static String suffix(CycleJob job) {
    return job.isSpecial()
        ? " (special access job)"
        : job.isOutstanding() ? " (waited too long)" : "";
  }

  /** Lets the server run a job. */
  boolean run(CycleJob job, String queue, String host) {
    if (testOnly()) {
      actions.add(new OriginAction.WouldRun(job.id(), job.nodes(), queue, host));
      return true;
    }
    boolean accepted = outside.starts(job.id(), host);
    actions.add(new OriginAction.OriginJobStart(job.id(), queue, host, accepted));
    return accepted;
  }

  /** The present time as texts have it. */
  String date() {
    if (date == null) {
      ZonedDateTime time = Instant.ofEpochSecond(now).atZone(zone());
      date =
          String.format(
              Locale.ROOT, "%ta %tb %2d %tT %tY", time, time, time.getDayOfMonth(), time, time);
    }
    return date;
  }
}
