package io.millrace.server.accounting.letter;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.mail.MailMessage;
import io.millrace.server.mail.Outbox;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Letters in the book until they are sent, so many bytes at most. One thread puts them in, with the
 * commits of the book; another one takes them out.
 */
public final class MailQueue implements Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(MailQueue.class);
  static final long BYTES_MAX = 16 << 20;
  private static final int SAID_EVERY = 1000;
  private static final String MAIL = "mail";

  private final AccountBook book;
  private final long sinceMs;

  /** How many bytes there are, those too that the next commit brings. */
  private final AtomicLong kept = new AtomicLong();

  private final AtomicLong removed = new AtomicLong();
  private volatile Sender sender;
  private long last;
  private long refused;

  public MailQueue(AccountBook book, long nowMs) {
    this.book = book;
    this.sinceMs = book.since(MAIL, nowMs);
    this.last = book.lastLetter();
    long first = 0;
    for (var at = book.letterAfter(0); at.isPresent(); at = book.letterAfter(first)) {
      first = at.get().getKey();
      kept.addAndGet(at.get().getValue().length);
    }
    this.sender = sender(null);
    book.settings().forEach(this::heed);
  }

  /** What happened before gives no letters: it may be years ago. */
  public long sinceMs() {
    return sinceMs;
  }

  /** The server's attributes say who sends. */
  public void heed(ClusterObject object) {
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

  void put(MailMessage letter) {
    byte[] bytes = letter.bytes();
    if (kept.addAndGet(bytes.length) > BYTES_MAX) {
      kept.addAndGet(-bytes.length);
      if (refused++ % SAID_EVERY == 0) {
        LOG.warn(
            "mail dropped: {} bytes of letters wait already; {} dropped for that since the start",
            kept.get(),
            refused);
      }
      return;
    }
    book.letter(++last, bytes);
  }

  /** Letters that found no room. */
  long refused() {
    return refused;
  }

  @Override
  public Optional<KeptLetter> after(long number) {
    Optional<Map.Entry<Long, byte[]>> next = book.letterAfter(Math.max(number, removed.get()));
    return next.map(it -> new KeptLetter(it.getKey(), it.getValue()));
  }

  @Override
  public void remove(long number) {
    KeptLetter first = after(0).orElseThrow();
    KeptLetter gone = first.number() == number ? first : after(number - 1).orElseThrow();
    book.removeLetter(number);
    if (first.number() == number) {
      removed.set(number); // so that a look does not pass all that was removed
    }
    kept.addAndGet(-gone.letter().length);
  }

  @Override
  public Sender sender() {
    return sender;
  }
}
