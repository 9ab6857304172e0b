package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Which answers gateways hear over their connection, and which by the topic. */
final class ShardAnswersTest extends ShardTopologyFixture {
  private List<SpecificRecord> byTopic() {
    return records(Topics.REPLIES);
  }

  private Reply toldAfterCommit() {
    assertEquals(List.of(), told, "before the commit");
    owned.answers().committed();
    assertEquals(1, told.size());
    ByteBuffer frame = told.remove(0);
    byte[] answer = new byte[frame.getInt()];
    frame.get(answer);
    assertEquals(0, frame.remaining());
    return (Reply) decode(answer);
  }

  @Test
  void aSubmissionIsAnsweredOverTheConnectionOfItsGateway() {
    initialise();
    connected = 3;
    SubmitJobs command = submit("one");
    tell(command);
    Reply reply = toldAfterCommit();
    assertEquals(List.of("0.host"), reply.getLines());
    assertEquals(command.getMeta().getId(), reply.getId());
    tell(command);
    assertEquals(reply, toldAfterCommit(), "its repetition too");
    assertEquals(List.of(), byTopic());
  }

  @Test
  void withoutAConnectionTheTopicHasIt() {
    initialise();
    connected = 4;
    tell(submit("one"));
    owned.answers().committed();
    assertEquals(List.of(), told);
    assertEquals(1, byTopic().size());
  }

  /** Gateways of joined homes read one partition, and only one of them is connected here. */
  @Test
  void anotherHomesGatewayThatReadsTheSamePartitionHearsItByTheTopic() {
    initialise();
    connected = Topics.replyPlace(3, 1);
    SubmitJobs command = submit("one");
    command.getMeta().setReplyTo(Topics.replyPlace(3, 2));
    tell(command);
    owned.answers().committed();
    assertEquals(List.of(), told);
    assertEquals(1, byTopic().size());
    SubmitJobs own = submit("two");
    own.getMeta().setReplyTo(connected);
    tell(own);
    toldAfterCommit();
  }

  @Test
  void aPlaceForAnswersIsInItsPartitionAndNotThatOfCampaigns() {
    for (int number : new int[] {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      for (int partition = 0; partition < Topics.REPLY_PARTITIONS; partition++) {
        int place = Topics.replyPlace(partition, number);
        assertEquals(partition, Topics.replyPartition(place));
        assertTrue(place > Topics.REPLY_TO_CAMPAIGNS, "place " + place);
      }
    }
  }

  /** Gateways know queues by a topic, which tells of them a little after the commit. */
  @Test
  void whatIsAboutAnObjectIsAnsweredByTheTopic() {
    initialise();
    connected = 3;
    byTopic();
    tell(
        new ChangeObject(
            meta(Role.MANAGER, 3), ChangeOperation.DELETE, ObjectKind.QUEUE, "nowhere", List.of()));
    owned.answers().committed();
    assertEquals(List.of(), told);
    assertEquals(1, byTopic().size());
  }

  /** A gateway that was told to wait does not ask again, so that its answer must not be lost. */
  @Test
  void whatAnotherShardHasPassedOnIsAnsweredByTheTopic() {
    initialise();
    connected = 3;
    tell(CommandFamily.SHARD, submit("one"));
    owned.answers().committed();
    assertEquals(List.of(), told);
    assertEquals(1, byTopic().size());
  }

  @Test
  void aShardThatEndsForgetsWhatItHasNotCommitted() {
    initialise();
    connected = 3;
    tell(submit("one"));
    driver.close();
    owned.answers().committed();
    assertEquals(List.of(), told);
    assertTrue(owned.all().isEmpty());
    start();
  }
}
