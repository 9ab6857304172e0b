package io.millrace.server.streams;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeys;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.RefusalText;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.SharedParts;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.OwnedShards.LiveTables;
import io.millrace.server.streams.answer.AtOnce;
import io.millrace.server.streams.engine.EngineWatch;
import io.millrace.server.streams.engine.FolderWatch;
import io.millrace.server.streams.input.InputWatch;
import io.millrace.server.streams.measure.ShardMeasures;
import io.millrace.server.streams.share.ShareWatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One shard as a Kafka Streams processor. */
final class ShardProcessor implements Processor<byte[], byte[], Target, byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(ShardProcessor.class);
  private static final Duration FIRST_LOOK = Duration.ofMillis(20);
  private static final long LOOK_MS = 500;

  /** Longest time that a shard waits for its engines at the end of a batch. */
  private static final long SETTLE_NANOS = 3_000_000;

  private static final int PROPOSALS_AT_ONCE = 128;
  private static final int JOBS_RECENT = 20_000;
  private static final int OTHERS_RECENT = 2_000;

  /**
   * Decoded counters to keep, one for each pair of a queue and a user, group or project that has
   * jobs.
   */
  private static final int COUNTS_RECENT = 10_000;

  private static final int SCRIPTS_RECENT = 64;

  /** Most characters of the reason in a dead letter, and bytes of its key. */
  private static final int WHY_MAX = 1_000;

  private static final int KEY_MAX = 1_000;

  private final ShardEnvironment environment;
  private final List<StoreTable<?>> stores = new ArrayList<>();
  private final AtOnce atOnce = new AtOnce();
  private ProcessorContext<Target, byte[]> context;
  private int number;
  private Shard shard;
  private Engines engines;
  private PeriodicWork reminders;
  private HostWatch hosts;
  private CputWatch cput;
  private FolderWatch folders;
  private ShareWatch shares;
  private InputWatch inputs;
  private ShardMeasures measures;
  private long lookedMs;
  private long wokenMs;
  private OwnedShards.TimerWatch timers;

  /** Commands of this shard to itself that the next command of the inbox takes along. */
  private final List<SpecificRecord> news = new ArrayList<>();

  /** Hosts of nodes that got no order, as they have no key. */
  private final Set<String> keyless = new HashSet<>();

  /** How far the broker's clock was ahead of this process's at the last record; never negative. */
  private long brokerAheadMs;

  /**
   * Whether a client waits for something that was decided since the last commit. What nobody waits
   * for (a run's report) is left to the commit interval: an extra commit would delay the next
   * submission.
   */
  private boolean awaited;

  ShardProcessor(ShardEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public void init(ProcessorContext<Target, byte[]> context) {
    this.context = context;
    this.number = context.taskId().partition();
    Map<String, StoreTable<?>> stored = new HashMap<>();
    Tables tables =
        new Tables(
            number,
            environment.shards(),
            environment.codec(),
            name -> stored.computeIfAbsent(name, this::table));
    StoreTable.together(stored.get("jobs"), stored.get("whereabouts"));
    shard = new Shard(tables);
    timers = new OwnedShards.TimerWatch(shard::nextTimerMs);
    reminders = new PeriodicWork(context.currentSystemTimeMs());
    hosts = new HostWatch(environment.outside().hosts());
    cput = new CputWatch(environment.outside().usages());
    folders = number == Topics.ADMINISTRATIVE_SHARD ? new FolderWatch() : null;
    shares = new ShareWatch(environment.outside().usages()::complete);
    inputs = new InputWatch(environment.beside().programs());
    measures = new ShardMeasures(number);
    WriteBehind writeBehind = context.getStateStore(WriteBehind.NAME);
    writeBehind.beforeCommit(this::flush);
    engines =
        environment
            .beside()
            .engines()
            .map(
                factory ->
                    new Engines(
                        tables,
                        factory,
                        () -> environment.outside().wake().accept(number),
                        new EngineWatch(tables, environment.outside().engines()),
                        measures))
            .orElse(null);
    environment.owned().answers().forget(number);
    LiveTables live =
        LiveTables.of(tables.bookings(), stored.get("nodes"), stored.get("reservations"));
    environment.owned().gained(number, live);
    Cancellable[] first = new Cancellable[1];
    first[0] =
        context.schedule(
            FIRST_LOOK,
            PunctuationType.WALL_CLOCK_TIME,
            now -> {
              first[0].cancel();
              begin(now);
            });
  }

  private StoreTable<?> table(String name) {
    org.apache.kafka.streams.state.KeyValueStore<String, byte[]> store =
        context.getStateStore(StoreLayout.store(name));
    String prefix = StoreLayout.prefix(name);
    RecordCodec codec = environment.codec();
    StoreTable<?> table =
        switch (name) {
          case "jobs" -> new StoreTable<>(store, prefix, codec, JOBS_RECENT);
          case "answers", "reasons", "whereabouts", "routed", "dependents" ->
              new StoreTable<>(store, prefix, codec, OTHERS_RECENT);
          case "queued" -> new StoreTable<>(store, prefix, codec, COUNTS_RECENT);
          case "scripts" -> new StoreTable<>(store, prefix, codec, SCRIPTS_RECENT);
          case "reservations" ->
              new StoreTable.SmallTable<>(store, prefix, codec, new SharedParts());
          case "timers" -> new TimerTable(store, prefix, codec);
          default -> StoreTable.small(store, prefix, codec);
        };
    stores.add(table);
    return table;
  }

  /** Says who owns the shard now and seats the engines. */
  private void begin(long nowMs) {
    ShardOwner owner = new ShardOwner(number, environment.owned().queryAddress(), nowMs);
    forward(Topics.CLUSTER, Target.of(0, "shard/" + number), owner);
    attend(shardTimeMs(nowMs), true);
    flush();
    context.commit();
    lookedMs = nowMs;
    environment.owned().begun(number, this::look, () -> timers.dueMs(brokerAheadMs));
  }

  /** What is decided without a record does not move the shard's time, but for the first time. */
  private long shardTimeMs(long nowMs) {
    long timeMs = ShardNumbers.of(shard.view()).getTimeMs();
    return timeMs > 0 ? timeMs : nowMs;
  }

  /**
   * Looks whether a timer is due, a periodic command, or an engine is missing, and if so has a tick
   * written, which the shard then answers with all of it. Writes nothing itself: a punctuation of
   * Kafka Streams would commit a transaction each time.
   */
  private void look(long nowMs) {
    if (timers.wakes(nowMs, brokerAheadMs)) {
      wokenMs = nowMs;
      environment.outside().wake().accept(number);
    }
    if (Math.abs(nowMs - lookedMs) < LOOK_MS) {
      return;
    }
    lookedMs = nowMs;
    measures.look(shard.view(), nowMs);
    for (String work : reminders.due(shard.view(), nowMs)) {
      news.add(new Continue(self(nowMs), work, ""));
    }
    news.addAll(hosts.due(shard.view(), nowMs, () -> self(nowMs)));
    news.addAll(cput.due(shard.view(), nowMs, () -> self(nowMs)));
    if (folders != null) {
      news.addAll(folders.due(shard.view(), () -> self(nowMs)));
    }
    news.addAll(shares.due(shard.view(), nowMs, () -> self(nowMs)));
    news.addAll(inputs.due(shard.view(), nowMs, () -> self(nowMs)));
    boolean due = timers.dueMs(brokerAheadMs) <= nowMs;
    boolean missing = engines != null && engines.look();
    if ((due || missing || !news.isEmpty()) && Math.abs(nowMs - wokenMs) > 2 * LOOK_MS) {
      wokenMs = nowMs;
      environment.outside().wake().accept(number);
    }
  }

  /** Sends what the last looks have found. */
  private void tellNews() {
    awaited |= !news.isEmpty();
    news.forEach(command -> send(new Message(number, command)));
    news.clear();
  }

  private CommandMeta self(long nowMs) {
    UUID random = UUID.randomUUID();
    byte[] id =
        ByteBuffer.allocate(CommandId.getClassSchema().getFixedSize())
            .putLong(nowMs << 16 | random.getMostSignificantBits() & 0xffff)
            .putLong(random.getLeastSignificantBits())
            .array();
    return new CommandMeta(new CommandId(id), "shard-" + number, "", "", Role.SHARD, -1, 0L);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    timers.changed();
    RecordMetadata from = context.recordMetadata().orElseThrow();
    TopicPartition inbox = new TopicPartition(from.topic(), from.partition());
    boolean last = environment.polled().takesLast(inbox, from.offset());
    try {
      take(record, from, last);
    } catch (UndecodableRecord e) {
      deadLetter(record, from, e.getMessage());
    }
    if (last && awaited) {
      // Queries read the stores: they see the change when the answer is on its way.
      flush();
      awaited = false;
      context.commit();
    }
  }

  private void take(Record<byte[], byte[]> record, RecordMetadata from, boolean last)
      throws UndecodableRecord {
    CommandFamily family = CommandFamily.ofTopic(from.topic()).orElseThrow();
    SpecificRecord command = command(family, record.value());
    brokerAheadMs = Math.max(0, record.timestamp() - context.currentSystemTimeMs());
    String host = family == CommandFamily.EXECUTOR ? proven(record, from) : "";
    CommandOutcome outcome = handle(family, host, command, record.timestamp());
    if (!outcome.refusal().isEmpty()) {
      Measures.ofProcess().count(Metric.REFUSED_COMMANDS);
      String where = from.topic() + "-" + from.partition() + "@" + from.offset();
      String text = RefusalText.of(family, host, command, outcome.refusal());
      environment.outside().refusals().accept(text + " record=" + where);
    }
    attend(record.timestamp(), last);
    tellNews();
  }

  /** What follows from a command is longer than it; shards leave room for that, others must. */
  private SpecificRecord command(CommandFamily family, byte[] value) throws UndecodableRecord {
    if (family != CommandFamily.SHARD && value != null && value.length > Topics.COMMAND_BYTES_MAX) {
      throw new UndecodableRecord(
          value.length + " bytes where a command has at most " + Topics.COMMAND_BYTES_MAX);
    }
    SpecificRecord command = environment.codec().decode(value);
    if (!(command.getSchema().getProp("family") instanceof String)) {
      throw new UndecodableRecord(command.getSchema().getFullName() + " is no command");
    }
    return command;
  }

  /** The host that a report has proven to come from; the time is the broker's. */
  private String proven(Record<byte[], byte[]> record, RecordMetadata from) {
    HostProof.RecordPlace place = new HostProof.RecordPlace(from.topic(), from.partition());
    HostKeys keys = environment.outside().keys();
    return HostProof.host(keys, place, record.headers(), record.value(), record.timestamp());
  }

  private CommandOutcome handle(CommandFamily from, SpecificRecord command, long timeMs) {
    return handle(from, "", command, timeMs);
  }

  private CommandOutcome handle(
      CommandFamily from, String host, SpecificRecord command, long timeMs) {
    CommandOutcome outcome = shard.handle(from, host, command, timeMs);
    atOnce.decided(from, command);
    emit(outcome);
    if (from == CommandFamily.ENGINE && outcome.code() != 0) {
      Measures.ofProcess().count(Metric.REFUSED_PROPOSALS);
    }
    measures.hear(shard.view(), outcome.facts());
    cput.hear(shard.view(), outcome.facts());
    if (folders != null) {
      folders.hear(outcome.facts());
    }
    if (engines != null) {
      engines.hear(outcome.facts());
    }
    return outcome;
  }

  /** Decides the proposals of the engines; at the end of a batch waits shortly for further ones. */
  private void attend(long timeMs, boolean last) {
    if (engines == null) {
      return;
    }
    engines.listening(true);
    List<StartEngine> missing = engines.missing();
    engines.notes().forEach(note -> handle(CommandFamily.ENGINE, note, timeMs));
    for (StartEngine start : missing) {
      if (handle(CommandFamily.ENGINE, start, timeMs).code() == 0) {
        engines.seat(start.getScheduler());
      }
    }
    long deadline = System.nanoTime() + SETTLE_NANOS;
    int decided = decideProposals(timeMs);
    while (last && System.nanoTime() < deadline) {
      if (decided == 0) {
        engines.awaitSettled(deadline);
        decided = decideProposals(timeMs);
        if (decided == 0) {
          break;
        }
      } else {
        decided = decideProposals(timeMs);
      }
    }
    engines.listening(false);
    // Proposals that became ready just before the line above did not wake the shard.
    decideProposals(timeMs);
  }

  private int decideProposals(long timeMs) {
    List<SpecificRecord> proposals = engines.proposals(PROPOSALS_AT_ONCE);
    for (SpecificRecord proposal : proposals) {
      int code = handle(CommandFamily.ENGINE, proposal, timeMs).code();
      CommandMeta meta = Envelope.ofCommand(proposal);
      engines.answered((String) proposal.get(1), meta.getId(), code);
    }
    return proposals.size();
  }

  private void emit(CommandOutcome outcome) {
    awaited |=
        !outcome.replies().isEmpty()
            || !outcome.messages().isEmpty()
            || !outcome.dispatch().isEmpty()
            || engines == null
            || engines.apart();
    for (SpecificRecord fact : outcome.facts()) {
      forward(Topics.LEDGER, Target.of(number, FactKeys.of(fact)), fact);
    }
    for (CommandOutcome.AddressedReply reply : outcome.replies()) {
      answer(reply.partition(), reply.reply());
    }
    outcome.messages().forEach(this::send);
    outcome.dispatch().forEach(this::order);
  }

  private void answer(int place, Reply reply) {
    byte[] bytes = environment.codec().encode(reply);
    if (atOnce.may(reply) && environment.owned().answers().hold(number, place, bytes)) {
      return;
    }
    boolean campaigns = place == Topics.REPLY_TO_CAMPAIGNS;
    String topic = campaigns ? Topics.CAMPAIGN_ANSWERS : Topics.REPLIES;
    int partition = campaigns ? place : Topics.replyPartition(place);
    Target target = new Target(partition, reply.getId().bytes());
    forward(topic, target, bytes, context.currentSystemTimeMs());
  }

  /**
   * Sends an order so that nobody but its host can read it, although all hosts read the topic. A
   * host without a key gets none; when it has one and announces itself, the shard asks after its
   * runs.
   */
  private void order(SpecificRecord order) {
    String host = host(order);
    Optional<HostKey> key = environment.outside().keys().of(host);
    if (key.isPresent()) {
      Target target = Target.of(Topics.dispatchPartition(host), host);
      long timeMs = context.currentSystemTimeMs();
      byte[] sealed = key.get().seal(environment.codec().encode(order), timeMs);
      forward(Topics.DISPATCH, target, sealed, timeMs);
      keyless.remove(host);
    } else if (keyless.add(host)) {
      LOG.warn("host {} has no key (./millrace keys host add): no orders go there", host);
    }
  }

  private void send(Message message) {
    CommandMeta meta = Envelope.ofCommand(message.command());
    forward(Topics.MESSAGES, new Target(message.shard(), meta.getId().bytes()), message.command());
  }

  /** Each order has a field host. */
  private static String host(SpecificRecord order) {
    return order.get(order.getSchema().getField("host").pos()).toString();
  }

  private void forward(String topic, Target target, SpecificRecord value) {
    long timeMs = context.currentSystemTimeMs();
    forward(topic, target, environment.codec().encode(value), timeMs);
  }

  private void forward(String topic, Target target, byte[] value, long timeMs) {
    context.forward(new Record<>(target, value, timeMs, new RecordHeaders()), topic);
  }

  /** Cut to what the topic takes, since a letter is longer than the record that it is about. */
  private void deadLetter(Record<byte[], byte[]> record, RecordMetadata from, String why) {
    String said = why.length() > WHY_MAX ? why.substring(0, WHY_MAX) : why;
    Measures.ofProcess().count(Metric.DEAD_LETTERS);
    LOG.warn("{}-{}@{} is no command: {}", from.topic(), from.partition(), from.offset(), said);
    RecordHeaders headers = new RecordHeaders();
    headers.add("topic", text(from.topic()));
    headers.add("partition", text(String.valueOf(from.partition())));
    headers.add("offset", text(String.valueOf(from.offset())));
    headers.add("why", text(said));
    byte[] key = record.key() == null ? new byte[0] : cut(record.key(), KEY_MAX);
    byte[] value = record.value() == null ? null : cut(record.value(), Topics.COMMAND_BYTES_MAX);
    context.forward(
        new Record<>(new Target(0, key), value, record.timestamp(), headers), Topics.DEAD_LETTERS);
    boolean named = key.length == CommandId.getClassSchema().getFixedSize();
    if (named && from.topic().equals(Topics.CAMPAIGN_JOBS)) {
      // It alone writes there, and would wait for ever for what became of its jobs.
      Reply reply = new Reply(new CommandId(key), PbsError.PROTOCOL.code(), List.of(said), false);
      forward(Topics.CAMPAIGN_ANSWERS, new Target(Topics.REPLY_TO_CAMPAIGNS, key), reply);
      awaited = true;
    }
  }

  private static byte[] cut(byte[] bytes, int max) {
    return bytes.length > max ? Arrays.copyOf(bytes, max) : bytes;
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void flush() {
    stores.forEach(StoreTable::flush);
  }

  @Override
  public void close() {
    environment.owned().answers().forget(number);
    environment.owned().lost(number);
    environment.polled().forget(number);
    measures.close();
    shard.close();
    inputs.close();
    if (folders != null) {
      folders.close();
    }
    if (engines != null) {
      engines.close();
    }
  }
}
