package io.millrace.server.streams;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a long table with two threads: a second thread reads and, when it is far enough ahead, also
 * decodes; the caller consumes the decoded records and decodes those that the other has not. This
 * shortens the start of an engine beside a million jobs.
 *
 * @param <R> what is read
 * @param <T> what it is decoded to
 */
final class ReadAhead<R, T> {
  private static final int BLOCK = 256;
  private static final int BLOCKS_AHEAD = 8;

  private final Iterator<R> source;
  private final Function<R, T> decode;
  private final BlockingQueue<FutureTask<List<T>>> blocks = new ArrayBlockingQueue<>(BLOCKS_AHEAD);

  /** Marks the end of the blocks. */
  private final FutureTask<List<T>> last = new FutureTask<>(List::of);

  private ReadAhead(Iterator<R> source, Function<R, T> decode) {
    this.source = source;
    this.decode = decode;
  }

  /**
   * Gives each element to {@code sink}, in order, in the caller's thread. The source is used by one
   * other thread, which has ended when this returns or throws.
   *
   * @param decode called by two threads
   * @throws IllegalStateException when reading or decoding failed, with the cause, or the caller
   *     was interrupted
   */
  static <R, T> void each(Iterator<R> source, Function<R, T> decode, Consumer<? super T> sink) {
    new ReadAhead<>(source, decode).run(sink);
  }

  private void run(Consumer<? super T> sink) {
    FutureTask<Void> reading = new FutureTask<>(this::read);
    Thread reader = new Thread(reading, Thread.currentThread().getName() + "-reads-ahead");
    reader.setDaemon(true);
    reader.start();
    try {
      take(sink);
      reading.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot read the store: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the store", e);
    } finally {
      end(reader);
    }
  }

  private Void read() throws InterruptedException {
    try {
      readBlocks();
    } catch (RuntimeException | Error e) {
      blocks.put(last); // otherwise the caller would wait for ever
      throw e;
    }
    // An interrupted reader puts nothing: the caller has gone, and the queue may be full.
    blocks.put(last);
    return null;
  }

  private void readBlocks() throws InterruptedException {
    while (source.hasNext() && !Thread.currentThread().isInterrupted()) {
      List<R> raw = new ArrayList<>(BLOCK);
      while (raw.size() < BLOCK && source.hasNext()) {
        raw.add(source.next());
      }
      FutureTask<List<T>> block = new FutureTask<>(() -> raw.stream().map(decode).toList());
      if (!blocks.offer(block)) {
        // The caller has enough to do: this thread takes over the decoding.
        block.run();
        blocks.put(block);
      }
    }
  }

  private void take(Consumer<? super T> sink) throws InterruptedException, ExecutionException {
    FutureTask<List<T>> block = blocks.take();
    while (block != last) {
      block.run();
      block.get().forEach(sink);
      block = blocks.take();
    }
  }

  /** Waits for the reading thread, since the source is closed afterwards. */
  private static void end(Thread reader) {
    reader.interrupt();
    boolean interrupted = false;
    while (reader.isAlive()) {
      try {
        reader.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
