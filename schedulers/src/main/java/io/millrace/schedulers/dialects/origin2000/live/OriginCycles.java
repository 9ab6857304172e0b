package io.millrace.schedulers.dialects.origin2000.live;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_ALLOCATION;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_DEDICATED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.ENFORCE_PRIME_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.MAX_QUEUED_TIME;
import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.NP_DRAIN_BACKTIME;

import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cycles of a live scheduler. Each shows the dialect what the follower knows, and takes what it
 * decided: starts count at once, and what jobs are told is reported where it is news.
 */
public final class OriginCycles {

  private static final String NO_LEASE =
      "Other schedulers may have what it needs; it is tried again after a second";

  /** The shard has asked what others can spare, and usually knows by then. */
  private static final long LEASE_MS = 1000;

  private static final String NOT_READ =
      "Allocations have not been read yet; ./millrace status says why";

  /**
   * What a cycle decided: starts, and why which jobs are to be deleted.
   *
   * @param tried what it would do if it were not only trying, by jobs of which that is news
   */
  public record OriginCycleOutcome(
      List<OriginStart> starts, Map<Long, String> deletions, Map<Long, String> tried, int looked) {}

  private final OriginFollower state;
  private final int launchesMax;
  private final LimitGate limits;
  private LoadedOrigin loaded;
  private OriginMemory memory;
  private OriginPrimeTime prime;

  /** Which inputs the memory goes by. */
  private int inputs = -1;

  /** How often what other schedulers leave had changed before the last cycle. */
  private int leaseChanges;

  private long lastMs = Long.MIN_VALUE;
  private long dueMs;

  /**
   * @param launchesMax starts that may be proposed and not yet answered; also most deletions of a
   *     cycle
   * @param limits of the server and of queues
   */
  public OriginCycles(OriginFollower state, int launchesMax, LimitGate limits) {
    this.state = state;
    this.launchesMax = launchesMax;
    this.limits = limits;
  }

  /** Another policy decides from now on: nothing that was told holds any longer. */
  public void leave() {
    state.reasons().clearAll();
    memory = null;
    loaded = null;
  }

  public boolean hasReasons() {
    return state.reasons().any();
  }

  /** Takes at most so many changes of what jobs were told. */
  public ReasonBook.ReasonChanges takeReasons(int max) {
    return state.reasons().take(max);
  }

  /** Whether a cycle is due: something has changed, or a time has come. */
  public boolean due(long nowMs) {
    return touched() || nowMs >= dueMs || nowMs < lastMs;
  }

  /** When a cycle is due if nothing changes until then. */
  public long dueMs() {
    return touched() ? 0 : dueMs;
  }

  private boolean touched() {
    return state.touched() || leaseChanges != limits.leaseChanges();
  }

  /** Runs a cycle. */
  public OriginCycleOutcome run(Instant now) {
    long nowMs = now.toEpochMilli();
    lastMs = nowMs;
    dueMs = Long.MAX_VALUE;
    state.untouch();
    leaseChanges = limits.leaseChanges();
    OriginCycleOutcome outcome =
        new OriginCycleOutcome(new ArrayList<>(), new LinkedHashMap<>(), new LinkedHashMap<>(), 0);
    if (!state.scheduling()) {
      allWait(state, ReasonCode.SCHEDULING_OFF.name(), state.scheduler(), nowMs);
      return outcome;
    }
    if (!state.loaded().usable()) {
      allWait(state, "", "The policy cannot be obeyed: " + state.loaded().problem(), nowMs);
      return outcome;
    }
    read(now.getEpochSecond());
    boolean counted = loaded.rules().config().enforced(ENFORCE_ALLOCATION, now.getEpochSecond());
    if (counted && !state.inputs().knowsAccounts()) {
      allWait(state, "", NOT_READ, nowMs);
      dueMs = next(now.getEpochSecond());
      return outcome;
    }
    if (inputs != state.inputs().version()) {
      inputs = state.inputs().version();
      memory.outagesChanged();
    }
    OriginPass pass = pass(now, outcome);
    boolean again = pass.run();
    if (again) {
      pass = pass(now, outcome);
      pass.run();
    }
    memory.cycleEnds();
    dueMs = next(now.getEpochSecond());
    return new OriginCycleOutcome(
        outcome.starts(), outcome.deletions(), outcome.tried(), pass.looked());
  }

