package io.millrace.server.streams;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.MemoryFolder;
import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.answer.GatewayLines;
import io.millrace.server.streams.answer.HeldAnswers;
import io.millrace.server.streams.engine.EngineLiveness;
import io.millrace.server.streams.input.BesideShards;
import java.nio.ByteBuffer;
import java.nio.file.Path;
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
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** One shard as a topology over topics in memory. */
abstract class ShardTopologyFixture {
  static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  final WireCodec codec = WireCodec.local();

  /** Partition of the gateway that is connected; -1 for none. */
  int connected = -1;

  final List<ByteBuffer> told = new ArrayList<>();
  final OwnedShards owned =
      new OwnedShards(
          new HeldAnswers(
              new GatewayLines() {
                @Override
                public boolean takes(int partition) {
                  return partition == connected;
                }

                @Override
                public void tell(int partition, byte[] answers) {
                  told.add(ByteBuffer.wrap(answers));
                }
              }));
  final PolledBatches polled = new PolledBatches();
  TopologyTestDriver driver;
  TestInputTopic<byte[], byte[]> inbox;
  final Map<CommandFamily, TestInputTopic<byte[], byte[]>> inboxes =
      new EnumMap<>(CommandFamily.class);
  final List<String> refusals = new ArrayList<>();
  final HostKey one = HostKey.of("one", "1".repeat(64));
  final HostKey two = HostKey.of("two", "2".repeat(64));
  final Map<String, HostKey> admitted = new HashMap<>(Map.of("one", one, "two", two));
  final HostKeys keys = host -> Optional.ofNullable(admitted.get(host));
  int ticks;
  long madeMs = START.toEpochMilli();

  @TempDir(factory = MemoryFolder.class)
  Path home;

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

  CommandMeta meta(Role role, int replyTo) {
    byte[] id = ByteBuffer.allocate(16).putLong(madeMs++ << 16).putLong(madeMs).array();
    return new CommandMeta(new CommandId(id), "ann", "users", "host", role, replyTo, 0L);
  }

  /** Pipes a command and whatever the shard sends to itself until it is quiet. */
  void tell(SpecificRecord command) {
    tell(CommandFamily.of(Envelope.ofCommand(command).getRole()), command);
  }

  void tell(CommandFamily from, SpecificRecord command) {
    inboxes.get(from).pipeInput(new TestRecord<>(new byte[0], codec.encode(command), START));
    ArrayDeque<byte[]> waiting = new ArrayDeque<>();
    read(Topics.MESSAGES).forEach(record -> waiting.add(record.value()));
    while (!waiting.isEmpty()) {
      hearItself(waiting.poll());
      read(Topics.MESSAGES).forEach(record -> waiting.add(record.value()));
    }
  }

  void hearItself(byte[] message) {
    inboxes.get(CommandFamily.SHARD).pipeInput(new TestRecord<>(new byte[0], message, START));
  }

  List<TestRecord<byte[], byte[]>> read(String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  List<SpecificRecord> records(String topic) {
    return read(topic).stream().map(record -> decode(record.value())).toList();
  }

  SpecificRecord decode(byte[] bytes) {
    try {
      return codec.decode(bytes);
    } catch (io.millrace.schemas.UndecodableRecord e) {
      throw new AssertionError(e);
    }
  }

  SubmitJobs submit(String name) {
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

  void initialise() {
    tell(new Continue(meta(Role.SHARD, -1), "initialise", "host;root"));
  }

  static List<Map.Entry<String, SpecificRecord>> all(Tables tables) {
    List<Map.Entry<String, SpecificRecord>> records = new ArrayList<>();
    tables.freeze().forEachRemaining(records::add);
    return records;
  }
}
