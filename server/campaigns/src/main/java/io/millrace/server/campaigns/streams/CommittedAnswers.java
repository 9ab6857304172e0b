package io.millrace.server.campaigns.streams;

import io.millrace.schemas.output.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Answers wait for the commit of the transaction in which their commands were decided: what a crash
 * before it undoes is decided anew, perhaps otherwise, and nobody was told the former answer.
 *
 * <p>A thread of Kafka Streams commits all of its tasks at once, so what waits is kept by thread,
 * and goes with a thread that fails.
 */
final class CommittedAnswers {
  private final ThreadLocal<List<Reply>> waiting = ThreadLocal.withInitial(ArrayList::new);
  private final Consumer<Reply> to;

  /**
   * @param to told each answer once, by the thread that has committed it
   */
  CommittedAnswers(Consumer<Reply> to) {
    this.to = to;
  }

  void decided(Reply answer) {
    waiting.get().add(answer);
  }

  /** This thread has committed all that it has processed. */
  void committed() {
    List<Reply> now = waiting.get();
    now.forEach(to);
    now.clear();
  }

  /** What this thread has processed and not committed will be read again. */
  void undone() {
    waiting.get().clear();
  }
}
