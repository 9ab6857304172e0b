package io.millrace.schedulers.engine;

import io.millrace.schemas.output.EngineBeat;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Says each second that an engine apart is alive, from the moment that it was let in: building its
 * index may take long. An engine whose cycle does not end says nothing any more.
 */
final class SignsOfLife implements AutoCloseable {

  static final Duration EACH = Duration.ofSeconds(1);

  private final Thread thread;
  private volatile boolean closed;

  /**
   * @param alive asked before each sign
   * @param out takes the signs; never blocks for long
   */
  SignsOfLife(EngineBeat beat, BooleanSupplier alive, Consumer<EngineBeat> out) {
    this.thread =
        new Thread(
            () -> {
              while (!closed) {
                if (alive.getAsBoolean()) {
                  out.accept(beat);
                }
                LockSupport.parkNanos(this, EACH.toNanos());
              }
            },
            "signs-of-life");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    LockSupport.unpark(thread);
    thread.join();
  }
}
