package io.millrace.schedulers.engine;

import io.millrace.schemas.common.CommandId;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;

/** Facts and answers that the engine has yet to process; bounded by the number of facts. */
final class Mailbox {

  /** One entry of the mailbox. */
  sealed interface MailboxMessage {}

  record FactsMessage(List<? extends SpecificRecord> facts) implements MailboxMessage {}

  record AnswerMessage(CommandId proposal, int code) implements MailboxMessage {}

  private final int factsMax;
  private final ConcurrentLinkedQueue<MailboxMessage> messages = new ConcurrentLinkedQueue<>();
  private final AtomicInteger facts = new AtomicInteger();
  private final AtomicLong told = new AtomicLong();

  Mailbox(int factsMax) {
    this.factsMax = factsMax;
  }

  /** Adds facts; false, with nothing added, when they do not fit. */
  boolean put(List<? extends SpecificRecord> newFacts) {
    if (facts.get() + newFacts.size() > factsMax) {
      return false;
    }
    facts.addAndGet(newFacts.size());
    messages.add(new FactsMessage(newFacts));
    told.incrementAndGet();
    return true;
  }

  /**
   * Adds an answer. It always fits, since there is at most one for each proposal in flight and
   * those are bounded.
   */
  void put(AnswerMessage answer) {
    messages.add(answer);
    told.incrementAndGet();
  }

  /** Oldest message, or null. */
  MailboxMessage poll() {
    MailboxMessage message = messages.poll();
    if (message instanceof FactsMessage some) {
      facts.addAndGet(-some.facts.size());
    }
    return message;
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  /** Number of messages ever put. */
  long told() {
    return told.get();
  }
}
