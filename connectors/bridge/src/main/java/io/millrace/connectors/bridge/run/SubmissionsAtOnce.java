package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Submitted;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Carries submissions out, some of them at once, so that one whose answer does not come keeps no
 * others waiting. All answers are taken by the thread that has asked for them.
 */
final class SubmissionsAtOnce {
  private static final long IDLE_S = 10;

  /** What decides about runs and hears of them; those of one list go together. */
  interface SubmissionHandler {
    /** Called just before runs are submitted; false when they are not to be. */
    boolean goes(List<OutsideRun> runs) throws IOException;

    void take(List<OutsideRun> runs, Submitted answer) throws IOException;
  }

  private final OutsideSystem system;
  private final int most;
  private final ThreadPoolExecutor threads;

  /**
   * @param most that are under way together
   */
  SubmissionsAtOnce(OutsideSystem system, int most) {
    this.system = system;
    this.most = most;
    this.threads =
        new ThreadPoolExecutor(
            most, most, IDLE_S, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::thread);
    threads.allowCoreThreadTimeOut(true);
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "millrace-submission");
    thread.setDaemon(true);
    return thread;
  }

  /** Returns when each of them is answered, or did not go. */
  void carryOut(List<List<OutsideRun>> all, SubmissionHandler handler)
      throws IOException, InterruptedException {
    if (most == 1) {
      for (List<OutsideRun> runs : all) {
        if (handler.goes(runs)) {
          handler.take(runs, submit(runs));
        }
      }
      return;
    }
    CompletionService<Submitted> answers = new ExecutorCompletionService<>(threads);
    Map<Future<Submitted>, List<OutsideRun>> underWay = new HashMap<>();
    try {
      Iterator<List<OutsideRun>> next = all.iterator();
      while (next.hasNext() || !underWay.isEmpty()) {
        while (next.hasNext() && underWay.size() < most) {
          List<OutsideRun> runs = next.next();
          if (handler.goes(runs)) {
            underWay.put(answers.submit(() -> submit(runs)), runs);
          }
        }
        if (!underWay.isEmpty()) {
          Future<Submitted> answered = answers.take();
          handler.take(underWay.remove(answered), answer(answered));
        }
      }
    } finally {
      // Whoever ends meanwhile leaves them as what nobody has heard of; they are looked for later.
      underWay.keySet().forEach(it -> it.cancel(true));
    }
  }

  private Submitted submit(List<OutsideRun> runs) throws InterruptedException {
    OutsideRun first = runs.get(0);
    List<OutsideSubmission> orders = runs.stream().map(OutsideRun::order).toList();
    if (first.task().isPresent()) {
      return system.submitArray(first.mark(), orders);
    }
    return runs.size() == 1 ? system.submit(orders.get(0)) : system.submitTogether(orders);
  }

  private static Submitted answer(Future<Submitted> answered) throws InterruptedException {
    try {
      return answered.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
