package io.millrace.ops.cycles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.ops.word.Console;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.output.CycleDone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/** What {@code ./millrace cycles} shows. */
class CycleReaderTest {
  private static final String SILENT = "cycles: the broker does not answer; waiting for it\n";
  private static final TopicPartition PLACE = new TopicPartition(Topics.CYCLES, 0);

  private final WireCodec codec = WireCodec.local();
  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private long offset;

  private void put(byte[] value) {
    consumer.addRecord(new ConsumerRecord<>(Topics.CYCLES, 0, offset++, null, value));
    consumer.updateEndOffsets(Map.of(PLACE, offset));
  }

  private static CycleDone cycle(String scheduler, long number) {
    return CycleDone.newBuilder()
        .setScheduler(scheduler)
        .setEpoch(3)
        .setCycle(number)
        .setAtMs(1_700_000_000_123L)
        .setTrigger("job,end")
        .setJobs(12)
        .setClasses(2)
        .setStarted(1)
        .setPreempted(0)
        .setPromised(4)
        .setWorkUnits(99)
        .setLimitHit(true)
        .setWallUs(1_500)
        .setCpuUs(900)
        .build();
  }

  private CycleReader reader(String scheduler) {
    CycleReader reader = new CycleReader(consumer, codec, scheduler);
    consumer.updateBeginningOffsets(Map.of(PLACE, 0L));
    for (int i = 1; i <= 5; i++) {
      put(codec.encode(cycle("s" + i % 2, i)));
    }
    put(new byte[] {1, 2, 3});
    return reader;
  }

  private static List<Long> numbers(List<CycleDone> cycles) {
    return cycles.stream().map(CycleDone::getCycle).toList();
  }

  @Test
  void theLastOnesOfOneSchedulerOrOfAll() {
    assertEquals(List.of(3L, 5L), numbers(reader("s1").last(2)));
  }

  @Test
  void aNameWithoutCyclesIsToldAndNoEmptyTable() {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    CycleReader reader = reader("nosuch");
    IOException none =
        assertThrows(
            IOException.class,
            () -> CyclesWord.show(reader, "nosuch", 20, false, new Console(print(rows), false)));
    assertEquals("no cycle of a scheduler nosuch is kept", none.getMessage());
    assertEquals("", rows.toString());
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to);
  }

  @Test
  void furtherOnesFollow() {
    CycleReader reader = reader("");
    assertEquals(List.of(5L), numbers(reader.last(2)), "what is no cycle is passed over");
    put(codec.encode(cycle("s0", 6)));
    assertEquals(List.of(6L), numbers(reader.next()));
  }

  @Test
  void aBrokerThatDoesNotAnswerIsToldOnceAndWaitedFor() {
    CycleReader reader = reader("");
    reader.last(1);
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    ByteArrayOutputStream problems = new ByteArrayOutputStream();
    AtomicLong nanos = new AtomicLong();
    Following following =
        new Following(
            reader,
            new CycleTable(ZoneOffset.UTC),
            new Console(print(rows), false),
            print(problems),
            nanos::get);
    for (int i = 0; i < 3; i++) {
      consumer.setOffsetsException(new TimeoutException());
      following.look();
      assertEquals(i == 0 ? "" : SILENT, problems.toString(), "look " + i);
      nanos.addAndGet(Following.QUIET.toNanos());
    }
    assertEquals("", rows.toString());
    put(codec.encode(cycle("s0", 6)));
    following.look();
    assertEquals(SILENT + "cycles: the broker answers again\n", problems.toString());
    assertEquals(new CycleTable(ZoneOffset.UTC).row(cycle("s0", 6)) + "\n", rows.toString());
  }

  @Test
  void aCycleIsALineUnderItsHead() {
    CycleTable table = new CycleTable(ZoneOffset.UTC);
    assertEquals(
        "time                    scheduler          cycle trigger                   jobs classes"
            + " started stopped promise     units   wall ms    cpu ms",
        CycleTable.head());
    assertEquals(
        "2023-11-14 22:13:20.123 s1                     7 job,end                     12       2"
            + "       1       0       4       99+     1.500     0.900",
        table.row(cycle("s1", 7)));
  }
}
