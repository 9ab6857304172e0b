package io.millrace.server.accounting;

import io.millrace.schemas.attributes.AttributeTable;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.mail.Letter;
import io.millrace.server.mail.Outbox;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters in the book until they are sent, so many at most. One thread puts them in, with the
 * commits of the book; another one takes them out.
 */
final class LetterBox implements Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(LetterBox.class);
  static final int LETTERS_MAX = 10_000;
  private static final int SAID_EVERY = 1000;
  private static final String MAIL = "mail";

  private final AccountBook book;
  private final long sinceMs;

  /** How many there are, those too that the next commit brings. */
  private final AtomicLong kept = new AtomicLong();

  private final AtomicLong removed = new AtomicLong();
  private volatile Sender sender;
  private long last;
  private long refused;

  LetterBox(AccountBook book, long nowMs) {
    this.book = book;
    this.sinceMs = book.since(MAIL, nowMs);
    this.last = book.lastLetter();
    long first = 0;
    for (var at = book.letterAfter(0); at.isPresent(); at = book.letterAfter(first)) {
      first = at.get().getKey();
      kept.incrementAndGet();
    }
    this.sender = sender(null);
    book.settings().forEach(this::heed);
  }

  /** What happened before gives no letters: it may be years ago. */
  long sinceMs() {
    return sinceMs;
  }

  /** The server's attributes say who sends. */
  void heed(ClusterObject object) {
    if (object.getKind() == ObjectKind.SERVER) {
      sender = sender(object);
    }
  }

  private static Sender sender(ClusterObject server) {
    return new Sender(value(server, "mailer"), value(server, "mail_from"));
  }

  private static String value(ClusterObject server, String name) {
    if (server != null) {
      for (Attribute attribute : server.getAttributes()) {
        if (attribute.getName().equals(name)) {
          return attribute.getValue();
        }
      }
    }
    return AttributeTable.defaultOf(ObjectKind.SERVER, name);
  }

  void put(Letter letter) {
    if (kept.get() >= LETTERS_MAX) {
      if (refused++ % SAID_EVERY == 0) {
        LOG.warn(
            "mail dropped: {} letters wait already; {} dropped for that since the start",
            LETTERS_MAX,
            refused);
      }
      return;
    }
    kept.incrementAndGet();
    book.letter(++last, letter.bytes());
  }

  /** Letters that found no room. */
  long refused() {
    return refused;
  }

  @Override
  public Optional<Kept> first() {
    Optional<Map.Entry<Long, byte[]>> first = book.letterAfter(removed.get());
    return first.map(it -> new Kept(it.getKey(), it.getValue()));
  }

  @Override
  public void remove(long number) {
    book.removeLetter(number);
    removed.set(number);
    kept.decrementAndGet();
  }

  @Override
  public Sender sender() {
    return sender;
  }
}
