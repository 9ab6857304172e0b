package io.millrace.connectors.connect;

import io.millrace.connectors.forward.ServedCluster;
import java.io.IOException;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cluster that is served by a thread of its own, until it is closed or cannot be any more. */
final class HostedCluster implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HostedCluster.class);

  private final String name;
  private final String over;
  private final HostedOpening opening;
  private final Thread thread;
  private volatile ServedCluster served;
  private volatile boolean closing;
  private volatile String failure = "";
  private volatile String waiting;

  /** Takes a cluster, perhaps after a time of standing by. */
  interface HostedOpening {
    ServedCluster open(Runnable waiting) throws IOException;
  }

  HostedCluster(String name, HostedOpening opening) {
    this.name = name;
    this.over = "cluster " + name + " is served no more";
    this.opening = opening;
    this.waiting = "cluster " + name + " is being opened";
    this.thread = new Thread(this::run, "millrace-hosted-" + name);
  }

  void start() {
    thread.start();
  }

  private void run() {
    String why = "";
    try {
      served = opening.open(this::standBy);
      served.run();
      why = served.dismissal();
    } catch (InterruptedException e) {
      why = "interrupted";
    } catch (Throwable e) {
      // Errors too, as of a class that is not in the folder of the plugin: they would end this
      // thread unseen, and Connect would show a task as RUNNING that serves nothing.
      why = line(e);
      if (!closing) {
        log.error("cluster {} cannot be served any more", name, e);
      }
    } finally {
      end(why);
    }
  }

  private void end(String why) {
    String fault = over;
    try {
      fault = release();
    } finally {
      if (!closing) {
        String first = why.isEmpty() ? fault : why;
        failure = first.isEmpty() ? over : first;
      } else if (!fault.isEmpty()) {
        log.error("cluster {}: {}", name, fault);
      }
    }
  }

  private void standBy() {
    waiting = "another process serves cluster " + name;
    log.info("{}; this one stands by", waiting);
  }

  /** Ends it with what is under way; an interruption would leave things open. */
  private String release() {
    if (Thread.interrupted()) {
      log.debug("cluster {} is left", name);
    }
    try {
      if (served != null) {
        served.close();
      }
      return "";
    } catch (Throwable e) {
      return line(e);
    }
  }

  /** An error's message alone, as the name of a class, does not say what is wrong. */
  private static String line(Throwable e) {
    boolean whole = e.getMessage() == null || e instanceof Error;
    return (whole ? e.toString() : e.getMessage()).replace('\n', ' ');
  }

  /** Why it is not served any more, in one line; empty while it is, or is stood by for. */
  String failure() {
    return failure;
  }

  /** What is in the way of serving, in one line; empty for nothing. */
  String obstacle() {
    ServedCluster present = served;
    return present == null ? waiting : present.obstacle();
  }

  /** As {@link ServedCluster#carriedOut}; empty while it is opened or stood by for. */
  OptionalLong carriedOut(int partition, long end) {
    ServedCluster present = served;
    return present == null ? OptionalLong.empty() : present.carriedOut(partition, end);
  }

  /** Ends; what is outside goes on. */
  @Override
  public void close() {
    closing = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
