package io.millrace.server.accounting;

import io.millrace.schemas.Topics;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.ledger.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/** A ledger of one shard that can be cut, and the one of campaigns beside it. */
final class ListLedger implements Ledger {

  private static final TopicPartition PLACE = new TopicPartition(Topics.LEDGER, 0);
  static final int AT_ONCE = 3;

  private final List<ConsumerRecord<byte[], byte[]>> facts = new ArrayList<>();
  private long begin;
  private long position = -1;
  private boolean away;

  private static final TopicPartition CAMPAIGNS = new TopicPartition(Topics.CAMPAIGN_LEDGER, 0);

  private final List<ConsumerRecord<byte[], byte[]>> ofCampaigns = new ArrayList<>();
  private long ofCampaignsNext = -1;
  private boolean dies;

  void addOfCampaigns(SpecificRecord fact) {
    byte[] value = AccountFixture.CODEC.encode(fact);
    ofCampaigns.add(
        new ConsumerRecord<>(Topics.CAMPAIGN_LEDGER, 0, ofCampaigns.size(), null, value));
  }

  /** The next commit does not come: who asks for the positions before it dies. */
  void die() {
    dies = true;
  }

  void add(SpecificRecord fact) {
    byte[] value = AccountFixture.CODEC.encode(fact);
    facts.add(new ConsumerRecord<>(Topics.LEDGER, 0, facts.size(), null, value));
  }

  /** As when the broker ended: nobody says so. */
  void goAway() {
    away = true;
  }

  /** Offset of the next fact that is added. */
  int end() {
    return facts.size();
  }

  void cut(long before) {
    begin = before;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration wait) {
    if (away) {
      return ConsumerRecords.empty();
    }
    if (position < begin) {
      throw new OffsetOutOfRangeException(Map.of(PLACE, position));
    }
    int from = (int) position;
    position = Math.min(position + AT_ONCE, facts.size());
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> next = new HashMap<>();
    if (from < position) {
      next.put(PLACE, facts.subList(from, (int) position));
    }
    if (ofCampaignsNext >= 0 && ofCampaignsNext < ofCampaigns.size()) {
      next.put(
          CAMPAIGNS, List.copyOf(ofCampaigns.subList((int) ofCampaignsNext, ofCampaigns.size())));
      ofCampaignsNext = ofCampaigns.size();
    }
    return next.isEmpty() ? ConsumerRecords.empty() : new ConsumerRecords<>(next, Map.of());
  }

  @Override
  public void with(String topic, OptionalLong next) {
    if (topic.equals(Topics.CAMPAIGN_LEDGER)) {
      ofCampaignsNext = next.orElse(ofCampaigns.size());
    }
  }

  @Override
  public OptionalLong position(String topic) {
    return topic.equals(Topics.CAMPAIGN_LEDGER)
        ? OptionalLong.of(ofCampaignsNext)
        : OptionalLong.empty();
  }

  @Override
  public Map<Integer, Long> begins() {
    return Map.of(0, begin);
  }

  @Override
  public Map<Integer, Long> ends() {
    return Map.of(0, (long) facts.size());
  }

  @Override
  public Map<Integer, Long> positions() {
    if (dies) {
      dies = false;
      throw new IllegalStateException("killed");
    }
    return Map.of(0, position);
  }

  @Override
  public void seek(int shard, long offset) {
    position = offset;
  }

  @Override
  public void read(int shard, long from, PartitionReader reader) {
    for (int i = (int) from; i < facts.size() && reader.take(facts.get(i)); i++) {}
  }

  @Override
  public void wake() {}

  @Override
  public void close() {}
}
