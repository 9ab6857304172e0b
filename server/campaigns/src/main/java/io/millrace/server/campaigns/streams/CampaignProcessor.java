package io.millrace.server.campaigns.streams;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.CampaignDesk;
import io.millrace.server.campaigns.core.CampaignOutcome;
import io.millrace.server.campaigns.core.CampaignState;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
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

  private final RecordCodec codec;
  private final Consumer<Reply> answers;
  private ProcessorContext<Outgoing, byte[]> context;
  private CampaignDesk desk;

  /**
   * @param answers told what is answered to commands of this process's door
   */
  CampaignProcessor(RecordCodec codec, Consumer<Reply> answers) {
    this.codec = codec;
    this.answers = answers;
  }

  @Override
  public void init(ProcessorContext<Outgoing, byte[]> context) {
    this.context = context;
    KeyValueStore<String, byte[]> store = context.getStateStore(STORE);
    desk = new CampaignDesk(new CampaignState(new StreamsTable(store, codec)));
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
    for (SpecificRecord fact : outcome.facts()) {
      byte[] key = fact.getSchema().getName().getBytes(StandardCharsets.UTF_8);
      forward(Topics.CAMPAIGN_LEDGER, new Outgoing(0, key), fact, record.timestamp());
    }
    for (CampaignOutcome.Order order : outcome.orders()) {
      byte[] key = io.millrace.schemas.Envelope.ofCommand(order.command()).getId().bytes();
      Outgoing to = new Outgoing(order.shard(), key);
      forward(Topics.CAMPAIGN_JOBS, to, order.command(), record.timestamp());
    }
    outcome.answer().ifPresent(answers);
    if (!outcome.orders().isEmpty() || outcome.answer().isPresent()) {
      context.commit();
    }
  }

  private void forward(String topic, Outgoing to, SpecificRecord value, long timeMs) {
    context.forward(new Record<>(to, codec.encode(value), timeMs), topic);
  }
}
