package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schedulers.engine.measure.ScheduleFile;
import io.millrace.schedulers.engine.pace.Accumulation;
import io.millrace.schedulers.engine.pace.ReasonPace;
import io.millrace.schedulers.engine.pace.WorkMeter;
import io.millrace.schedulers.engine.place.EngineHostName;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.output.CycleDone;
import io.millrace.schemas.output.LogNote;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One scheduler object at work on a thread of its own. */
final class EngineThread implements SchedulingEngine {

  private static final Logger LOG = LoggerFactory.getLogger(EngineThread.class);

  private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();

  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Most facts followed between two cycles, so that a flood of facts cannot hold up cycles. */
  private static final int MESSAGES_PER_ROUND = 10_000;

  private final EngineSeat seat;
  private final EngineLimits limits;
  private final Followers states;
  private final CycleNotes notes;
  private final Planners planners;
  private final ReservationPlanner reservations;
  private final Proposals proposals;
  private final CycleRecords records;
  private final Mailbox mailbox;
  private final ConcurrentLinkedQueue<SpecificRecord> ready = new ConcurrentLinkedQueue<>();
  private final Thread thread;

  // Used by the engine's thread only.
  private final InFlight inFlight;
  private final ProposalOutcomes outcomes;
  private final WorkMeter meter;
  private long followed;
  private long cycles;
  private CycleDecisions.CycleWork lastWork = new CycleDecisions.CycleWork(0, false);
  private final Accumulation accumulation = new Accumulation();
  private final ReasonPace telling = new ReasonPace();

  // Shared between threads.
  private volatile long settled;
  private volatile boolean closed;
  private volatile boolean outdated;
  private volatile boolean givenUp;
  private volatile long cycleSinceNanos;
  private volatile boolean inCycle;
  private volatile Thread waiter;

