package io.millrace.connectors.local;

import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.SignalRun;
import java.io.IOException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes orders on to runs: signals, whether they stand still, and how long they may last. */
final class RunOrders {
  private static final Logger log = LoggerFactory.getLogger(RunOrders.class);

  static final String RESUME = "resume";

  private static final Set<String> STANDINGS = Set.of("suspend", RESUME);

  /** Behind it come the seconds that the run may last from its start. */
  private static final String LIMIT = "limit";

  /** What an order is about. Of all but signals the last one holds, whatever its number. */
  enum Subject {
    SIGNAL,
    STANDING,
    LIMIT
  }

  static Subject subject(String order) {
    if (STANDINGS.contains(order)) {
      return Subject.STANDING;
    }
    return order.startsWith(LIMIT) ? Subject.LIMIT : Subject.SIGNAL;
  }

  /** Lets time pass before another try; is interrupted when there is to be none. */
  interface Pause {
    void pause() throws InterruptedException;
  }

  private final Execution execution;
  private final Pause pause;

  RunOrders(Execution execution, Pause pause) {
    this.execution = execution;
    this.pause = pause;
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

  /** Whether there is no more to do. */
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
    boolean signal = subject(order.getSignal()) == Subject.SIGNAL;
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
