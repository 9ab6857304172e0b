package io.millrace.connectors.forward;

import io.millrace.connectors.forward.PassedOrders.RunHolding;
import io.millrace.connectors.forward.PassedOrders.RunWalltime;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.OutsideReply;
import io.millrace.connectors.local.run.StartedRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A run, and what was told of it in this life. */
final class KnownRun {
  private final Path folder;
  private volatile ForwardedRun run;
  volatile StartedRun begun;
  volatile boolean over;

  /** The order to suspend or resume that is not carried out yet; it and the file change at once. */
  private volatile StandingOrder standing;

  /** As the order that stands, and what follows it: a look at them sees one of these orders. */
  private volatile StandingHold hold;

  private volatile StandingLimit limit;

  /** Answers that were told last, by orders. */
  final Map<String, OutsideReply> told = new ConcurrentHashMap<>();

  /** The thread of the bridge has it, as what follows. */
  final ClaimLooks looks = new ClaimLooks();

  /** What was said of it last; null while what an earlier process has said is not known. */
  String said;

  /** What was not carried out, and why; empty for nothing. */
  private volatile String refusal;

  /** Where its hold stands, and how it was passed on. */
  record StandingHold(RunHolding at, HoldOrder order) {}

  /** Its walltime, and how it was passed on. */
  record StandingLimit(RunWalltime time, OrderAnswer answer) {}

  /**
   * @param folder that has the files of runs
   * @param said of it already; null for nobody knows
   */
  KnownRun(ForwardedRun run, Path folder, String said) {
    this.run = run;
    this.folder = folder;
    this.said = said;
    String order = run.orders().standing();
    this.standing = order.isEmpty() ? null : new StandingOrder(order);
    this.refusal = run.orders().refusal();
    this.hold = new StandingHold(run.orders().hold(), new HoldOrder());
    this.limit = new StandingLimit(run.orders().limit(), new OrderAnswer());
  }

  ForwardedRun run() {
    return run;
  }

  PassedOrders orders() {
    return run.orders();
  }

  StandingOrder standing() {
    return standing;
  }

  StandingHold hold() {
    return hold;
  }

  StandingLimit limit() {
    return limit;
  }

  String refusal() {
    return refusal;
  }

  /**
   * Something was not carried out, or has been.
   *
   * @param why in one line; empty for nothing
   * @throws IOException when it is known to this process alone
   */
  synchronized void refused(String why) throws IOException {
    PassedOrders now = run.orders().refusal(why);
    refusal = now.refusal();
    now(now);
  }

  /**
   * Whether an order is carried out means nothing any more.
   *
   * @param order its first word
   */
  synchronized void moot(String order) throws IOException {
    if (refusal.startsWith(order + " ")) {
      refused("");
    }
  }

  private void now(PassedOrders orders) throws IOException {
    if (!orders.equals(run.orders())) {
      run.with(orders).write(folder);
      run = run.with(orders);
    }
  }

  synchronized void stand(String order) throws IOException {
    now(run.orders().standing(order));
    standing = new StandingOrder(order);
    moot(standing.isResume() ? OrderSubject.SUSPEND : OrderSubject.RESUME);
  }

  synchronized void done(StandingOrder order) throws IOException {
    if (standing == order) {
      now(run.orders().standing(""));
      standing = null;
      moot(order.isResume() ? OrderSubject.RESUME : OrderSubject.SUSPEND);
    }
  }

  /** It is to be held, or not any more. */
  synchronized void hold(boolean held) throws IOException {
    RunHolding before = hold.at();
    boolean refused = before == RunHolding.REFUSED;
    if (held && !before.isHeld() && !refused) {
      hold(RunHolding.WANTED, new HoldOrder());
    } else if (!held && (before.isHeld() || refused)) {
      // Of what nobody was told, or would do, nothing is taken back.
      boolean nothing = before == RunHolding.WANTED || refused;
      hold(nothing ? RunHolding.NONE : RunHolding.RELEASED, new HoldOrder());
    }
    moot(held ? OrderSubject.RELEASE : OrderSubject.HOLD);
  }

  private void hold(RunHolding at, HoldOrder order) throws IOException {
    now(run.orders().hold(at));
    hold = new StandingHold(at, order);
  }

  /**
   * What has come of its hold.
   *
   * @return false when another order has come meanwhile, which it says nothing of
   */
  synchronized boolean hold(StandingHold before, RunHolding after) throws IOException {
    if (hold != before) {
      return false;
    }
    if (before.at() != after) {
      hold(after, before.order());
    }
    return true;
  }

  /** Another walltime; the same again is none. */
  synchronized void limit(long seconds) throws IOException {
    if (limit.time().seconds() != seconds) {
      limit(new StandingLimit(new RunWalltime(seconds, false), new OrderAnswer()));
      moot(OrderPassing.LIMIT);
    }
  }

  /** The walltime needs to be told no more, unless another one has come meanwhile. */
  synchronized void limited(StandingLimit before) throws IOException {
    if (limit == before) {
      RunWalltime told = new RunWalltime(before.time().seconds(), true);
      limit(new StandingLimit(told, before.answer()));
    }
  }

  private void limit(StandingLimit now) throws IOException {
    now(run.orders().limit(now.time()));
    limit = now;
  }

  synchronized void signal(int number, int signal) throws IOException {
    now(run.orders().signal(number, signal));
  }

  /** The signal that is to be sent now; it is not kept any more. */
  synchronized Optional<Integer> takeSignal() throws IOException {
    List<Integer> signals = run.orders().signals();
    if (signals.isEmpty()) {
      return Optional.empty();
    }
    now(run.orders().sent());
    return Optional.of(signals.get(0));
  }
}
