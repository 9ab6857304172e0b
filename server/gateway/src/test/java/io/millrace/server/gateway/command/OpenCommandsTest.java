package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.ShardLink;
import io.millrace.server.gateway.session.GatewayBusyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said of commands whose answer does not come, and commands that are repeated. */
@Timeout(30)
class OpenCommandsTest {
  private static final UUID ID = new UUID(FakeSite.NOW_MS << 16 | 0x7000, 0x80L << 56 | 7);

  private final FakeSite cluster = new FakeSite();
  private int status;

  private FakeInvocation call(String... line) {
    return new FakeInvocation("alice", List.of(line), new HashMap<>(), cluster.id());
  }

  /** Runs a command whose link says nothing but this, after a time. */
  private String failing(LinkException.LinkFailureKind kind, long afterMs, String... line)
      throws Exception {
    Site plain = cluster.site();
    ShardLink link =
        new ShardLink() {
          @Override
          public CompletableFuture<Reply> send(
              String client,
              int shard,
              CommandId id,
              SpecificRecord command,
              Consumer<String> interim,
              Duration patience) {
            CompletableFuture<Reply> reply = new CompletableFuture<>();
            CompletableFuture.delayedExecutor(afterMs, TimeUnit.MILLISECONDS)
                .execute(() -> reply.completeExceptionally(new LinkException(kind, "it is dark")));
            return reply;
          }

          @Override
          public String trouble(CommandId id, boolean due) {
            return due ? "it gets dark" : "";
          }

          @Override
          public int replyPlace() {
            return 0;
          }
        };
    FakeInvocation invocation = call(line);
    Site site = new Site(link, plain.cluster(), plain.queries(), plain.clock(), plain.host());
    status = new CommandTable(site).run(invocation);
    return invocation.errors();
  }

  @Test
  void whatIsOpenIsSaidWithTheIdUnderWhichItIsDoneOnce() throws Exception {
    LinkException.LinkFailureKind open = LinkException.LinkFailureKind.UNANSWERED;
    String words = failing(open, 0, "qsub", "--command-id", ID.toString(), "--", "/bin/true");
    assertEquals(
        "qsub: it is dark; it may still be carried out; repeated as qsub --command-id "
            + ID
            + " ... it is done once\n",
        words);
    assertEquals(110, status);
  }

  @Test
  void whatIsCertainlyNotDoneIsSaidSo() throws Exception {
    LinkException.LinkFailureKind never = LinkException.LinkFailureKind.UNREACHABLE;
    assertEquals(
        "qsub: cannot connect to server vm (errno=111): not submitted: it is dark\n",
        failing(never, 0, "qsub", "--", "/bin/true"));
    assertEquals(111, status);
    assertEquals(
        "qdel: cannot connect to server vm (errno=111): not carried out: it is dark\n",
        failing(never, 0, "qdel", "1"));
  }

  /** Whoever repeats may have had it carried out the first time. */
  @Test
  void whatIsRepeatedIsNotCalledNotSubmitted() throws Exception {
    LinkException.LinkFailureKind never = LinkException.LinkFailureKind.UNREACHABLE;
    String words = failing(never, 0, "qsub", "--command-id", ID.toString(), "--", "/bin/true");
    assertTrue(words.startsWith("qsub: it is dark; it may still be carried out"), words);
    assertEquals(110, status);
  }

  @Test
  void whoWaitsIsToldWhyOnce() throws Exception {
    String words =
        failing(LinkException.LinkFailureKind.UNREACHABLE, 3500, "qsub", "--", "/bin/true");
    assertTrue(words.startsWith("qsub: waiting for the server: it gets dark"), words);
    assertEquals(1, words.split("waiting for the server", -1).length - 1, words);
  }

  @Test
  void whoAskedToWaitIsNotToldThatHeWaits() throws Exception {
    String[] line = {"pbs_rsub", "-I", "5", "-R", "202912311200", "-D", "60"};
    String words = failing(LinkException.LinkFailureKind.UNANSWERED, 2600, line);
    assertTrue(words.startsWith("pbs_rsub: it is dark; it may still be"), words);
  }

  /** The next gateway has the answer. */
  @Test
  void aGatewayThatStopsSendsItsClientsToTheNextOne() {
    LinkException.LinkFailureKind closed = LinkException.LinkFailureKind.CLOSED;
    Assertions.assertThrows(
        GatewayBusyException.class, () -> failing(closed, 0, "qsub", "--", "/bin/true"));
  }

  @Test
  void whatIsRepeatedUnderItsIdIsDoneOnce() throws Exception {
    String[] line = {"qsub", "--command-id", ID.toString(), "--", "/bin/true"};
    String first = cluster.run(call(line)).output();
    assertEquals(first, cluster.run(call(line)).output());
    assertEquals(cluster.sent.get(0).id(), cluster.sent.get(1).id());
    cluster.run(call("qsub", "--", "/bin/true"));
    assertTrue(!cluster.sent.get(0).id().equals(cluster.sent.get(2).id()));
  }

  @Test
  void anIdIsOneThatWasMadeNow() throws Exception {
    String old = new UUID(0x7000, 0x80L << 56).toString();
    for (String wrong : List.of("1", UUID.randomUUID().toString(), "")) {
      FakeInvocation run = cluster.run(call("qsub", "--command-id", wrong, "--", "/bin/true"));
      assertEquals("qsub: --command-id takes a UUID of version 7, made now\n", run.errors());
      assertEquals(2, cluster.status);
    }
    FakeInvocation run = cluster.run(call("qsub", "--command-id", old, "--", "/bin/true"));
    assertTrue(run.errors().startsWith("qsub: the command id was not made now"), run.errors());
    assertEquals(0, cluster.sent.size());
    assertEquals(
        2, cluster.run(call("qsub", "--command-id")).errors().isEmpty() ? 0 : cluster.status);
  }

  @Test
  void itsHelpNamesIt() throws Exception {
    assertTrue(cluster.run(call("qdel", "--help")).output().contains("  --command-id ID"));
    assertTrue(!cluster.run(call("qstat", "--help")).output().contains("--command-id"));
  }

  /** An option of a program is none of the command's. */
  @Test
  void theOptionStandsFirst() throws Exception {
    cluster.run(call("qsub", "--", "/bin/echo", "--command-id", "x"));
    assertEquals(0, cluster.status);
    cluster.run(call("qstat", "--command-id", ID.toString()));
    assertEquals(2, cluster.status, "what changes nothing has no such option");
  }
}
