package io.millrace.server.streams.answer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers that are told over a connection once the transaction is committed that makes them true.
 * Each thread has those of its own shards and its own transaction; an answer that is forgotten here
 * is found again when the gateway repeats its command, as the shard remembers it.
 */
public final class HeldAnswers {
  /** Longer answers, and what a transaction has beyond so many bytes, go by their topic. */
  static final int BYTES_MAX = 64 << 10;

  private final GatewayLines lines;
  private final ThreadLocal<List<HeldAnswer>> held = ThreadLocal.withInitial(ArrayList::new);

  private record HeldAnswer(int shard, int partition, byte[] answer) {}

  public HeldAnswers(GatewayLines lines) {
    this.lines = lines;
  }

  /**
   * Keeps an answer of a shard of the caller's thread until the commit.
   *
   * @param partition that of the gateway that waits for it
   * @return false when it is to go by its topic: the gateway is not connected or behind
   */
  public boolean hold(int shard, int partition, byte[] answer) {
    if (!lines.takes(partition)) {
      return false;
    }
    List<HeldAnswer> mine = held.get();
    int bytes = answer.length;
    for (HeldAnswer other : mine) {
      bytes += other.answer().length;
    }
    return bytes <= BYTES_MAX && mine.add(new HeldAnswer(shard, partition, answer));
  }

  /** The transaction of the caller's thread is committed. */
  public void committed() {
    List<HeldAnswer> mine = held.get();
    if (mine.isEmpty()) {
      return;
    }
    Map<Integer, ByteArrayOutputStream> told = new LinkedHashMap<>();
    for (HeldAnswer each : mine) {
      ByteArrayOutputStream frames =
          told.computeIfAbsent(each.partition(), partition -> new ByteArrayOutputStream());
      frames.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(each.answer().length).array());
      frames.writeBytes(each.answer());
    }
    mine.clear();
    told.forEach((partition, frames) -> lines.tell(partition, frames.toByteArray()));
  }

  /** The transaction of the caller's thread has not been committed, or nobody knows. */
  public void forget() {
    held.get().clear();
  }

  /** A shard of the caller's thread ends or begins: what it has not committed is decided again. */
  public void forget(int shard) {
    held.get().removeIf(each -> each.shard() == shard);
  }
}
