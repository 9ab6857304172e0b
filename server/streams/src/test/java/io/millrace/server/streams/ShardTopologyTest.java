package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.AnswerRoundEnded;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.shard.Rebuilding;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Tables;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** One shard that is the only one, over real stores, with a clock moved by hand. */
final class ShardTopologyTest extends ShardTopologyFixture {
  /** From then on the shard looks at its timers. */
  private void begin() {
    driver.advanceWallClockTime(Duration.ofMillis(30));
  }

  /** What is due by then happens. */
  private void tick(Duration since) {
    byte[] tick = codec.encode(new Tick(meta(Role.SHARD, -1)));
    inboxes
        .get(CommandFamily.SHARD)
        .pipeInput(new TestRecord<>(new byte[0], tick, START.plus(since)));
  }

  @Test
  void saysWhoOwnsTheShard() {
    begin();
    ShardOwner owner = (ShardOwner) records(Topics.CLUSTER).get(0);
    assertEquals("127.0.0.1:1", owner.getQueryAddress());
    assertTrue(owned.holds(0));
  }

  @Test
  void queuesAJobAndAnswersOnThePartitionThatWaits() {
    initialise();
    SubmitJobs command = submit("one");
    tell(command);
    List<TestRecord<byte[], byte[]>> replies = read(Topics.REPLIES);
    Reply reply = (Reply) decode(replies.get(0).value());
    assertEquals(0, reply.getCode());
    assertEquals(List.of("0.host"), reply.getLines());
    assertEquals(command.getMeta().getId(), reply.getId());
    long queued = records(Topics.LEDGER).stream().filter(fact -> fact instanceof JobQueued).count();
    assertEquals(1, queued);
  }

  @Test
  void repeatsTheAnswerOfARepeatedCommand() {
    initialise();
    SubmitJobs command = submit("one");
    tell(command);
    tell(command);
    List<SpecificRecord> replies = records(Topics.REPLIES);
    assertEquals(2, replies.size());
    assertEquals(replies.get(0), replies.get(1));
    assertEquals(
        1, records(Topics.LEDGER).stream().filter(fact -> fact instanceof JobQueued).count());
  }

  @Test
  void putsGarbageAsideAndGoesOn() {
    initialise();
    inbox.pipeInput(new byte[] {1}, new byte[] {42, 42});
    inbox.pipeInput(new byte[] {1}, (byte[]) null);
    inbox.pipeInput(
        new byte[] {1}, codec.encode(new Reply(meta(Role.USER, 1).getId(), 0, List.of(), false)));
    List<TestRecord<byte[], byte[]>> dead = read(Topics.DEAD_LETTERS);
    assertEquals(3, dead.size());
    assertEquals(
        "no value where a magic byte and a schema id of 4 bytes are due",
        new String(dead.get(1).headers().lastHeader("why").value()));
    assertEquals("commands", new String(dead.get(0).headers().lastHeader("topic").value()));
    tell(submit("after"));
    assertEquals(0, ((Reply) records(Topics.REPLIES).get(0)).getCode());
  }

  /** A letter is longer than what it is about, and what follows from a command is, too. */
  @Test
  void putsAsideWhatIsSoLongThatNoTopicWouldTakeWhatFollows() {
    initialise();
    byte[] all = new byte[Topics.MESSAGE_BYTES_MAX - 100];
    inbox.pipeInput(all, (byte[]) null);
    inbox.pipeInput(new byte[0], all);
    SubmitJobs large = submit("large");
    large.getJobs().get(0).getSpec().setAccount("x".repeat(Topics.COMMAND_BYTES_MAX));
    tell(large);
    List<TestRecord<byte[], byte[]>> dead = read(Topics.DEAD_LETTERS);
    assertEquals(3, dead.size());
    for (TestRecord<byte[], byte[]> letter : dead) {
      int length = letter.key().length + (letter.value() == null ? 0 : letter.value().length);
      assertTrue(length < Topics.MESSAGE_BYTES_MAX - 4096, "of " + length + " bytes");
    }
    String why = new String(dead.get(2).headers().lastHeader("why").value());
    assertTrue(why.endsWith(" bytes where a command has at most 1835008"), why);
    assertEquals(
        List.of(), records(Topics.LEDGER).stream().filter(JobQueued.class::isInstance).toList());
  }

  @Test
  void tellsTheCampaignServerWhatBecameOfACommandThatIsNone() {
    initialise();
    TestInputTopic<byte[], byte[]> jobs = inboxes.get(CommandFamily.CAMPAIGN);
    byte[] id = ByteBuffer.allocate(16).putLong(1, 7).array();
    jobs.pipeInput(id, new byte[] {1, 2, 3});
    jobs.pipeInput(new byte[3], new byte[] {1, 2, 3});
    jobs.pipeInput(id, new byte[Topics.COMMAND_BYTES_MAX + 1]);
    inbox.pipeInput(id, new byte[] {1, 2, 3});
    assertEquals(4, read(Topics.DEAD_LETTERS).size());
    List<SpecificRecord> answers = records(Topics.CAMPAIGN_ANSWERS);
    assertEquals(2, answers.size(), "not where the key names no command, nor to gateways");
    Reply reply = (Reply) answers.get(1);
    assertEquals(new CommandId(id), reply.getId());
    assertEquals(PbsError.PROTOCOL.code(), reply.getCode());
    assertTrue(reply.getLines().get(0).contains("a command has at most"), reply.toString());
    assertEquals(List.of(), records(Topics.REPLIES));
  }

