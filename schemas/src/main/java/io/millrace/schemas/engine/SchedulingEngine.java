package io.millrace.schemas.engine;

import io.millrace.schemas.common.CommandId;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * A scheduler object at work beside a shard. All methods are called by the shard's thread; the
 * engine itself works on a thread of its own.
 */
public interface SchedulingEngine extends AutoCloseable {

  String scheduler();

  long epoch();

  /**
   * Passes on the facts of one decision, in order. Never blocks.
   *
   * @return false when the bounded mailbox is full; the engine is then stale and the shard replaces
   *     it by one with a new epoch and a fresh snapshot.
   */
  boolean hear(List<? extends SpecificRecord> facts);

  /** Takes at most {@code max} proposals that are ready, oldest first. Never blocks. */
  List<SpecificRecord> proposals(int max);

  /**
   * Waits until the engine has processed all facts and has no more proposals to make.
   *
   * @param budgetNanos longest time to wait
   * @return true when it is settled or proposals are ready, false when the time ran out
   */
  boolean awaitSettled(long budgetNanos) throws InterruptedException;

  /** Passes on the answer to a proposal: code 0 for accepted, else the code of the rejection. */
  void answered(CommandId proposal, int code);

  /** False once the engine's thread has ended, for whatever reason. */
  boolean alive();

  /** Whether a cycle goes on just now. For all threads. */
  default boolean inCycle() {
    return false;
  }

  /**
   * Whether it is to be replaced by one that begins anew, since its policy needs what it has not
   * kept. For all threads.
   */
  default boolean outdated() {
    return false;
  }

  /** Whether it has been closed, or its thread has ended. For all threads. */
  default boolean ended() {
    return false;
  }

  /** Ends the thread; proposals not yet taken are dropped. Returns at once. */
  @Override
  void close();
}
