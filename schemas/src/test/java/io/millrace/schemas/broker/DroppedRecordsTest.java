package io.millrace.schemas.broker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.broker.DroppedRecords.DroppedRecordsException;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class DroppedRecordsTest {
  private final DroppedRecords dropped = new DroppedRecords();
  private final TopicPartition two = new TopicPartition("messages", 2);
  private final TopicPartition five = new TopicPartition("messages", 5);

  @Test
  void aTaskThatIsClosedWhileItsPartitionStaysEndsTheThreadOnce() {
    dropped.closed(it -> it.partition() == 2);
    DroppedRecordsException failure =
        assertThrows(DroppedRecordsException.class, () -> dropped.check(Set.of(two, five)));
    assertEquals(
        "a commit did not come through, and what was polled of messages-2 was dropped: it is read"
            + " again from what was committed",
        failure.getMessage());
    assertDoesNotThrow(() -> dropped.check(Set.of(two, five)));
  }

  @Test
  void onesThatAreGivenAwayOrGivenAnewAreReadFromWhatWasCommitted() {
    dropped.closed(it -> it.partition() == 2);
    dropped.moved(List.of(two));
    assertDoesNotThrow(() -> dropped.check(Set.of(two, five)));
    dropped.closed(it -> it.partition() == 2);
    assertDoesNotThrow(() -> dropped.check(Set.of(five)));
  }

  @Test
  void oneThatIsClosedAfterItCameCounts() {
    dropped.moved(List.of(two));
    dropped.closed(it -> it.partition() == 2);
    assertThrows(DroppedRecordsException.class, () -> dropped.check(Set.of(two)));
    dropped.closed(it -> it.partition() == 2);
    dropped.moved(List.of(two));
    dropped.closed(it -> it.partition() == 2);
    assertThrows(DroppedRecordsException.class, () -> dropped.check(Set.of(two)));
  }

  @Test
  void whatAnotherThreadHasClosedIsItsOwn() throws InterruptedException {
    Thread other = new Thread(() -> dropped.closed(it -> true));
    other.start();
    other.join();
    assertDoesNotThrow(() -> dropped.check(Set.of(two)));
  }
}
