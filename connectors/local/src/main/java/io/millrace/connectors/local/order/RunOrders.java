package io.millrace.connectors.local.order;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.RunId;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.SignalRun;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes orders on to runs: signals, whether they stand still, and how long they may last. */
public final class RunOrders {
  private static final Logger log = LoggerFactory.getLogger(RunOrders.class);

  /** Lets time pass before another try; is interrupted when there is to be none. */
  public interface Pause {
    void pause() throws InterruptedException;
  }

  private final Execution execution;
  private final Pause pause;

  RunOrders(Execution execution, Pause pause) {
    this.execution = execution;
    this.pause = pause;
  }

  /** With what all orders are carried out with. */
  RunOrders(OrderContext desk) {
    this(desk.execution(), desk.room());
  }

  void carryOut(SignalRun order, long offset) throws InterruptedException {
    pass(order);
  }

  void carryOut(MessageRun order, long offset) {
    write(order);
  }

  /** A run that is not known here is over, or is asked after. */
  void pass(SignalRun order) throws InterruptedException {
    while (!passed(order)) {
      pause.pause();
    }
  }

  /** A line that cannot be written is left out: it is worth less than the orders behind it. */
  void write(MessageRun order) {
    try {
      RunId id = new RunId(order.getJobId(), order.getRun());
      for (char stream : order.getStreams().toCharArray()) {
        execution.write(id, stream == 'O', order.getText());
      }
    } catch (IllegalArgumentException | IOException e) {
      log.error("cannot write to {} run {}: {}", order.getJobId(), order.getRun(), e.toString());
    }
  }

  /** Whether the order was passed on or is left out; false when it is to be tried again. */
  private boolean passed(SignalRun order) {
    try {
      RunId id = new RunId(order.getJobId(), order.getRun(), order.getTask());
      execution.order(id, order.getOrder(), order.getSignal());
      return true;
    } catch (IllegalArgumentException e) {
      log.error("order to an illegally formed run: {}", e.getMessage());
      return true;
    } catch (IOException e) {
      return leftOut(order, e);
    }
  }

  /**
   * A full disk. Whoever gets what a run held must not start before it stands still, and a run that
   * may last longer must hear of it, so that these orders wait and all others with them but the
   * ends of runs; a signal is worth less than other orders.
   */
  private static boolean leftOut(SignalRun order, IOException why) {
    boolean signal = OrderSubject.of(order.getSignal()) == OrderSubject.SIGNAL;
    log.error(
        "cannot pass {} on to {} run {}, {}: {}",
        signal ? "signal " + order.getSignal() : order.getSignal(),
        order.getJobId(),
        order.getRun(),
        signal ? "it is left out" : "trying again",
        why.toString());
    return signal;
  }
}
