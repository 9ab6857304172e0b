package io.millrace.server.streams.worker;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * One thread that does one thing after the other, and is there only while it has something to do.
 */
public final class IdleWorker {

  private IdleWorker() {}

  /**
   * @param name of the thread
   * @param waitingMax how many things may wait for it
   * @param idleS after how many seconds without anything to do it ends
   */
  public static ExecutorService named(String name, int waitingMax, long idleS) {
    ThreadPoolExecutor worker =
        new ThreadPoolExecutor(
            1,
            1,
            idleS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(waitingMax),
            work -> {
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
    worker.allowCoreThreadTimeOut(true);
    return worker;
  }
}
