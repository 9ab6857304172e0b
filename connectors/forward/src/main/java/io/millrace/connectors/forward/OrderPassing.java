package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.forward.PassedOrders.RunHolding;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.OutsideReply;
import io.millrace.connectors.local.run.RunObserver;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes orders to runs on, and tells what the outside system says to them. The thread of the
 * bridge has it.
 */
final class OrderPassing {
  private static final Logger log = LoggerFactory.getLogger(OrderPassing.class);

  private static final String DELETE = "delete";
  static final String LIMIT = "limit";
  private static final String SIGNAL = "signal ";

  private final InstantSource clock;
  private final RunObserver observer;

  /**
   * @param clock of the bridge
   */
  OrderPassing(InstantSource clock, RunObserver observer) {
    this.clock = clock;
    this.observer = observer;
  }

  /** Another order has come, whose answer is told though it may be that of the one before. */
  static void asked(KnownRun known, OrderSubject subject, String order) {
    known.told.remove(
        switch (subject) {
          case SIGNAL -> SIGNAL + order;
          case LIMIT -> LIMIT;
          default -> order;
        });
  }

  /** Passes on what is due of the orders to a run that is not over. */
  void pass(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    hold(bridge, known, run);
    stand(bridge, known, run);
    limit(bridge, known, run);
    signal(bridge, known, run);
    // What is gone, or in doubt, is ordered again: only a refusal says something of it.
    bridge
        .deletion(run.tag())
        .filter(it -> it instanceof Controlled.Done || it instanceof Controlled.ControlRefused)
        .ifPresent(it -> answered(known, DELETE, it));
  }

  /** Suspends or resumes. */
  private void stand(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    StandingOrder order = known.standing();
    if (order == null) {
      return;
    }
    boolean staysHeld =
        order.isResume() && run.state().isWaitingOutside() && known.orders().hold().isHeld();
    if (staysHeld || order.isDone(run.state(), bridge.seenAt())) {
      known.done(order);
      return;
    }
    Optional<OutsideAction> action = order.due(run.state(), bridge.seenAt(), clock.instant());
    if (action.isPresent()) {
      Controlled said = bridge.control(run.tag(), action.get());
      order.answered(action.get(), said, clock.instant());
      answered(known, order.isResume() ? OrderSubject.RESUME : OrderSubject.SUSPEND, said);
    }
  }

  /** Holds or releases what waits there; what is not there yet is kept here. */
  private void hold(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    KnownRun.StandingHold held = known.hold();
    RunHolding before = held.at();
    bridge.keepBack(run.tag(), before.isHeld());
    if (hasBegun(run)) {
      known.moot(OrderSubject.RELEASE);
      if (before == RunHolding.REFUSED) {
        known.moot(OrderSubject.HOLD);
      }
    }
    if (before == RunHolding.NONE
        || before == RunHolding.REFUSED
        || before == RunHolding.SHOWN && !hasBegun(run)) {
      return;
    }
    if (before == RunHolding.RELEASED && OrderSubject.SUSPEND.equals(known.orders().standing())) {
      known.hold(held, RunHolding.NONE); // it stays held until it is resumed
      return;
    }
    HoldOrder.ShownRun shown =
        new HoldOrder.ShownRun(run.state(), bridge.isHeld(run.tag()), bridge.seenAt());
    RunHolding after = held.order().next(before, shown);
    if (after != before) {
      if (before.isHeld() && hasBegun(run)) {
        String why = "it has begun, and is held when it is run again";
        answered(known, OrderSubject.HOLD, new Controlled.ControlRefused(why));
      }
      known.hold(held, after);
      return;
    }
    Optional<OutsideAction> action = held.order().due(before, shown, clock.instant());
    RunHolding given = before == RunHolding.WANTED ? RunHolding.PASSED : before;
    // Of what is taken back meanwhile nobody is told.
    if (action.isPresent() && known.hold(held, given)) {
      Controlled said = bridge.control(run.tag(), action.get());
      held.order().answered(action.get(), said, clock.instant());
      boolean release = action.get() == OutsideAction.RELEASE;
      answered(known, release ? OrderSubject.RELEASE : OrderSubject.HOLD, said);
    }
  }

  private static boolean hasBegun(OutsideRun run) {
    return run.state() == OutsideRunState.RUNNING || run.state() == OutsideRunState.SUSPENDED;
  }

  /** Gives it another walltime, once it is there. */
  private void limit(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    KnownRun.StandingLimit limit = known.limit();
    boolean there = hasBegun(run) || run.state().isWaitingOutside() && run.id().isPresent();
    if (limit.time().told() || !there) {
      return;
    }
    if (limit.answer().isDue(clock.instant())) {
      Controlled said = bridge.limit(run.tag(), limit.time().seconds());
      limit.answer().take(null, said, clock.instant());
      answered(known, LIMIT, said);
      if (!(said instanceof Controlled.ControlUnclear)) {
        known.limited(limit);
      }
    }
  }

  /** Sends the signals of a run once it runs there; what came before waits for that. */
  private void signal(OutsideBridge bridge, KnownRun known, OutsideRun run)
      throws IOException, InterruptedException {
    Optional<Integer> signal =
        known.begun != null && hasBegun(run) ? known.takeSignal() : Optional.empty();
    if (signal.isPresent()) {
      Controlled said = bridge.signal(run.tag(), signal.get());
      boolean unclear = said instanceof Controlled.ControlUnclear;
      answered(
          known,
          SIGNAL + signal.get(),
          // It is not sent again.
          unclear ? new Controlled.ControlRefused("no clear answer: " + words(said)) : said);
    }
  }

  /** Tells an answer, unless it was told last of such an order. */
  private void answered(KnownRun known, String order, Controlled said) {
    String words = words(said).strip().replaceAll("\\s+", " ");
    boolean done = said instanceof Controlled.Done;
    if (said instanceof Controlled.ControlUnclear) {
      log.warn("{}: {}: {}", known.run().id(), order, said);
      return;
    }
    OutsideReply reply = new OutsideReply(order, !done, words);
    OutsideReply before = known.told.put(order, reply);
    // A deletion is repeated, and then answered in other words.
    boolean goesOn = order.equals(DELETE) && done && before != null && !before.refused();
    if (goesOn || reply.equals(before)) {
      return;
    }
    if (done) {
      log.info("{}: {}: {}", known.run().id(), order, words);
      refused(known, "");
    } else {
      log.warn("{}: {} was not carried out: {}", known.run().id(), order, words);
      refused(known, order + " was not carried out there: " + words);
    }
    if (!done || !words.isEmpty()) {
      observer.answered(known.run().id(), known.run().origin(), reply);
    }
  }

  /** What cannot be noted is told by this process only. */
  private static void refused(KnownRun known, String why) {
    try {
      known.refused(why);
    } catch (IOException e) {
      log.warn("{}: what was refused cannot be noted: {}", known.run().id(), e.toString());
    }
  }

  private static String words(Controlled said) {
    if (said instanceof Controlled.Done done) {
      return done.words();
    }
    if (said instanceof Controlled.ControlRefused refused) {
      return refused.words();
    }
    if (said instanceof Controlled.OutsideJobGone gone) {
      return gone.words();
    }
    return ((Controlled.ControlUnclear) said).why();
  }
}
