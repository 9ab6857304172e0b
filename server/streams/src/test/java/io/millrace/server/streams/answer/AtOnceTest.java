package io.millrace.server.streams.answer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

final class AtOnceTest {
  private long nanos = 7;
  private final AtOnce atOnce = new AtOnce(() -> nanos);

  private static CommandMeta meta(long number) {
    byte[] id = ByteBuffer.allocate(16).putLong(number).array();
    return new CommandMeta(new CommandId(id), "ann", "", "host", Role.USER, 3, 0L);
  }

  private static Reply reply(long number, boolean interim) {
    return new Reply(meta(number).getId(), 0, List.of(), interim);
  }

  private void asked(SpecificRecord command) {
    atOnce.decided(CommandFamily.USER, command);
  }

  private boolean told(long number) {
    return atOnce.may(reply(number, false));
  }

  private static DeleteReservation reservation(long number) {
    return new DeleteReservation(meta(number), "R7", false, false);
  }

  private static DeleteJob job(long number) {
    DeleteJob command = new DeleteJob();
    command.setMeta(meta(number));
    return command;
  }

  @Test
  void aJobsCommandIsAnsweredSoWhileItIsDecided() {
    asked(job(1));
    assertTrue(told(1));
    assertFalse(told(2));
    asked(job(2));
    assertFalse(told(1));
  }

  /** The gateway does not ask again then: its answer must not be lost. */
  @Test
  void whoIsToldToWaitHearsItByTheTopic() {
    asked(job(1));
    assertFalse(atOnce.may(reply(1, true)));
  }

  @Test
  void aReservationsCommandAlsoWhileItsSchedulerIsHeard() {
    asked(reservation(1));
    asked(new SettleReservation(meta(2), "R8", true, false));
    atOnce.decided(CommandFamily.ENGINE, job(3));
    assertTrue(told(1));
    assertTrue(told(2));
    assertFalse(told(3));
    assertFalse(told(1), "it has its answer");
  }

  /** The pauses after which it is asked again get longer, and so does a lost answer's way. */
  @Test
  void whoHasWaitedForLongHearsItByTheTopicUntilHeAsksAgain() {
    asked(reservation(1));
    nanos += TimeUnit.SECONDS.toNanos(3);
    assertFalse(told(1));
    asked(reservation(1));
    nanos += TimeUnit.SECONDS.toNanos(2);
    assertTrue(told(1));
  }

  @Test
  void whatOthersPassOnAndWhatIsAboutObjectsIsNot() {
    atOnce.decided(CommandFamily.SHARD, reservation(1));
    assertFalse(told(1));
    asked(
        new ChangeObject(meta(2), ChangeOperation.DELETE, ObjectKind.QUEUE, "nowhere", List.of()));
    assertFalse(told(2));
  }

  @Test
  void aThousandAreKept() {
    for (int i = 0; i <= 1_000; i++) {
      asked(reservation(i));
    }
    assertFalse(told(0));
    assertTrue(told(1));
    assertTrue(told(1_000));
  }
}
