package io.millrace.connectors.bridge.command;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A command of this machine that goes on and prints a line now and then. It is started again, in
 * pauses that grow, when it ends, is silent for too long or prints too much; it ends with this
 * process, however that ends. Each of its readers gets all that it prints; nothing is kept beyond a
 * bound.
 */
public final class FollowedCommand implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(FollowedCommand.class);

  /** The kernel then kills it with whoever has begun it. */
  private static final List<String> BOUND =
      List.of("/usr/bin/setpriv", "--pdeathsig", "KILL", "--");

  /** A longer line is dropped. */
  static final int LINE_MOST = 1024;

  private static final int PIECE_BYTES = 8 * 1024;
  private static final int COMPLAINT_MOST = 200;

  /** What it is given to end. */
  private static final long GRACE_MS = 2_000;

  /**
   * What is borne.
   *
   * @param pauseLeast between two starts
   * @param pauseMost the same at the longest
   * @param well after a life of this length the next pause is the shortest again
   * @param silence without a line, after which it is taken for deaf
   * @param bytesMost printed in each such time
   */
  public record FollowTerms(
      Duration pauseLeast, Duration pauseMost, Duration well, Duration silence, long bytesMost) {

    /** Of a command that prints a line each few seconds. */
    public static final FollowTerms USUAL =
        new FollowTerms(
            Duration.ofSeconds(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(2),
            Duration.ofMinutes(1),
            64L << 20);
  }

  private final OutsideCommand command;
  private final FollowTerms terms;
  private final Thread thread = new Thread(this::work, "outside-followed");
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<FollowedLines> readers = new CopyOnWriteArrayList<>();

  /** What lives now; null for nothing. */
  private volatile Process child;

  private volatile long heardNs;
  private volatile boolean silent;

  /** What was said last of it, so that the same is said once. */
  private String trouble = "";

  /**
   * @param command its limit and its input do not count: it has none
   */
  FollowedCommand(OutsideCommand command, FollowTerms terms) {
    this.command = command.requireOwn();
    this.terms = terms;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** One more who reads, all that is said from now on. */
  FollowedLines reader() {
    FollowedLines lines = new FollowedLines(this);
    readers.add(lines);
    return lines;
  }

  /** Whether it is what somebody else wants to follow, too. */
  boolean isOf(OutsideCommand other) {
    return command.words().equals(other.words())
        && command.environment().equals(other.environment());
  }

  String program() {
    return command.words().get(0);
  }

  /** One that is silent for too long is ended. */
  void endSilent() {
    Process process = child;
    if (process != null && System.nanoTime() - heardNs > terms.silence().toNanos()) {
      silent = true;
      end(process);
    }
  }

  /**
   * The kernel ends the child with the thread that has begun it, so that this one must live as long
   * as the child does.
   */
  private void work() {
    Duration pause = terms.pauseLeast();
    while (closed.getCount() > 0) {
      long begun = System.nanoTime();
      say(followOnce());
      boolean well = System.nanoTime() - begun >= terms.well().toNanos();
      pause = well ? terms.pauseLeast() : pause;
      try {
        if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        return;
      }
      Duration twice = pause.multipliedBy(2);
      pause = twice.compareTo(terms.pauseMost()) < 0 ? twice : terms.pauseMost();
    }
  }

  private void say(String why) {
    if (closed.getCount() > 0 && !why.equals(trouble)) {
      log.warn("{} is started again: {}", program(), why);
      trouble = why;
    }
  }

  /** Starts it, and reads until it ends or has to; says why it did. */
  private String followOnce() {
    Process process;
    try {
      process = started();
    } catch (IOException e) {
      return "it cannot be started: " + e.getMessage();
    }
    FollowedOutput output = new FollowedOutput();
    silent = false;
    heardNs = System.nanoTime();
    child = process;
    String why;
    try (InputStream from = process.getInputStream()) {
      // Whoever closes this may have come before there was a child.
      why = closed.getCount() == 0 || output.read(from) ? "it ends" : "it prints too much";
    } catch (IOException e) {
      why = "its output broke off: " + e.getMessage();
    } finally {
      child = null;
      end(process);
    }
    return silent ? "it said nothing any more" : why + output.last();
  }

  /** The words with which a command is started that ends with whoever has started it. */
  public static List<String> bound(List<String> command) {
    List<String> words = new ArrayList<>(BOUND);
    words.addAll(command);
    return words;
  }

  /** No process is left when this one is killed; where it is, nobody can make a file. */
  private Process started() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(bound(command.words()))
            .directory(ProcessRunner.PROCESSES.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(command.wholeEnvironment());
    return builder.start();
  }

  /** Asks it to end, so that it can take its leave, and has it end. */
  private static void end(Process process) {
    try {
      process.destroy();
      if (!process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends it. */
  @Override
  public void close() {
    closed.countDown();
    Process process = child;
    if (process != null) {
      end(process);
    }
    try {
      thread.join(2 * GRACE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What one life of the command prints. */
  private final class FollowedOutput {
    private final byte[] line = new byte[LINE_MOST];
    private int length;
    private boolean overlong;
    private String last = "";

    /** What it said last, as a cause of its end. */
    String last() {
      return last.isEmpty() ? "" : ": " + last;
    }

    /**
     * Reads to the end.
     *
     * @return false when it printed too much before
     */
    boolean read(InputStream from) throws IOException {
      byte[] piece = new byte[PIECE_BYTES];
      long since = System.nanoTime();
      long bytes = 0;
      for (int got = from.read(piece); got >= 0; got = from.read(piece)) {
        take(piece, got);
        heardNs = System.nanoTime();
        if (heardNs - since > terms.silence().toNanos()) {
          since = heardNs;
          bytes = 0;
        }
        bytes += got;
        if (bytes > terms.bytesMost()) {
          return false;
        }
      }
      return true;
    }

    private void take(byte[] piece, int got) {
      for (int i = 0; i < got; i++) {
        if (piece[i] == '\n') {
          if (!overlong) {
            String whole = new String(line, 0, length, StandardCharsets.UTF_8);
            last = whole.substring(0, Math.min(COMPLAINT_MOST, whole.length()));
            readers.forEach(it -> it.add(whole));
          }
          length = 0;
          overlong = false;
        } else if (length == LINE_MOST) {
          overlong = true;
        } else {
          line[length++] = piece[i];
        }
      }
    }
  }
}
