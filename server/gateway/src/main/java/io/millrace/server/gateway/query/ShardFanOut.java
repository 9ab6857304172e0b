package io.millrace.server.gateway.query;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Asks several shards at once. When all its threads are busy, the caller asks by itself. */
final class ShardFanOut {

  private static final int THREADS = 16;
  private static final int WAITING = 64;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          30,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(WAITING),
          task -> {
            Thread thread = new Thread(task, "gateway-query");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.CallerRunsPolicy());

  ShardFanOut() {
    threads.allowCoreThreadTimeOut(true);
  }

  /** Results in the order of the questions; the first failure when there is one. */
  <T> List<T> all(List<Callable<T>> questions) throws QueryException, InterruptedException {
    List<Future<T>> asked = new ArrayList<>(questions.size());
    for (Callable<T> question : questions) {
      asked.add(threads.submit(question));
    }
    List<T> answers = new ArrayList<>(asked.size());
    try {
      for (Future<T> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QueryException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      asked.forEach(f -> f.cancel(true));
    }
  }
}
