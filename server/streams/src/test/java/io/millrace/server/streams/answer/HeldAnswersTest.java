package io.millrace.server.streams.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An answer is told when its transaction is committed, and never otherwise. */
final class HeldAnswersTest {
  private final List<String> told = new ArrayList<>();
  private boolean connected = true;

  private final HeldAnswers answers =
      new HeldAnswers(
          new GatewayLines() {
            @Override
            public boolean takes(int partition) {
              return connected;
            }

            @Override
            public void tell(int partition, byte[] frames) {
              StringBuilder text = new StringBuilder(partition + ":");
              for (byte each : frames) {
                text.append(each).append(',');
              }
              told.add(text.toString());
            }
          });

  private boolean hold(int shard, int partition, int... answer) {
    byte[] bytes = new byte[answer.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) answer[i];
    }
    return answers.hold(shard, partition, bytes);
  }

  @Test
  void nothingIsToldBeforeTheCommitAndAllOfItOnceThen() {
    assertTrue(hold(0, 3, 7, 8));
    assertTrue(hold(1, 4, 5));
    assertTrue(hold(1, 3, 9));
    assertEquals(List.of(), told);
    answers.committed();
    assertEquals(List.of("3:0,0,0,2,7,8,0,0,0,1,9,", "4:0,0,0,1,5,"), told);
    answers.committed();
    assertEquals(2, told.size());
  }

  @Test
  void whatWasNotCommittedIsNeverTold() {
    hold(0, 3, 1);
    answers.forget();
    answers.committed();
    hold(0, 3, 1);
    hold(1, 3, 2);
    answers.forget(0);
    answers.committed();
    assertEquals(List.of("3:0,0,0,1,2,"), told);
  }

  @Test
  void anotherThreadsTransactionTellsNothing() throws Exception {
    hold(0, 3, 1);
    CompletableFuture.runAsync(answers::committed).get();
    assertEquals(List.of(), told);
    answers.committed();
    assertEquals(1, told.size());
  }

  @Test
  void whoIsNotConnectedOrSentMuchIsAnsweredByTheTopic() {
    connected = false;
    assertFalse(hold(0, 3, 1));
    connected = true;
    assertTrue(answers.hold(0, 3, new byte[HeldAnswers.BYTES_MAX]));
    assertFalse(hold(0, 3, 1));
    answers.committed();
    assertTrue(hold(0, 3, 1));
  }
}
