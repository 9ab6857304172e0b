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
  sealed interface Message {}

  record Facts(List<? extends SpecificRecord> facts) implements Message {}

  record Answer(CommandId proposal, int code) implements Message {}

  private final int factsMax;
  private final ConcurrentLinkedQueue<Message> messages = new ConcurrentLinkedQueue<>();
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
    messages.add(new Facts(newFacts));
    told.incrementAndGet();
    return true;
  }

  /**
   * Adds an answer. It always fits, since there is at most one for each proposal in flight and
   * those are bounded.
   */
  void put(Answer answer) {
    messages.add(answer);
    told.incrementAndGet();
  }

  /** Oldest message, or null. */
  Message poll() {
    Message message = messages.poll();
    if (message instanceof Facts some) {
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