  private OriginPass pass(Instant now, OriginCycleOutcome outcome) {
    return new OriginPass(state, memory, limits, launchesMax, now.getEpochSecond(), outcome);
  }

  /** Tells all waiting jobs the same. */
  static void allWait(OriginFollower state, String code, String text, long nowMs) {
    for (OriginTask task : state.tasks()) {
      if (task.waits() && !task.held && state.owns(task)) {
        if (code.isEmpty()) {
          state.reasons().say(task.number, text, nowMs);
        } else {
          state.reasons().say(task.number, code, text, nowMs);
        }
        task.comment = null;
      }
    }
  }

  /** Takes a text that is in force since the last cycle. */
  private void read(long now) {
    LoadedOrigin present = state.loaded();
    if (present == loaded) {
      return;
    }
    loaded = present;
    if (memory == null) {
      memory = new OriginMemory(now);
    } else {
      memory.reconfigure();
    }
    OriginRules rules = present.rules();
    prime = new OriginPrimeTime(rules.config(), rules.place().zone(), rules.holidays());
  }

  /** When time alone makes another cycle due. */
  private long next(long now) {
    long next = Long.MAX_VALUE;
    boolean waits = false;
    OriginConfig config = loaded.rules().config();
    long most = config.number(MAX_QUEUED_TIME);
    for (OriginTask task : state.tasks()) {
      if (!task.waits() || !state.owns(task)) {
        continue;
      }
      waits = true;
      long outstanding = (task.eligibleS == 0 ? task.createdS : task.eligibleS) + most + 1;
      next = most > 0 && outstanding > now ? Math.min(next, outstanding) : next;
      long rested = (task.restUntilMs + 999) / 1000;
      next = rested > now ? Math.min(next, rested) : next;
    }
    if (!waits) {
      return Long.MAX_VALUE;
    }
    next = Math.min(next, now + state.iterationS());
    if (config.on(ENFORCE_PRIME_TIME)) {
      next = Math.min(next, primeMoment(config, now));
    }
    if (config.on(ENFORCE_DEDICATED_TIME)) {
      long from = config.number(ENFORCE_DEDICATED_TIME);
      next = Math.min(next, from > now ? from : memory.outageMoment(now));
    }
    long counts = config.number(ENFORCE_ALLOCATION);
    next = counts > now ? Math.min(next, counts) : next;
    return next * 1000;
  }

  /** The next time at which prime time begins or ends, is to be enforced, or may end early. */
  private long primeMoment(OriginConfig config, long now) {
    long from = config.number(ENFORCE_PRIME_TIME);
    long next = from > now ? from : Long.MAX_VALUE;
    long begin = prime.untilBegin(now);
    next = begin == Long.MAX_VALUE ? next : Math.min(next, now + begin);
    if (prime.at(now)) {
      long end = now + prime.untilEnd(now);
      long early = end - config.number(NP_DRAIN_BACKTIME);
      next = Math.min(next, early > now ? early : end);
    }
    return next;
  }

  /** The shard refused a start that needs more of a resource of the server than it has leased. */
  public void lacksLease(long number, long nowMs) {
    OriginTask task = state.task(number);
    if (task != null && task.waits()) {
      state.rest(task, NO_LEASE, nowMs, nowMs + LEASE_MS);
    }
  }

  /** The shard refused a start that has been withdrawn. */
  public void refused(long number, String why, long nowMs) {
    OriginTask task = state.task(number);
    if (task != null && task.waits()) {
      state.rest(task, why, nowMs, nowMs + OriginPass.REST_MS);
    }
  }
}
