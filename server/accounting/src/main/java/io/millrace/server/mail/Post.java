package io.millrace.server.mail;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends letters one after the other, on a thread of its own. While the mailer does not answer the
 * first letter waits with ever longer pauses, and with it all others; a day later it is dropped.
 */
public final class Post implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Post.class);
  static final Duration AGE_MAX = Duration.ofDays(1);
  private static final long LOOK_MS = 1000;
  private static final long PAUSE_MAX_MS = 60_000;
  private static final long SAID_AGAIN_MS = 60_000;
  private static final long LONGEST_END_MS = 2000;

  private final Outbox outbox;
  private final Clock clock;
  private final Function<String, Mailer> mailers;
  private final Thread thread;
  private volatile boolean stopped;
  private long dropped;
  private long sent;
  private long saidMs;

  public Post(Outbox outbox, Clock clock) {
    this(outbox, clock, Mailer::of);
  }

  Post(Outbox outbox, Clock clock, Function<String, Mailer> mailers) {
    this.outbox = outbox;
    this.clock = clock;
    this.mailers = mailers;
    this.thread = new Thread(this::run, "post");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    long pause = LOOK_MS;
    try {
      while (!stopped) {
        pause = step() ? 0 : pause == 0 ? LOOK_MS : Math.min(2 * pause, PAUSE_MAX_MS);
        if (outbox.first().isEmpty()) {
          pause = LOOK_MS;
        }
        Thread.sleep(pause);
      }
    } catch (InterruptedException e) {
      // What was not sent is kept for the next process.
    }
  }

  /**
   * Sends the first letter.
   *
   * @return false when there is none, or it has to wait
   */
  boolean step() throws InterruptedException {
    Optional<Outbox.Kept> first = outbox.first();
    if (first.isEmpty()) {
      return false;
    }
    Letter letter = Letter.from(first.get().letter());
    Outbox.Sender sender = outbox.sender();
    try {
      if (letter.to().isEmpty()) {
        throw new Mailer.Refusal("nobody to whom it could be sent");
      }
      mailers.apply(sender.mailer()).send(sender.from(), letter);
      sent++;
    } catch (Mailer.Refusal e) {
      dropped(letter, e.getMessage());
    } catch (IOException e) {
      if (clock.millis() - letter.atMs() < AGE_MAX.toMillis()) {
        say("mail waits: " + e.getMessage());
        return false;
      }
      dropped(letter, "not within a day: " + e.getMessage());
    }
    outbox.remove(first.get().number());
    return true;
  }

  private void dropped(Letter letter, String why) {
    dropped++;
    say("mail dropped: " + letter.subject() + " to " + letter.to() + ": " + why);
  }

  /** Once a minute, or a mail server that is down would fill the log. */
  private void say(String what) {
    long now = clock.millis();
    if (now - saidMs >= SAID_AGAIN_MS) {
      saidMs = now;
      LOG.warn("{}; sent {}, dropped {} since the start", what, sent, dropped);
    }
  }

  long sent() {
    return sent;
  }

  long dropped() {
    return dropped;
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
    try {
      thread.join(LONGEST_END_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
