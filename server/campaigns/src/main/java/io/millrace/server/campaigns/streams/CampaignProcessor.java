package io.millrace.server.campaigns.streams;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.server.campaigns.core.CampaignDesk;
import io.millrace.server.campaigns.core.CampaignOutcome;
import io.millrace.server.campaigns.core.CampaignState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes commands, reports and answers. */
final class CampaignProcessor implements Processor<byte[], byte[], Outgoing, byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(CampaignProcessor.class);

  static final String STORE = "state";

  private static final Duration LOOK = Duration.ofHours(1);

  /** How often letters are written; each time all subscriptions are looked at, 1,000 at most. */
  static final Duration WRITE = Duration.ofSeconds(5);

  /** Time between two commits that are asked for: one costs the broker as much as many records. */
  private static final long COMMIT_MS = 20;

  private final RecordCodec codec;
  private final CommittedAnswers answers;
  private final Consumer<CampaignState.Wanted> wanted;
  private final IntConsumer closed;
  private CampaignState state;
  private CampaignState.Wanted told = CampaignState.Wanted.NOTHING;
  private ProcessorContext<Outgoing, byte[]> context;
  private CampaignDesk desk;
  private long committedMs;

  /**
   * @param answers to commands of this process's door
   * @param wanted told which clusters are to be looked at
   * @param closed told the partition of a task that is closed
   */
  CampaignProcessor(
      RecordCodec codec,
      CommittedAnswers answers,
      Consumer<CampaignState.Wanted> wanted,
      IntConsumer closed) {
    this.codec = codec;
    this.closed = closed;
    this.wanted = wanted;
    this.answers = answers;
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    KeyValueStore<String, byte[]> store = context.getStateStore(STORE);
    state = new CampaignState(new StreamsTable(store, codec));
    desk = new CampaignDesk(state);
    tell();
    context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, nowMs -> emit(desk.look(nowMs), nowMs));
    context.schedule(
        WRITE, PunctuationType.WALL_CLOCK_TIME, nowMs -> emit(desk.write(nowMs), nowMs));
  }

  @Override
  public void close() {
    answers.undone(); // an orderly end commits first
    closed.accept(context.taskId().partition());
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    CampaignOutcome outcome;
    try {
      outcome = desk.take(codec.decode(record.value()), context.currentSystemTimeMs());
    } catch (UndecodableRecord | IllegalArgumentException e) {
      LOG.warn("a record of the inbox is passed over: {}", e.getMessage());
      return;
    }
    emit(outcome, record.timestamp());
    outcome.answer().ifPresent(answers::decided);
    if (!outcome.orders().isEmpty() || outcome.answer().isPresent()) {
      commit(context.currentSystemTimeMs());
    }
  }

  private void tell() {
    CampaignState.Wanted now = state.wanted(told);
    if (now != told) {
      told = now;
      wanted.accept(now);
    }
  }

  /** What is not asked for now is committed with all else, at the usual interval. */
  private void commit(long nowMs) {
    if (nowMs < committedMs || nowMs >= committedMs + COMMIT_MS) {
      committedMs = nowMs;
      context.commit();
    }
  }

  private void emit(CampaignOutcome outcome, long timeMs) {
    tell();
    for (SpecificRecord fact : outcome.facts()) {
      forward(Topics.CAMPAIGN_LEDGER, new Outgoing(0, name(fact)), fact, timeMs);
    }
    for (CampaignOutcome.Order order : outcome.orders()) {
      byte[] key = Envelope.ofCommand(order.command()).getId().bytes();
      forward(Topics.CAMPAIGN_JOBS, new Outgoing(order.shard(), key), order.command(), timeMs);
    }
    outcome
        .more()
        .ifPresent(
            more -> forward(Topics.CAMPAIGN_COMMANDS, new Outgoing(0, name(more)), more, timeMs));
  }

  private static byte[] name(SpecificRecord record) {
    return record.getSchema().getName().getBytes(StandardCharsets.UTF_8);
  }

  private void forward(String topic, Outgoing to, SpecificRecord value, long timeMs) {
    context.forward(new Record<>(to, codec.encode(value), timeMs), topic);
  }
}
