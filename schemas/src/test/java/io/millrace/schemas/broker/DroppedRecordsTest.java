package io.millrace.schemas.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class DroppedRecordsTest {
  private final DroppedRecords dropped = new DroppedRecords();
  private final TopicPartition two = new TopicPartition("messages", 2);
  private final TopicPartition five = new TopicPartition("messages", 5);

  @Test
  void aTaskThatIsClosedWhileItsPartitionStaysIsToldOnce() {
    dropped.closed(it -> it.partition() == 2);
    assertEquals(
        Optional.of(
            "what was polled of messages-2 was dropped as a transaction did not come through: all"
                + " is read again from what was committed"),
        dropped.behind(Set.of(two, five)));
    assertEquals(Optional.empty(), dropped.behind(Set.of(two, five)));
  }

  @Test
  void onesThatAreGivenAwayOrGivenAnewAreReadFromWhatWasCommitted() {
    dropped.closed(it -> it.partition() == 2);
    dropped.moved(List.of(two));
    assertEquals(Optional.empty(), dropped.behind(Set.of(two, five)));
    dropped.closed(it -> it.partition() == 2);
    assertEquals(Optional.empty(), dropped.behind(Set.of(five)));
  }

  @Test
  void oneThatIsClosedAfterItCameCounts() {
    dropped.moved(List.of(two));
    dropped.closed(it -> it.partition() == 2);
    assertTrue(dropped.behind(Set.of(two)).isPresent());
    dropped.closed(it -> it.partition() == 2);
    dropped.moved(List.of(two));
    dropped.closed(it -> it.partition() == 2);
    assertTrue(dropped.behind(Set.of(two)).isPresent());
  }

  @Test
  void whatAnotherThreadHasClosedIsItsOwn() throws InterruptedException {
    Thread other = new Thread(() -> dropped.closed(it -> true));
    other.start();
    other.join();
    assertEquals(Optional.empty(), dropped.behind(Set.of(two)));
  }
}
