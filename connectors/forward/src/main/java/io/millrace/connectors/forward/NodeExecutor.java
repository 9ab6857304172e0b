package io.millrace.connectors.forward;

import io.millrace.connectors.local.LocalExecutor;
import java.io.Closeable;
import java.io.IOException;
import java.util.OptionalLong;

/** The executor of a node, as the cluster that has the node sees it. */
interface NodeExecutor extends Closeable {

  /** The Kafka partition of the topic dispatch that has its orders. */
  int partition();

  /** The first of its orders that would be read again; empty while that is not known. */
  OptionalLong reached();

  /** What is in the way of serving, in one line; empty for nothing. */
  String obstacle();

  /** Why another executor serves the host, in one line; empty while this one does. */
  String dismissal();

  /** Returns when nothing of it works in the spool any more. */
  void awaitEnd() throws InterruptedException;

  /** That of a host. */
  record HostNodeExecutor(LocalExecutor executor) implements NodeExecutor {
    @Override
    public int partition() {
      return executor.partition();
    }

    @Override
    public OptionalLong reached() {
      return executor.reached();
    }

    @Override
    public String obstacle() {
      return executor.obstacle();
    }

    @Override
    public String dismissal() {
      return executor.dismissal();
    }

    @Override
    public void awaitEnd() throws InterruptedException {
      executor.awaitEnd();
    }

    @Override
    public void close() throws IOException {
      executor.close();
    }
  }
}
