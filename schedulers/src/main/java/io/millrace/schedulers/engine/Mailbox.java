package io.millrace.schedulers.engine;

import io.millrace.schemas.common.CommandId;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.avro.specific.SpecificRecord;

/** What the shard told and the engine has not yet followed; bounded by the number of facts. */
final class Mailbox {

  /** One thing that was told. */
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

  /** False, and nothing added, when the facts would not fit. */
  boolean put(List<? extends SpecificRecord> newFacts) {
    if (facts.get() + newFacts.size() > factsMax) {
      return false;
    }
    facts.addAndGet(newFacts.size());
    messages.add(new Facts(newFacts));
    told.incrementAndGet();
    return true;
  }

  /** An answer always fits: there is one for each proposal in flight, and those are bounded. */
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
