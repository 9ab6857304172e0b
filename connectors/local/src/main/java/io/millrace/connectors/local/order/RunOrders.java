package io.millrace.connectors.local.order;

import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.OrderSubject;
import io.millrace.connectors.local.run.RunId;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.SignalRun;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes orders on to runs: signals, suspend and resume, walltime. */
public final class RunOrders {
  private static final Logger log = LoggerFactory.getLogger(RunOrders.class);

  /** Waits before another try; is interrupted when there is none. */
  public interface RetryPause {
    void pause() throws InterruptedException;
  }

  private final Execution execution;
  private final RetryPause pause;

  RunOrders(Execution execution, RetryPause pause) {
    this.execution = execution;
    this.pause = pause;
  }

  RunOrders(OrderContext desk) {
    this(desk.execution(), desk.room());
  }

  void carryOut(SignalRun order, long offset) throws InterruptedException {
    pass(order);
  }

  void carryOut(MessageRun order, long offset) {
    write(order);
  }

  /**
   * Passes an order on; a run that is not known here has ended or will be found by the roll call.
   */
  void pass(SignalRun order) throws InterruptedException {
    while (!passed(order)) {
      pause.pause();
    }
  }

  /**
   * Writes a line of qmsg; one that cannot be written is dropped, so as not to delay other orders.
   */
  void write(MessageRun order) {
    try {
      RunId id = new RunId(order.getJobId(), order.getRun());
      for (char stream : order.getStreams().toCharArray()) {
        execution.write(id, stream == 'O', order.getText());
      }
    } catch (IllegalArgumentException e) {
      log.error("message to an illegally formed run: {}", e.getMessage());
    } catch (IOException e) {
      log.error("cannot write to {} run {}: {}", order.getJobId(), order.getRun(), e.toString());
    }
  }

  /** Returns whether the order was passed on or dropped; false when it is to be tried again. */
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
   * Whether an order is dropped when the disk is full. Suspend orders must come before the runs
   * that get the nodes, and a longer walltime must reach its run: these wait, and all other orders
   * with them, except ends of runs. Signals are dropped.
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
