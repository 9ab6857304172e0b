package io.millrace.connectors.bridge.question;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * One question at a time, which another thread may carry out while the one that asks goes on with
 * other things, and takes the answer when it is there.
 *
 * @param <T> the answer
 */
public final class BackgroundQuestion<T> {

  private Executor by = Runnable::run;
  private Optional<FutureTask<T>> asked = Optional.empty();

  /**
   * @param executor what carries out the questions from now on; without one they are by who asks
   */
  public void by(Executor executor) {
    by = executor;
  }

  /** Whether there is a question whose answer is not taken yet. */
  public boolean isAsked() {
    return asked.isPresent();
  }

  /** Asks; there must be no other question. */
  public void ask(Callable<T> question) {
    FutureTask<T> task = new FutureTask<>(question);
    asked = Optional.of(task);
    by.execute(task);
  }

  /** Takes the answer; empty while there is none. */
  public Optional<T> take() throws InterruptedException {
    Optional<FutureTask<T>> done = asked.filter(FutureTask::isDone);
    if (done.isEmpty()) {
      return Optional.empty();
    }
    asked = Optional.empty();
    return Optional.of(answer(done.get()));
  }

  /** What was answered, or the failure that another thread had instead. */
  public static <T> T answer(Future<T> done) throws InterruptedException {
    try {
      return done.get();
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