  @Test
  void writesATickWhenATimerIsDueInAnIdleShard() {
    initialise();
    begin();
    tell(submit("one"));
    owned.look(START.plus(Duration.ofMinutes(17)).toEpochMilli());
    assertEquals(1, ticks);
  }

  /** Nobody waits until an answer is forgotten. */
  @Test
  void anIdleShardForgetsAnswersLaterThanABusyOne() {
    initialise();
    begin();
    tick(Duration.ofSeconds(30));
    tell(submit("one"));
    for (int i = 1; i < 10; i++) {
      owned.look(START.plus(Duration.ofMinutes(i)).toEpochMilli());
    }
    assertEquals(0, ticks);
    tick(Duration.ofMinutes(2));
    assertTrue(
        records(Topics.LEDGER).stream().anyMatch(AnswerRoundEnded.class::isInstance),
        "a busy one ends the round in time");
  }

  @Test
  void anIdleShardWritesNothing() {
    initialise();
    begin();
    tick(Duration.ofSeconds(30));
    for (String topic : List.of(Topics.MESSAGES, Topics.LEDGER, Topics.CLUSTER)) {
      read(topic);
    }
    driver.advanceWallClockTime(Duration.ofMinutes(5));
    owned.look(START.plus(Duration.ofMinutes(5)).toEpochMilli());
    assertEquals(0, ticks);
    for (String topic : List.of(Topics.MESSAGES, Topics.LEDGER, Topics.CLUSTER)) {
      assertEquals(List.of(), read(topic), topic);
    }
  }

  @Test
  void writesWhatChangedAlsoWhenTheCommitComesInTheMiddleOfABatch() {
    initialise();
    polled.polled(new TopicPartition(Topics.REPORTS, 0), Long.MAX_VALUE);
    tell(submit("one"));
    byte[] job = driver.<String, byte[]>getKeyValueStore("jobs").get("000000000000000");
    assertEquals("one", ((Job) decode(job)).getSpec().getName());
    byte[] numbers = driver.<String, byte[]>getKeyValueStore("shard").get("numbers/numbers");
    assertEquals(1, ((ShardState) decode(numbers)).getNextNumber());
    assertEquals(1, read("millrace-jobs-changelog").size());
  }

  @Test
  void whatItLeavesUntakenWhenItGoesIsNotWaitedForWhenItIsBack() {
    begin();
    polled.polled(new TopicPartition(Topics.COMMANDS, 0), 1_000_000);
    TopicPartition reports = new TopicPartition(Topics.REPORTS, 0);
    assertFalse(polled.takesLast(reports, 0));
    driver.close();
    assertTrue(polled.takesLast(reports, 0));
    start();
  }

  @Test
  void keysFactsByTheObjectTheyAreAbout() {
    initialise();
    tell(submit("one"));
    List<String> keys =
        read(Topics.LEDGER).stream()
            .map(fact -> new String(fact.key(), java.nio.charset.StandardCharsets.UTF_8))
            .toList();
    assertTrue(keys.containsAll(List.of("workq", "default", "0.host")), keys.toString());
  }

  @Test
  void aSnapshotOfTheStoresAndTheLaterFactsGiveWhatTheWholeLedgerGives() {
    initialise();
    for (int i = 0; i < 150; i++) {
      tell(submit("job" + i));
    }
    AttributeChange interval =
        new AttributeChange("ledger_snapshot_facts", "100", AttributeOperation.ASSIGN);
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.SET, ObjectKind.SERVER, "", List.of(interval)));
    begin();
    read(Topics.MESSAGES);
    owned.look(START.plus(Duration.ofSeconds(6)).toEpochMilli());
    assertEquals(1, ticks);
    tick(Duration.ZERO);
    ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    for (TestRecord<byte[], byte[]> record : read(Topics.MESSAGES)) {
      if (decode(record.value()) instanceof Continue reminder) {
        assertEquals("snapshot", reminder.getWork());
        waiting.add(record.value());
      }
    }
    assertFalse(waiting.isEmpty(), "the shard reminds itself");
    for (int i = 0; !waiting.isEmpty(); i++) {
      hearItself(waiting.poll());
      read(Topics.MESSAGES).forEach(record -> waiting.add(record.value()));
      // Written between the chunks, also over records that the snapshot has yet to tell.
      inbox.pipeInput(new TestRecord<>(new byte[0], codec.encode(submit("late" + i)), START));
    }
    List<SpecificRecord> ledger = records(Topics.LEDGER);
    long snapshot = Rebuilding.lastSnapshot(ledger).getAsLong();
    Tables cut = Tables.inMemory(0, 1);
    Rebuilding.fromSnapshot(snapshot, ledger.subList((int) snapshot - 1, ledger.size()), cut);
    Tables whole = Tables.inMemory(0, 1);
    Shard shard = new Shard(whole);
    ledger.forEach(shard::apply);
    assertEquals(all(whole), all(cut));
    assertTrue(all(cut).size() > 300, "jobs, answers and timers");
    long chunks = ledger.stream().filter(SnapshotChunk.class::isInstance).count();
    assertTrue(chunks > 1, "with submissions in between");
  }
}
