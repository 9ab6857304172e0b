package io.millrace.connectors.bridge.far;

import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one link to another host. It is made when it is needed and kept; one that broke off is made
 * anew, after a pause that grows when that fails again and again.
 */
public final class KeptLink<T> {
  private static final Logger log = LoggerFactory.getLogger(KeptLink.class);

  private final String name;
  private final LinkMaker<T> maker;
  private final Predicate<T> isOpen;
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final ReentrantLock lock = new ReentrantLock();
  private T link;
  private volatile boolean closed;

  /** When it failed last, by the machine's own clock, and why. */
  private long failedAt;

  private String failed = "";

  /** Makes a link. */
  public interface LinkMaker<T> {
    /**
     * @throws FilesUnreached in one line with cause and cure, when there is none
     */
    T make() throws FilesUnreached, InterruptedException;
  }

  /**
   * @param name as whom one is where
   */
  public KeptLink(String name, LinkMaker<T> maker, Predicate<T> isOpen) {
    this.name = name;
    this.maker = maker;
    this.isOpen = isOpen;
  }

  /**
   * The link, which may break off at any time.
   *
   * @throws FilesUnreached when there is none
   */
  public T get() throws FilesUnreached, InterruptedException {
    long asked = System.nanoTime();
    lock.lockInterruptibly();
    try {
      if (closed) {
        throw new FilesUnreached("the connection as " + name + " was closed");
      }
      if (link != null && isOpen.test(link)) {
        return link;
      }
      if (!failed.isEmpty() && failedAt - asked > 0 || !breaker.lets(Instant.now())) {
        throw new FilesUnreached(breaker.reason());
      }
      try {
        link = maker.make();
        failed = "";
        breaker.answered();
        log.info("connected as {}", name);
        return link;
      } catch (FilesUnreached e) {
        if (!failed.equals(e.getMessage())) {
          log.warn("no connection as {}: {}", name, e.getMessage());
        }
        failed = String.valueOf(e.getMessage());
        failedAt = System.nanoTime();
        breaker.silent(e.getMessage(), Instant.now());
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * No more links are made.
   *
   * @param end of the one that there is
   */
  public void close(Consumer<T> end) {
    closed = true;
    lock.lock();
    try {
      if (link != null) {
        end.accept(link);
      }
    } finally {
      lock.unlock();
    }
  }
}
