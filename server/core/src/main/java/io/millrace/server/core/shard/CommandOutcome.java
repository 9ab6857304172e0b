package io.millrace.server.core.shard;

import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Message;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * The effects of one command, in the order in which they are to be written.
 *
 * @param facts applied facts
 * @param replies answers with the Kafka partition that waits for each
 * @param messages commands for shards
 * @param dispatch orders to executors
 * @param code 0, or the code of the rejection
 * @param refusal why the command was not decided at all; empty when it was
 */
public record CommandOutcome(
    List<SpecificRecord> facts,
    List<AddressedReply> replies,
    List<Message> messages,
    List<SpecificRecord> dispatch,
    int code,
    String refusal) {

  /** A reply and its Kafka partition in the topic replies. */
  public record AddressedReply(int partition, Reply reply) {}

  static CommandOutcome empty() {
    return refused(0, "");
  }

  static CommandOutcome refused(int code, String refusal) {
    return new CommandOutcome(
        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), code, refusal);
  }

  CommandOutcome withCode(int code) {
    return new CommandOutcome(facts, replies, messages, dispatch, code, refusal);
  }
}