  /**
   * @param monitor takes what a Grid Engine policy with MONITOR=1 writes
   * @param record takes what is to be known of each cycle; never blocks
   */
  EngineThread(
      EngineSeat seat,
      EngineLimits limits,
      Followers states,
      ScheduleFile monitor,
      Consumer<CycleDone> record) {
    this.seat = seat;
    this.limits = limits;
    this.states = states;
    this.notes = new CycleNotes(states.core(), seat.server());
    this.planners = new Planners(states, limits.proposalsInFlight(), monitor, notes);
    this.reservations = new ReservationPlanner(states.core());
    this.proposals = new Proposals(seat, EngineHostName.local());
    this.records = new CycleRecords(seat, record);
    this.mailbox = new Mailbox(limits.mailboxFacts());
    this.inFlight = new InFlight(limits.expiry().toNanos());
    this.outcomes = new ProposalOutcomes(seat, states, planners, reservations, inFlight);
    this.meter = new WorkMeter();
    this.settled = -1;
    this.thread = new Thread(this::work, "engine-" + seat.scheduler() + "-" + seat.epoch());
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public String scheduler() {
    return seat.scheduler();
  }

  @Override
  public long epoch() {
    return seat.epoch();
  }

  @Override
  public boolean hear(List<? extends SpecificRecord> facts) {
    if (!alive()) {
      return false;
    }
    if (facts.isEmpty()) {
      return true;
    }
    if (!mailbox.put(facts)) {
      LOG.warn("Engine {} fell behind by {} facts", thread.getName(), limits.mailboxFacts());
      return false;
    }
    LockSupport.unpark(thread);
    return true;
  }

  @Override
  public List<SpecificRecord> proposals(int max) {
    List<SpecificRecord> taken = new ArrayList<>();
    while (taken.size() < max) {
      SpecificRecord next = ready.poll();
      if (next == null) {
        break;
      }
      taken.add(next);
    }
    return taken;
  }

  @Override
  public boolean awaitSettled(long budgetNanos) throws InterruptedException {
    long told = mailbox.told();
    long end = System.nanoTime() + budgetNanos;
    waiter = Thread.currentThread();
    try {
      while (!ready.isEmpty() || settled < told) {
        if (!ready.isEmpty()) {
          return true;
        }
        long left = end - System.nanoTime();
        if (left <= 0 || !alive()) {
          return false;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      return true;
    } finally {
      waiter = null;
    }
  }

  @Override
  public void answered(CommandId proposal, int code) {
    mailbox.put(new Mailbox.AnswerMessage(proposal, code));
    LockSupport.unpark(thread);
  }

  /**
   * Whether the engine works. Doubles as the watchdog: the caller finds out here that a cycle has
   * run too long.
   */
  @Override
  public boolean alive() {
    boolean lost = inCycle && System.nanoTime() - cycleSinceNanos > limits.watchdog().toNanos();
    if (lost && !givenUp) {
      LOG.error("Engine {} is given up: a cycle took over {}", thread.getName(), limits.watchdog());
      givenUp = true;
      close();
    }
    return !closed && thread.isAlive();
  }

  @Override
  public boolean inCycle() {
    return inCycle;
  }

  @Override
  public boolean outdated() {
    return outdated;
  }

  @Override
  public boolean ended() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    ready.clear();
    LockSupport.unpark(thread);
    thread.interrupt();
  }

  private void work() {
    try {
      while (!closed) {
        round();
      }
    } catch (RuntimeException | Error e) {
      if (!closed) {
        LOG.error("Engine {} ends at cycle {}", thread.getName(), cycles, e);
      }
    } finally {
      closed = true;
      wakeWaiter();
      seat.wake().run();
    }
  }

  private void round() {
    follow();
    if (!outdated && states.origin().lacksJobs()) {
      outdated = true;
      seat.wake().run();
    }
    long now = System.nanoTime();
    timers(now);
    boolean said = reservations.due() && reserve();
    if (cycleDue(now)) {
      said |= cycle();
    }
    said |= tellReasons();
    if (said) {
      wakeWaiter();
      seat.wake().run();
    }
    if (mailbox.isEmpty() && !cycleDue(System.nanoTime()) && !reservations.due()) {
      settled = followed;
      wakeWaiter();
      if (mailbox.isEmpty() && !closed) {
        LockSupport.parkNanos(this, nanosToWait(System.nanoTime()));
      }
    }
  }

  private boolean cycleDue(long nowNanos) {
    return planner().due(System.currentTimeMillis()) && accumulation.mayBegin(nowNanos);
  }

  private Planner planner() {
    return planners.inUse();
  }

  private void follow() {
    boolean idle = !planner().due(System.currentTimeMillis());
    boolean submissions = false;
    boolean others = false;
    for (int i = 0; i < MESSAGES_PER_ROUND; i++) {
      Mailbox.MailboxMessage message = mailbox.poll();
      if (message == null) {
        break;
      }
      followed++;
      if (message instanceof Mailbox.FactsMessage told) {
        for (SpecificRecord fact : told.facts()) {
          outcomes.fact(fact);
          CycleTrigger trigger = CycleTrigger.of(fact);
          submissions |= trigger == CycleTrigger.JOB;
          others |= trigger != null && trigger != CycleTrigger.JOB;
          if (trigger != null) {
            records.trigger(trigger);
          }
        }
      } else if (message instanceof Mailbox.AnswerMessage answer) {
        outcomes.answer(answer);
      }
    }
    accumulate(idle, submissions, others);
  }

  private void accumulate(boolean idle, boolean submissions, boolean others) {
    long delayS = planner().accumulationS();
    if (delayS <= 0 || others) {
      accumulation.over();
    } else if (submissions && idle && planner().due(System.currentTimeMillis())) {
      accumulation.begin(System.nanoTime(), delayS);
    }
  }

  private void timers(long now) {
    outcomes.expire(now);
    planners.core().timers(now);
    reservations.timers(now);
    accumulation.timers(now);
  }

  private boolean reserve() {
    cycleSinceNanos = System.nanoTime();
    inCycle = true;
    List<Planner.Proposed> decided =
        reservations.cycle(
            proposals, Instant.now(), meter.units(pace().cycle(limits.cycleBudget()).toNanos()));
    inCycle = false;
    for (Planner.Proposed it : decided) {
      inFlight.add(it.id(), InFlight.ProposalKind.RESERVATION, it.number(), System.nanoTime());
      ready.add(it.command());
    }
    return !decided.isEmpty();
  }

  private boolean cycle() {
    Duration budget = pace().cycle(limits.cycleBudget());
    long units = meter.units(budget.toNanos());
    long usedNanos = PROCESSOR.getCurrentThreadCpuTime();
    cycleSinceNanos = System.nanoTime();
    inCycle = true;
    Instant now = Instant.now();
    notes.begin(now, isTold() ? pace().logEvents() : 0);
    Planner planner = planner();
    Planner.CyclePlan plan = planner.cycle(proposals, now, units);
    if (planner != planners.core()) {
      plan.starts().forEach(it -> notes.considered(it.number()));
    }
    inCycle = false;
    if (closed) {
      return false;
    }
    long ended = System.nanoTime();
    cycles++;
    lastWork = plan.work();
    meter.measured(lastWork.units(), ended - cycleSinceNanos);
    long wallNanos = ended - cycleSinceNanos;
    boolean tooLong = lastWork.limitHit() && budget.toSeconds() == pace().cycleS();
    CycleRecords.Took took =
        new CycleRecords.Took(now, wallNanos, PROCESSOR.getCurrentThreadCpuTime() - usedNanos);
    List<LogNote> lines = notes.end(Duration.ofNanos(wallNanos), tooLong ? budget : null);
    records.done(cycles, plan, took, lines);
    for (Planner.Proposed start : plan.starts()) {
      inFlight.add(start.id(), InFlight.ProposalKind.START, start.number(), ended);
      ready.add(start.command());
    }
    for (Planner.Stopping stop : plan.stops()) {
      CommandId id = stop.command().getMeta().getId();
      inFlight.add(id, InFlight.ProposalKind.STOP, stop.number(), ended);
      ready.add(stop.command());
    }
    for (Planner.Proposed job : plan.givenUp()) {
      inFlight.add(job.id(), InFlight.ProposalKind.GIVE_UP, job.number(), ended);
      ready.add(job.command());
    }
    return !plan.starts().isEmpty() || !plan.stops().isEmpty() || !plan.givenUp().isEmpty();
  }

  /** With scheduling off PBS has no cycles; here they only find out what jobs wait for. */
  private boolean isTold() {
    return seat.epoch() != ProposalOutcomes.SHADOW && states.core().settings().scheduling();
  }

  private SchedulerSettings.Pace pace() {
    return states.core().settings().pace();
  }

  private boolean tellReasons() {
    long now = System.nanoTime();
    boolean may = telling.leftNanos(now, pace().updateS()) <= 0;
    boolean said = false;
    for (Planner planner : may ? planners.all() : List.<Planner>of()) {
      said |= tellReasons(planner);
    }
    if (said) {
      telling.told(now);
    }
    return said;
  }

  private boolean tellReasons(Planner planner) {
    boolean said = false;
    while (planner.hasReasons() && inFlight.records() < EngineLimits.RECORDS_IN_FLIGHT) {
      ReasonBook.ReasonChanges changes = planner.takeReasons(EngineLimits.REASONS_PER_RECORD);
      RecordCycle record = proposals.record(cycles, lastWork, changes, System.currentTimeMillis());
      inFlight.addRecord(record.getMeta().getId(), System.nanoTime());
      ready.add(record);
      said = true;
    }
    return said;
  }

  private long nanosToWait(long now) {
    long wait = LONGEST_WAIT_NANOS;
    wait = inFlight.nanosToExpiry(now, wait);
    wait = Math.min(wait, planners.core().nanosToTimer(now, LONGEST_WAIT_NANOS));
    wait = Math.min(wait, reservations.nanosToTimer(now, LONGEST_WAIT_NANOS));
    wait = Math.min(accumulation.nanosToEnd(now, wait), nanosToCycle());
    long untoldNanos = telling.leftNanos(now, pace().updateS());
    if (untoldNanos > 0 && planners.haveReasons()) {
      wait = Math.min(wait, untoldNanos);
    }
    return Math.max(1, Math.min(wait, LONGEST_WAIT_NANOS));
  }

  /** Nanoseconds until a cycle is due without another fact. */
  private long nanosToCycle() {
    long aheadMs = planner().dueMs() - System.currentTimeMillis();
    return aheadMs > LONGEST_WAIT_NANOS / 1_000_000
        ? LONGEST_WAIT_NANOS
        : TimeUnit.MILLISECONDS.toNanos(Math.max(0, aheadMs));
  }

  private void wakeWaiter() {
    Thread waiting = waiter;
    if (waiting != null) {
      LockSupport.unpark(waiting);
    }
  }
}
