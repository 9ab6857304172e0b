package io.millrace.server.mail;

import io.millrace.server.unprivileged.UnprivilegedProgram;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends letters one after the other, on a thread of its own. While nobody answers all of them wait,
 * with ever longer pauses. One that is not taken goes behind the others and is tried again, ever
 * later; a day later it is dropped.
 */
public final class MailSender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MailSender.class);
  static final Duration AGE_MAX = Duration.ofDays(1);
  private static final long LOOK_MS = 1000;
  private static final long PAUSE_MAX_MS = 60_000;
  private static final long WAIT_MS = 30_000;
  private static final long WAIT_MAX_MS = 3_600_000;
  private static final long SAID_AGAIN_MS = 60_000;
  private static final long LONGEST_END_MS = 2000;

  private final Outbox outbox;
  private final Clock clock;
  private final Function<String, Mailer> mailers;
  private final Thread thread;

  /** Those that were not taken; no more than the outbox keeps. */
  private final PriorityQueue<WaitingLetter> waiting =
      new PriorityQueue<>(Comparator.comparingLong(WaitingLetter::dueMs));

  /** The number of the last one that was tried. */
  private long tried;

  private boolean retried;
  private boolean unreachable;
  private volatile boolean stopped;
  private long dropped;
  private long sent;
  private long saidMs;

  public MailSender(Outbox outbox, Clock clock, UnprivilegedProgram unprivileged) {
    this(outbox, clock, value -> Mailer.of(value, unprivileged));
  }

  MailSender(Outbox outbox, Clock clock, Function<String, Mailer> mailers) {
    this.outbox = outbox;
    this.clock = clock;
    this.mailers = mailers;
    this.thread = new Thread(this::run, "post");
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  /** A letter that is tried again at a time; waitMs is how long it waits after that. */
  private record WaitingLetter(long number, long dueMs, long waitMs) {}

  private void run() {
    long pause = LOOK_MS;
    try {
      while (!stopped) {
        pause = pause(pause);
        Thread.sleep(pause);
      }
    } catch (InterruptedException e) {
      // What was not sent is kept for the next process.
    }
  }

  /** After one letter, or the lack of one: how long until the next, in milliseconds. */
  private long pause(long before) throws InterruptedException {
    boolean again;
    try {
      again = step();
    } catch (RuntimeException e) {
      LOG.error("the letters that wait cannot be read; they are tried again", e);
      return PAUSE_MAX_MS;
    }
    return again
        ? 0
        : unreachable ? Math.min(Math.max(2 * before, LOOK_MS), PAUSE_MAX_MS) : LOOK_MS;
  }

  /**
   * Sends one letter: a new one, or one whose time has come again.
   *
   * @return false when there is none, or nobody takes any
   */
  boolean step() throws InterruptedException {
    unreachable = false;
    WaitingLetter due = waiting.peek();
    if (due == null
        || due.dueMs() > clock.millis()
        || retried && outbox.after(tried).isPresent()) { // both have their turn
      due = null;
    }
    retried = due != null;
    Optional<Outbox.KeptLetter> next = outbox.after(due == null ? tried : due.number() - 1);
    if (next.isEmpty()) {
      return false;
    }
    long number = next.get().number();
    long wait = due == null ? WAIT_MS : due.waitMs();
    boolean over = send(next.get());
    if (unreachable) {
      return false;
    }
    if (due != null) {
      waiting.poll();
    }
    tried = Math.max(tried, number);
    if (over) {
      outbox.remove(number);
    } else {
      waiting.add(
          new WaitingLetter(number, clock.millis() + wait, Math.min(2 * wait, WAIT_MAX_MS)));
    }
    return true;
  }

  /**
   * @return whether it need not be kept any more
   */
  private boolean send(Outbox.KeptLetter kept) throws InterruptedException {
    MailMessage letter;
    try {
      letter = MailMessage.from(kept.letter());
    } catch (RuntimeException e) {
      dropped++;
      LOG.error("mail dropped: letter {} is damaged", kept.number(), e);
      return true;
    }
    try {
      if (letter.to().isEmpty()) {
        throw new Mailer.LetterRefusal("nobody to whom it could be sent");
      }
      Outbox.Sender sender = outbox.sender();
      mailers.apply(sender.mailer()).send(sender.from(), letter);
      sent++;
      return true;
    } catch (Mailer.LetterRefusal e) {
      dropped(letter, e.getMessage());
      return true;
    } catch (IOException e) {
      if (clock.millis() - letter.atMs() < AGE_MAX.toMillis()) {
        unreachable = e instanceof Mailer.Unreachable;
        say("mail waits: " + e.getMessage());
        return false;
      }
      dropped(letter, "not within a day: " + e.getMessage());
      return true;
    } catch (RuntimeException e) {
      dropped(letter, "the mailer failed");
      LOG.error("the mailer failed with {}", letter.subject(), e);
      return true;
    }
  }

  private void dropped(MailMessage letter, String why) {
    dropped++;
    List<String> to = letter.to();
    String more = to.size() > 1 ? " and " + (to.size() - 1) + " more" : "";
    String first = to.isEmpty() ? "nobody" : to.get(0);
    say("mail dropped: " + letter.subject() + " to " + first + more + ": " + why);
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
