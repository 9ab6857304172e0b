package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.AnswerRoundEnded;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.shard.Rebuilding;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.engine.EngineLiveness;
import io.millrace.server.streams.input.BesideShards;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One shard that is the only one, over real stores, with a clock moved by hand. */
final class ShardTopologyTest {
  private static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private final WireCodec codec = WireCodec.local();
  private final OwnedShards owned = new OwnedShards();
  private final PolledBatches polled = new PolledBatches();
  private TopologyTestDriver driver;
  private TestInputTopic<byte[], byte[]> inbox;
  private final Map<CommandFamily, TestInputTopic<byte[], byte[]>> inboxes =
      new EnumMap<>(CommandFamily.class);
  private final List<String> refusals = new ArrayList<>();
  private final HostKey one = HostKey.of("one", "1".repeat(64));
  private final HostKey two = HostKey.of("two", "2".repeat(64));
  private final Map<String, HostKey> admitted = new HashMap<>(Map.of("one", one, "two", two));
  private final HostKeys keys = host -> Optional.ofNullable(admitted.get(host));
  private int ticks;
  private long madeMs = START.toEpochMilli();

  @TempDir Path home;

  @BeforeEach
  void start() {
    owned.answersAt("127.0.0.1:1");
    ShardEnvironment environment =
        new ShardEnvironment(
            codec,
            1,
            new BesideShards(Optional.empty(), (line, limitS, all) -> ""),
            new ShardEnvironment.Outside(
                shard -> ticks++,
                ExecutorLiveness.NOBODY,
                EngineLiveness.NOBODY,
                new LiveUsages(),
                keys,
                refusals::add),
            polled,
            owned);
    Properties config = new Properties();
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, Topics.APPLICATION);
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
    config.put(StreamsConfig.STATE_DIR_CONFIG, home.toString());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    config.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocks.class);
    driver = new TopologyTestDriver(ShardTopology.of(environment), config, START);
    for (CommandFamily family : CommandFamily.values()) {
      inboxes.put(
          family,
          driver.createInputTopic(
              family.topic(), new ByteArraySerializer(), new ByteArraySerializer()));
    }
    inbox = inboxes.get(CommandFamily.USER);
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private CommandMeta meta(Role role, int replyTo) {
    byte[] id = ByteBuffer.allocate(16).putLong(madeMs++ << 16).putLong(madeMs).array();
    return new CommandMeta(new CommandId(id), "ann", "users", "host", role, replyTo, 0L);
  }

  /** Pipes a command and whatever the shard sends to itself until it is quiet. */
  private void tell(SpecificRecord command) {
    tell(CommandFamily.of(Envelope.ofCommand(command).getRole()), command);
  }

  private void tell(CommandFamily from, SpecificRecord command) {
    inboxes.get(from).pipeInput(new TestRecord<>(new byte[0], codec.encode(command), START));
    ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    read(Topics.MESSAGES).forEach(record -> waiting.add(record.value()));
    while (!waiting.isEmpty()) {
      hearItself(waiting.poll());
      read(Topics.MESSAGES).forEach(record -> waiting.add(record.value()));
    }
  }

  private void hearItself(byte[] message) {
    inboxes.get(CommandFamily.SHARD).pipeInput(new TestRecord<>(new byte[0], message, START));
  }

  private List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private List<SpecificRecord> records(String topic) {
    return read(topic).stream().map(record -> decode(record.value())).toList();
  }

  private SpecificRecord decode(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (io.millrace.schemas.UndecodableRecord e) {
      throw new AssertionError(e);
    }
  }

  private SubmitJobs submit(String name) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName(name)
            .setOwner("ann")
            .setSubmitHost("host")
            .setQueue("workq")
            .setRequest(
                ResourceRequest.newBuilder()
                    .setChunks(List.of(new Chunk(1, Map.of("ncpus", 1L), Map.of())))
                    .build())
            .setResourceList(List.of())
            .setOutputPath("host:/o")
            .setErrorPath("host:/e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of("/bin/true"))
            .setExtra(List.of())
            .build();
    return new SubmitJobs(
        meta(Role.USER, 3),
        List.of(),
        List.of(new NewJob(spec, "n", List.of(), List.of(), null, 0L)));
  }

  private void initialise() {
    tell(new Continue(meta(Role.SHARD, -1), "initialise", "host;root"));
  }

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
  void refusesWhatTheFamilyOfItsTopicMayNotSendAndWritesItDown() {
    initialise();
    for (CommandFamily from : List.of(CommandFamily.ENGINE, CommandFamily.EXECUTOR)) {
      refusals.clear();
      read(Topics.LEDGER);
      SubmitJobs command = submit("one");
      tell(from, command);
      command.getMeta().setRole(Role.MANAGER);
      tell(from, command);
      command.getMeta().setRole(Role.EXECUTOR);
      tell(from, command);
      assertEquals(List.of(), records(Topics.REPLIES), "the answer would go where it says");
      assertEquals(List.of(), records(Topics.LEDGER));
      assertEquals(3, refusals.size(), refusals.toString());
      String line = refusals.get(1);
      assertTrue(line.startsWith("refused family=" + from.word() + " reason=family"), line);
      assertTrue(line.endsWith(" record=" + from.topic() + "-0@1"), line);
    }
  }

  private void report(HostKey from, String names) {
    report(from, names, START);
  }

  private void report(HostKey from, String names, Instant at) {
    ReportNodeUp up =
        new ReportNodeUp(
            meta(Role.EXECUTOR, -1), names, "boot", Map.of("ncpus", 4L), "spool", 1L, false, 2);
    byte[] value = codec.encode(up);
    Headers headers =
        from == null
            ? new RecordHeaders()
            : HostProof.record(from, Topics.REPORTS, 0, new byte[0], value).headers();
    inboxes
        .get(CommandFamily.EXECUTOR)
        .pipeInput(new TestRecord<>(new byte[0], value, headers, at));
  }

  private void node(String name) {
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.CREATE, ObjectKind.NODE, name, List.of()));
  }

  private List<String> up() {
    return records(Topics.LEDGER).stream()
        .filter(NodeCameUp.class::isInstance)
        .map(fact -> ((NodeCameUp) fact).getName())
        .toList();
  }

  @Test
  void aReportCountsForTheHostThatItProvesToComeFrom() {
    initialise();
    node("one");
    read(Topics.LEDGER);
    report(null, "one");
    report(two, "one");
    report(HostKey.of("one", "3".repeat(64)), "one");
    assertEquals(List.of(), records(Topics.LEDGER));
    assertEquals(
        List.of(
            "refused family=executor reason=proof command=ReportNodeUp",
            "refused family=executor host=two reason=host command=ReportNodeUp",
            "refused family=executor reason=proof command=ReportNodeUp"),
        refusals.stream().map(line -> line.replaceFirst(" id=.*", "")).toList());
    assertTrue(refusals.get(1).endsWith("claims=EXECUTOR,ann,one record=reports-0@1"));
    report(one, "one");
    assertEquals(List.of("one"), up());
    admitted.remove("one");
    report(one, "one");
    assertEquals(List.of(), records(Topics.LEDGER), "its key was taken back");
    assertEquals(4, refusals.size());
  }

  @Test
  void anOrderIsReadByItsHostAndNobodyElse() throws Exception {
    initialise();
    node("one");
    report(one, "one");
    List<TestRecord<byte[], byte[]>> orders = read(Topics.DISPATCH);
    assertTrue(orders.size() > 1, orders.toString());
    for (TestRecord<byte[], byte[]> order : orders) {
      assertEquals("one", new String(order.key(), StandardCharsets.UTF_8));
      assertFalse(new String(order.value(), StandardCharsets.ISO_8859_1).contains("spool"));
      assertThrows(UndecodableRecord.class, () -> codec.decode(order.value()));
      assertThrows(UndecodableRecord.class, () -> two.open(order.value(), order.timestamp()));
    }
    TestRecord<byte[], byte[]> end = orders.get(orders.size() - 1);
    SpecificRecord last = decode(one.open(end.value(), end.timestamp()));
    assertEquals("one", last.get(last.getSchema().getField("host").pos()));
  }

  @Test
  void aRenewedKeyVoidsNothingThatIsOnItsWay() throws Exception {
    initialise();
    node("one");
    read(Topics.LEDGER);
    String text = HostKey.renewedText("one", "1".repeat(64), new SecureRandom(), START);
    admitted.put("one", HostKey.of("one", text));
    report(one, "one");
    assertEquals(List.of("one"), up(), "from before");
    TestRecord<byte[], byte[]> order = lastOrder();
    HostKey now = HostKey.of("one", text);
    decode(one.open(order.value(), order.timestamp()));
    decode(now.open(order.value(), order.timestamp()));
    report(now, "one");
    TestRecord<byte[], byte[]> next = lastOrder();
    decode(now.open(next.value(), next.timestamp()));
    assertThrows(UndecodableRecord.class, () -> one.open(next.value(), next.timestamp()));
    report(one, "one", START.plus(HostKey.GRACE));
    assertEquals(List.of(), refusals);
    report(one, "one", START.plus(HostKey.GRACE).plusMillis(1));
    assertEquals(1, refusals.size(), "its time is over");
  }

  private TestRecord<byte[], byte[]> lastOrder() {
    List<TestRecord<byte[], byte[]>> orders = read(Topics.DISPATCH);
    return orders.get(orders.size() - 1);
  }

  @Test
  void aHostWithoutAKeyGetsNoOrder() {
    initialise();
    node("three");
    assertEquals(List.of(), read(Topics.DISPATCH));
    admitted.put("three", HostKey.of("three", "3".repeat(64)));
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.DELETE, ObjectKind.NODE, "three", List.of()));
    node("three");
    assertEquals(1, read(Topics.DISPATCH).size(), "the question whether it is there");
  }

  @Test
  void tellsAGatewayThatARoleDoesNotFit() {
    initialise();
    SubmitJobs command = submit("one");
    command.getMeta().setRole(Role.EXECUTOR);
    tell(CommandFamily.USER, command);
    assertEquals(15402, ((Reply) records(Topics.REPLIES).get(0)).getCode());
    assertFalse(records(Topics.LEDGER).stream().anyMatch(fact -> fact instanceof JobQueued));
    assertEquals(1, refusals.size());
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

  private static List<Map.Entry<String, SpecificRecord>> all(Tables tables) {
    List<Map.Entry<String, SpecificRecord>> records = new ArrayList<>();
    tables.freeze().forEachRemaining(records::add);
    return records;
  }
}
