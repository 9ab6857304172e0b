package io.millrace.server.campaigns.core;

import io.millrace.schemas.output.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** What came of one record of the inbox. */
public final class CampaignOutcome {

  /** A command for a shard. */
  public record Order(int shard, SpecificRecord command) {}

  private final List<SpecificRecord> facts = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private SpecificRecord more;
  private Reply answer;

  void fact(SpecificRecord fact) {
    facts.add(fact);
  }

  void order(int shard, SpecificRecord command) {
    orders.add(new Order(shard, command));
  }

  void more(SpecificRecord message) {
    more = message;
  }

  void answer(Reply reply) {
    answer = reply;
  }

  /** In the order in which they were decided. */
  public List<SpecificRecord> facts() {
    return facts;
  }

  public List<Order> orders() {
    return orders;
  }

  /** What has to come into the inbox, since there is more to do than goes into one transaction. */
  public Optional<SpecificRecord> more() {
    return Optional.ofNullable(more);
  }

  /** For who sent the command. */
  public Optional<Reply> answer() {
    return Optional.ofNullable(answer);
  }
}
