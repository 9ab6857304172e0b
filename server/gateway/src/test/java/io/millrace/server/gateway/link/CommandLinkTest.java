package io.millrace.server.gateway.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CommandLinkTest {

  /** A producer that meets such a record is given up, and all that was under way with it. */
  @Test
  void aCommandThatNoTopicTakesIsRefusedBeforeItIsSent() throws Exception {
    Map<String, Object> nobody = Map.of("bootstrap.servers", "127.0.0.1:1");
    try (CommandLink link = new CommandLink(LinkSettings.defaults(nobody, 0), WireCodec.local())) {
      CommandId id = CommandIds.random(System.currentTimeMillis());
      CommandMeta meta = new CommandMeta(id, "alice", "users", "vm", Role.USER, 0, 0L);
      DeleteJob large =
          new DeleteJob(
              meta, "x".repeat(Topics.COMMAND_BYTES_MAX), false, List.of(), false, false, false);
      CompletableFuture<Reply> reply = link.send("alice", 0, id, large, line -> {}, Duration.ZERO);
      ExecutionException thrown =
          assertThrows(ExecutionException.class, () -> reply.get(1, TimeUnit.SECONDS));
      LinkException failure = assertInstanceOf(LinkException.class, thrown.getCause());
      assertEquals(LinkException.LinkFailureKind.TOO_LARGE, failure.kind());
      assertTrue(failure.getMessage().contains("at most " + Topics.COMMAND_BYTES_MAX));
      assertEquals(0, link.unanswered());
    }
  }

  @Test
  void whoWaitsNoMoreIsForgottenWithTheLastOfThem() throws Exception {
    Map<String, Object> nobody = Map.of("bootstrap.servers", "127.0.0.1:1");
    Duration soon = Duration.ofMillis(100);
    LinkSettings settings =
        new LinkSettings(
            nobody,
            0,
            LinkSettings.defaults(nobody, 0).limits(),
            new LinkSettings.Timing(soon, Duration.ofDays(1), Duration.ofDays(1)));
    try (CommandLink link = new CommandLink(settings, WireCodec.local())) {
      CommandId id = CommandIds.random(System.currentTimeMillis());
      CommandMeta meta = new CommandMeta(id, "alice", "users", "vm", Role.USER, 0, 0L);
      DeleteJob command = new DeleteJob(meta, "1.vm", false, List.of(), false, false, false);
      Duration patience = Duration.ofDays(1);
      CompletableFuture<Reply> one = link.send("a", 0, id, command, line -> {}, patience);
      CompletableFuture<Reply> other = link.send("a", 0, id, command, line -> {}, patience);
      one.cancel(false);
      assertEquals(1, link.awaited());
      assertFalse(other.isDone());
      other.cancel(false);
      assertEquals(0, link.awaited());
      assertEquals(0, link.unanswered());
    }
  }

  /** The reader of answers reads one again whose hearer fails: all others would wait for ever. */
  @Test
  void anAnswerThatMakesNoSenseKeepsNobodyWaiting() throws Exception {
    Map<String, Object> nobody = Map.of("bootstrap.servers", "127.0.0.1:1");
    WireCodec codec = WireCodec.local();
    try (CommandLink link = new CommandLink(LinkSettings.defaults(nobody, 0), codec)) {
      CommandId id = CommandIds.random(System.currentTimeMillis());
      CommandMeta meta = new CommandMeta(id, "alice", "users", "vm", Role.USER, 0, 0L);
      DeleteJob command = new DeleteJob(meta, "1.vm", false, List.of(), false, false, false);
      Duration patience = Duration.ofDays(1);
      CompletableFuture<Reply> answer = link.send("a", 0, id, command, line -> {}, patience);
      int withdrawn = PbsError.WITHDRAWN.code();
      List<Reply> senseless =
          List.of(
              new Reply(id, withdrawn, List.of(), false),
              new Reply(id, withdrawn, List.of("x", "no number"), false));
      for (Reply each : senseless) {
        link.hear(new ConsumerRecord<>(Topics.REPLIES, 0, 0, null, codec.encode(each)));
      }
      assertFalse(answer.isDone());
      Reply good = new Reply(id, 0, List.of("done"), false);
      link.hear(new ConsumerRecord<>(Topics.REPLIES, 0, 0, null, codec.encode(good)));
      assertEquals(good, answer.get(10, TimeUnit.SECONDS));
    }
  }

  /** Nothing has left: it is not open, and who asked need not wait as long as for an answer. */
  @Test
  void withoutABrokerACommandIsCertainlyNotCarriedOut() throws Exception {
    Map<String, Object> nobody = Map.of("bootstrap.servers", "127.0.0.1:1");
    LinkSettings settings =
        new LinkSettings(
            nobody,
            0,
            LinkSettings.defaults(nobody, 0).limits(),
            new LinkSettings.Timing(
                Duration.ofMillis(500), Duration.ofMillis(300), Duration.ofMinutes(1)));
    try (CommandLink link = new CommandLink(settings, WireCodec.local())) {
      link.startSweeping();
      CommandId id = CommandIds.random(System.currentTimeMillis());
      CommandMeta meta = new CommandMeta(id, "alice", "users", "vm", Role.USER, 0, 0L);
      DeleteJob command = new DeleteJob(meta, "1.vm", false, List.of(), false, false, false);
      CompletableFuture<Reply> reply = link.send("a", 0, id, command, line -> {}, Duration.ZERO);
      assertEquals("", link.trouble(id, true));
      ExecutionException thrown =
          assertThrows(ExecutionException.class, () -> reply.get(10, TimeUnit.SECONDS));
      LinkException failure = assertInstanceOf(LinkException.class, thrown.getCause());
      assertEquals(LinkException.LinkFailureKind.UNREACHABLE, failure.kind());
      assertTrue(meta.getDeadlineMs() > System.currentTimeMillis(), "it has a deadline");
      assertEquals(0, link.unanswered());
    }
  }
}
