package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Submissions that are under way, some of them at once. One thread begins them and takes their
 * answers as they come, and goes on with other things meanwhile: a submission lasts as long as some
 * processes need to begin, and one whose answer does not come keeps nothing else waiting.
 */
final class SubmissionsAtOnce {
  private static final long IDLE_S = 10;

  /** What hears of runs; those of one list went together. */
  interface SubmissionReader {
    /**
     * @param runs as they were when they went
     */
    void take(List<OutsideRun> runs, Submitted answer) throws IOException;
  }

  private final OutsideSystem system;
  private final int most;
  private final CompletionService<Submitted> answers;
  private final Map<Future<Submitted>, List<OutsideRun>> underWay = new LinkedHashMap<>();
  private final Set<OutsideTag> tags = new HashSet<>();
  private volatile Runnable answered = () -> {};

  /**
   * @param most that are under way together; of one the thread that begins it waits for the answer
   */
  SubmissionsAtOnce(OutsideSystem system, int most) {
    this.system = system;
    this.most = most;
    Executor threads = most == 1 ? Runnable::run : pool(most);
    this.answers =
        new ExecutorCompletionService<>(
            work ->
                threads.execute(
                    () -> {
                      work.run();
                      answered.run();
                    }));
  }

  private static Executor pool(int most) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "millrace-submission");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /**
   * @param then called by some thread when an answer can be taken
   */
  void onAnswer(Runnable then) {
    answered = then;
  }

  /** How many more can begin now. */
  int room() {
    return most - underWay.size();
  }

  /** Whether a run was submitted and its answer is not taken yet. */
  boolean has(OutsideTag run) {
    return tags.contains(run);
  }

  /** Submits runs together; there has to be room. */
  void begin(List<OutsideRun> runs) {
    underWay.put(answers.submit(() -> submit(runs)), runs);
    runs.forEach(it -> tags.add(it.tag()));
  }

  /**
   * Takes the answers that have come.
   *
   * @return whether there were some
   */
  boolean take(SubmissionReader reader) throws IOException, InterruptedException {
    boolean some = false;
    for (Future<Submitted> one = answers.poll(); one != null; one = answers.poll()) {
      some = true;
      take(one, reader);
    }
    return some;
  }

  /** Returns when all are answered. */
  void await(SubmissionReader reader) throws IOException, InterruptedException {
    while (!underWay.isEmpty()) {
      take(answers.take(), reader);
    }
  }

  private void take(Future<Submitted> one, SubmissionReader reader)
      throws IOException, InterruptedException {
    List<OutsideRun> runs = underWay.remove(one);
    runs.forEach(it -> tags.remove(it.tag()));
    reader.take(runs, answer(one));
  }

  /** Nobody waits for any of them any more; runs are looked for later. */
  void leave() {
    underWay.keySet().forEach(it -> it.cancel(true));
    underWay.clear();
    tags.clear();
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
      if (e.getCause() instanceof InterruptedException end) {
        throw end;
      }
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
