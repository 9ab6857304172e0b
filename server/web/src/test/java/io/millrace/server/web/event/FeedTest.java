package io.millrace.server.web.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.http.AnswerSink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FeedTest {

  private static final EventFilter ALL =
      new EventFilter(Set.of("job", "node", "queue"), owner -> true);
  private static final Feed.FeedLimits LIMITS = new Feed.FeedLimits(10, 2, Duration.ofMinutes(1));

  /** Records of the only partition of the table of jobs, as the topic has them. */
  private final List<String> topic = new CopyOnWriteArrayList<>();

  private final List<MockConsumer<byte[], byte[]>> consumers = new CopyOnWriteArrayList<>();
  private volatile boolean broken;
  private final Feed feed = new Feed(this::reader, LIMITS);

  /** Takes so many bytes and no more. */
  private static final class Taking implements AnswerSink {
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final int most;
    private volatile boolean ended;

    Taking(int most) {
      this.most = most;
    }

    @Override
    public boolean offer(byte[] bytes) {
      if (!writable()) {
        return false;
      }
      taken.add(new String(bytes, StandardCharsets.UTF_8));
      return true;
    }

    @Override
    public boolean writable() {
      return taken.size() < most;
    }

    @Override
    public boolean open() {
      return !ended;
    }

    @Override
    public void end(byte[] last) {
      taken.add(new String(last, StandardCharsets.UTF_8));
      ended = true;
    }

    List<String> data() {
      return taken.stream()
          .filter(event -> event.contains("event: job"))
          .map(event -> event.replaceAll("(?s).*data: (.*)\n\n", "$1"))
          .toList();
    }

    String last() {
      return taken.isEmpty() ? "" : taken.get(taken.size() - 1);
    }

    String id() {
      return last().replaceAll("(?s)id: ([^\n]*).*", "$1");
    }
  }

  @AfterEach
  void close() {
    feed.close();
  }

  /** Under the lock of {@link #add}: no record comes between what it copies and its entry. */
  private synchronized ChangeReader reader() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    Map<TopicPartition, Long> begin = new HashMap<>();
    Map<TopicPartition, Long> end = new HashMap<>();
    for (ChangeText.ChangedObjectKind kind : ChangeText.ChangedObjectKind.values()) {
      Node[] none = {};
      consumer.updatePartitions(
          kind.topic(), List.of(new PartitionInfo(kind.topic(), 0, Node.noNode(), none, none)));
      TopicPartition partition = new TopicPartition(kind.topic(), 0);
      begin.put(partition, 0L);
      end.put(partition, kind == ChangeText.ChangedObjectKind.JOB ? (long) topic.size() : 0L);
    }
    consumer.updateBeginningOffsets(begin);
    consumer.updateEndOffsets(end);
    ChangeReader reader =
        new ChangeReader(
            consumer,
            (kind, key, value) -> {
              if (broken) {
                throw new IllegalStateException("nobody knows this schema");
              }
              String text = new String(value, StandardCharsets.UTF_8);
              return Optional.of(
                  ChangeText.ToldChange.ofOne(text, Optional.of(text.split(" ")[0])));
            });
    for (int i = 0; i < topic.size(); i++) {
      consumer.addRecord(job(i));
    }
    consumers.add(consumer);
    return reader;
  }

  private ConsumerRecord<byte[], byte[]> job(int offset) {
    return new ConsumerRecord<>(
        ChangeText.ChangedObjectKind.JOB.topic(),
        0,
        offset,
        new byte[0],
        topic.get(offset).getBytes(StandardCharsets.UTF_8));
  }

  private synchronized void add(String text) {
    topic.add(text);
    for (MockConsumer<byte[], byte[]> consumer : consumers) {
      // The consumer's own lock: the feed's thread may close it between the look and the use.
      synchronized (consumer) {
        if (!consumer.closed()) {
          consumer.addRecord(job(topic.size() - 1));
        }
      }
    }
  }

  private Taking listen(int most, String from) throws Exception {
    Taking sink = new Taking(most);
    assertTrue(feed.enter("mary"));
    assertEquals(Optional.of(ChangeText.ChangedObjectKind.values().length), feed.ready());
    feed.listen(sink, ALL, from);
    return sink;
  }

  private static void await(java.util.function.BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(5))
        .until(condition::getAsBoolean);
  }

  @Test
  void anIdOfOtherTablesIsNotWaitedFor() throws Exception {
    topic.add("old");
    topic.add("older");
    String id = listen(100, "").id();
    topic.clear();
    feed.leave("mary");
    await(() -> consumers.stream().allMatch(MockConsumer::closed));
    Taking again = listen(100, id);
    assertTrue(again.last().contains("of other tables"), again.last());
    assertFalse(again.id().equals(id));
  }

  @Test
  void afterAFailureOfAnyKindTheNextListenerIsServed() throws Exception {
    broken = true;
    topic.add("one");
    Taking first = new Taking(100);
    assertTrue(feed.enter("mary"));
    assertEquals(Optional.of(ChangeText.ChangedObjectKind.values().length), feed.ready());
    feed.listen(first, ALL, "");
    add("two");
    await(() -> first.last().contains("cannot be read now"));
    broken = false;
    Taking next = listen(100, "");
    add("three");
    await(() -> next.data().contains("three"));
  }

  @Test
  void whoListensHearsWhatComes() throws Exception {
    topic.add("old");
    Taking sink = listen(100, "");
    add("a");
    add("b");
    await(() -> sink.data().size() == 2);
    assertEquals(List.of("a", "b"), sink.data());
  }

  @Test
  void whoComesBackHearsWhatHeMissedAndNothingTwice() throws Exception {
    Taking first = listen(100, "");
    add("a");
    await(() -> first.data().size() == 1);
    String id = first.id();
    add("b");
    add("c");
    await(() -> first.data().size() == 3);
    Taking again = listen(100, id);
    await(() -> again.data().size() == 2);
    add("d");
    await(() -> again.data().size() == 3);
    assertEquals(List.of("b", "c", "d"), again.data());
  }

  @Test
  void whoDoesNotKeepUpIsToldSoAndCutOff() throws Exception {
    Taking slow = listen(3, "");
    Taking quick = listen(100, "");
    for (int i = 0; i < 10; i++) {
      add("x" + i);
    }
    await(() -> quick.data().size() == 10);
    assertTrue(slow.ended);
    assertTrue(slow.last().contains("event: end\ndata: {\"reason\":\"you do not keep up"));
    assertEquals(List.of("x0", "x1"), slow.data());
    feed.leave("mary");
    Taking back = listen(100, slow.id());
    await(() -> back.data().size() == 8);
    assertEquals("x2", back.data().get(0));
  }

  @Test
  void listenersAreCounted() throws Exception {
    listen(100, "");
    listen(100, "");
    assertFalse(feed.enter("mary"));
    assertTrue(feed.enter("john"));
    feed.leave("mary");
    assertTrue(feed.enter("mary"));
  }

  @Test
  void jobsOfOthersAreTalkedOfOnlyToThoseWhoMayHear() throws Exception {
    Taking own = new Taking(100);
    assertTrue(feed.enter("mary"));
    feed.ready();
    feed.listen(own, new EventFilter(ALL.kinds(), owner -> owner.equals(Optional.of("mary"))), "");
    add("john 1");
    add("mary 2");
    await(() -> own.data().size() == 1);
    assertEquals(List.of("mary 2"), own.data());
  }

  @Test
  void aHostIsLookedUpOnceAndNobodyWaitsForItWhileChangesAreTold() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean open = new AtomicBoolean();
    EventFilter interest =
        EventFilter.of(
            ALL.kinds(),
            "mary",
            () -> {
              if (looks.incrementAndGet() > 1) {
                hang(never);
              }
              return "far";
            },
            (user, host) -> open.get() && user.equals("mary") && host.equals("far"));
    Taking sink = new Taking(100);
    assertTrue(feed.enter("mary"));
    feed.ready();
    feed.listen(sink, interest, "");
    Taking all = listen(100, "");
    add("john 1");
    await(() -> all.data().size() == 1);
    open.set(true);
    add("john 2");
    await(() -> sink.data().size() == 1);
    assertEquals(List.of("john 2"), sink.data(), "whether he may is asked anew");
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> feed.leave("mary"));
    assertEquals(1, looks.get());
  }

  private static void hang(CountDownLatch never) {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void whatIsForEverybodyIsToldToAllWhoWantTheKind() {
    EventFilter his = new EventFilter(Set.of("campaign"), Optional.of("mary")::equals);
    ChangeText.ToldChange open = ChangeText.ToldChange.ofAll("{}");
    assertTrue(his.in(new Change(0, 1, "campaign", open)));
    assertFalse(his.in(new Change(0, 1, "node", open)));
    for (String owner : List.of("mary", "john")) {
      ChangeText.ToldChange told = ChangeText.ToldChange.ofOne("{}", Optional.of(owner));
      assertEquals(owner.equals("mary"), his.in(new Change(0, 1, "campaign", told)));
    }
  }

  /** Of campaigns there may be much: who does not ask for them does not wait for it. */
  @Test
  void whoComesBackDoesNotReadWhatHeDidNotAskFor() throws Exception {
    topic.add("a");
    topic.add("b");
    try (ChangeReader reader = reader()) {
      reader.seek(new Positions(reader.partitions()));
      reader.passUnless(kind -> kind != ChangeText.ChangedObjectKind.JOB);
      assertEquals(List.of(), reader.poll(Duration.ofMillis(1)));
      assertEquals(2, reader.positions().next(0));
      reader.seek(new Positions(reader.partitions()));
      reader.passUnless(kind -> kind == ChangeText.ChangedObjectKind.JOB);
      assertEquals(2, reader.poll(Duration.ofMillis(1)).size());
    }
  }

  @Test
  void kindsAreChosen() throws Exception {
    Taking sink = new Taking(100);
    assertTrue(feed.enter("mary"));
    feed.ready();
    feed.listen(sink, new EventFilter(Set.of("node"), owner -> true), "");
    Taking all = listen(100, "");
    add("a");
    await(() -> all.data().size() == 1);
    assertEquals(List.of(), sink.data());
    List<String> events = new ArrayList<>(sink.taken);
    assertEquals(1, events.size());
    assertTrue(events.get(0).contains("event: ready"));
  }
}
