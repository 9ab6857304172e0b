package io.millrace.connectors.forward;

import io.millrace.schemas.health.Measures;
import java.io.IOException;
import java.util.OptionalLong;

/** A cluster that this process forwards runs to, or observes. */
public interface ServedCluster extends AutoCloseable {

  /** Serves it until it is closed, or there is nothing to serve. */
  void run() throws IOException, InterruptedException;

  /** Why there is nothing to serve any more, in one line; empty while there is. */
  String dismissal();

  /** What is in the way of serving, in one line; empty for nothing. */
  String obstacle();

  /**
   * The first order of a Kafka partition of the topic dispatch that is not carried out.
   *
   * @param end as far as the partition is looked at
   * @return the offset of that order, or the end when there is none before it; empty while it is
   *     not known how far all of the cluster's hosts are
   */
  OptionalLong carriedOut(int partition, long end);

  /** From now on its jobs, hosts and queues are shown, if that is not all that is done anyhow. */
  default void show() {}

  /** Adds its numbers to what the process tells of itself. */
  void tell(Measures measures);

  @Override
  void close() throws IOException;

  /**
   * Opens the cluster of the options; while another process has its spool, this one stands by.
   *
   * @param waiting called once before it waits
   */
  static ServedCluster open(ServedTerms terms, Runnable waiting) throws IOException {
    return terms.file().observes()
        ? ObservingCluster.open(terms, waiting)
        : ForwardCluster.open(terms, waiting);
  }
}
