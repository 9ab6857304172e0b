package io.millrace.connectors.forward;

import io.millrace.schemas.health.Measures;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A cluster that this process forwards runs to, or observes. */
interface ServedCluster extends AutoCloseable {

  /** Serves it until it is closed, or there is nothing to serve. */
  void run() throws IOException, InterruptedException;

  /** Why there is nothing to serve any more, in one line; empty while there is. */
  String dismissal();

  /** What is in the way of serving, in one line; empty for nothing. */
  String obstacle();

  /** Has its numbers told. */
  void tell(Measures measures);

  @Override
  void close() throws IOException;

  /**
   * Opens the cluster of the options; while another process has its spool, this one stands by.
   *
   * @param waiting called once before it waits
   */
  static ServedCluster open(ForwardOptions options, Runnable waiting) throws IOException {
    return options.file().observes()
        ? ObservingCluster.open(options, waiting)
        : ForwardCluster.open(options, waiting);
  }

  /** Takes a spool, which is free again when the channel is closed. */
  static FileChannel await(Path spool, Runnable waiting) throws IOException {
    Files.createDirectories(spool);
    FileChannel lock =
        FileChannel.open(
            spool.resolve("forwarder"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      waiting.run();
      lock.lock();
    }
    return lock;
  }
}
