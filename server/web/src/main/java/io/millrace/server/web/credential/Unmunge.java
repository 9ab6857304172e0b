package io.millrace.server.web.credential;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Asks the MUNGE daemon of this host through the program {@code unmunge}. */
final class Unmunge implements AutoCloseable {

  private static final String KEYS = "STATUS,ENCODE_TIME,DECODE_TIME,UID,GID";
  private static final int AT_ONCE = 8;

  /** That wait; more would keep the door's workers from all others. */
  private static final int WAITING = 4;

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A credential of some thousand characters may unpack to millions. */
  private static final int ANSWER_BYTES_MAX = 16 * 1024;

  /** The program's exit statuses when it, or the daemon, could not do its work. */
  private static final Set<Integer> NO_DAEMON = Set.of(1, 5, 6, 7);

  /** What its exit statuses say of a credential. */
  private static final Map<Integer, String> REASONS =
      Map.of(14, "forged", 15, "expired", 16, "not-yet-valid", 17, "replayed", 18, "not-for-us");

  private final List<String> command = new ArrayList<>();
  private final Semaphore entrance = new Semaphore(AT_ONCE + WAITING);
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "unmunge-watch");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param socket of the daemon; empty for the one of the host
   */
  Unmunge(String socket) {
    this("unmunge", socket);
  }

  /**
   * @param program that is asked, as unmunge is
   */
  Unmunge(String program, String socket) {
    command.addAll(List.of(program, "-k", KEYS));
    if (!socket.isEmpty()) {
      command.addAll(List.of("-S", socket));
    }
  }

  /** What the program said: its status, the lines of the head by key, the payload. */
  record UnmungeOutput(int status, Map<String, String> head, String payload) {

    Optional<String> value(String key) {
      return Optional.ofNullable(head.get(key));
    }

    boolean daemonAway() {
      return NO_DAEMON.contains(status);
    }

    String reason() {
      return REASONS.getOrDefault(status, "malformed");
    }
  }

  /**
   * @throws IOException when there is no such program, or no answer in time
   */
  UnmungeOutput ask(String credential) throws IOException, InterruptedException {
    if (!entrance.tryAcquire()) {
      throw new IOException("the daemon is busy");
    }
    try {
      return admitted(credential);
    } finally {
      entrance.release();
    }
  }

  private UnmungeOutput admitted(String credential) throws IOException, InterruptedException {
    if (!room.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new IOException("the daemon is busy");
    }
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      ScheduledFuture<?> late =
          watch.schedule(process::destroyForcibly, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      try {
        tell(process, credential);
        return said(process);
      } finally {
        late.cancel(false);
        process.destroyForcibly();
      }
    } finally {
      room.release();
    }
  }

  private static void tell(Process process, String credential) {
    try (OutputStream in = process.getOutputStream()) {
      in.write(credential.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      // It ended before it had read this: what it says and its status tell why.
    }
  }

  private static UnmungeOutput said(Process process) throws IOException, InterruptedException {
    InputStream out = process.getInputStream();
    byte[] answer = out.readNBytes(ANSWER_BYTES_MAX);
    if (answer.length == ANSWER_BYTES_MAX) {
      throw new IOException("an answer of more than " + ANSWER_BYTES_MAX + " bytes");
    }
    int status = process.waitFor();
    if (status > 128) {
      throw new IOException("no answer within " + PATIENCE.toSeconds() + " s");
    }
    String text = new String(answer, StandardCharsets.UTF_8);
    int blank = text.indexOf("\n\n");
    Map<String, String> head = new HashMap<>();
    for (String line : (blank < 0 ? text : text.substring(0, blank)).split("\n")) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        head.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
    }
    return new UnmungeOutput(status, head, blank < 0 ? "" : text.substring(blank + 2));
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
