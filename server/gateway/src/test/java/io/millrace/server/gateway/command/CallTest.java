package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.ShardLink;
import io.millrace.server.gateway.session.Invocation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallTest {
  /** How many commands wait for their answers when these come. */
  private static final int SHARD_ANSWERS_AT = 100;

  private final FakeSite cluster = new FakeSite();
  private volatile Throwable linkFailure;

  @Test
  void whatAShardSaysMeanwhileIsToldInOrderBeforeTheAnswer() throws Exception {
    FakeInvocation invocation = invocation();
    assertEquals(0, run(invocation));
    assertEquals("qdel: waiting for shard 3\nqdel: waiting for shard 4\n", invocation.errors());
  }

  /** The thread that hears the replies serves all users: one who is gone must not end it. */
  @Test
  void aClientThatIsGoneIsNoBusinessOfTheThreadThatHearsReplies() throws Exception {
    FakeInvocation real = invocation();
    Invocation gone =
        (Invocation)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Invocation.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("err")) {
                    throw new GoneException();
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    assertThrows(GoneException.class, () -> run(gone));
    assertNull(linkFailure);
  }

  /** All are on their way before the first is answered, as far as the bound lets them. */
  @Test
  void manyCommandsDoNotWaitForEachOther() throws Exception {
    Map<CommandId, CompletableFuture<Reply>> flights = new LinkedHashMap<>();
    List<Integer> unanswered = new ArrayList<>();
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
            CompletableFuture<Reply> flight = new CompletableFuture<>();
            flights.put(id, flight);
            unanswered.add(flights.size());
            if (flights.size() == SHARD_ANSWERS_AT) {
              // The last one first: the answers keep the order of the commands all the same.
              List<CommandId> ids = new ArrayList<>(flights.keySet());
              Collections.reverse(ids);
              ids.forEach(it -> flights.remove(it).complete(new Reply(it, 0, List.of(), false)));
            }
            return flight;
          }

          @Override
          public int replyPlace() {
            return 0;
          }
        };
    Site plain = cluster.site();
    Site site = new Site(link, plain.cluster(), plain.queries(), plain.clock(), plain.host());
    Call call = new Call(invocation(), site, "qdel", List.of());
    List<CommandId> sent = new ArrayList<>();
    List<Call.Addressed> commands = new ArrayList<>();
    for (int i = 0; i < 2 * SHARD_ANSWERS_AT; i++) {
      commands.add(
          new Call.Addressed(
              0,
              meta -> {
                sent.add(meta.getId());
                return null;
              }));
    }
    List<Optional<Reply>> replies = call.sendAll(commands).replies();
    assertEquals(sent, replies.stream().map(reply -> reply.orElseThrow().getId()).toList());
    assertEquals(SHARD_ANSWERS_AT, Collections.max(unanswered));
  }

  /** What the others answered can be told, and the silent one is asked no more. */
  @Test
  void aShardThatDoesNotAnswerDoesNotHideTheOthersAnswers() throws Exception {
    int silent = 1;
    List<Integer> asked = new ArrayList<>();
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
            asked.add(shard);
            return shard == silent
                ? CompletableFuture.failedFuture(
                    new LinkException(
                        LinkException.LinkFailureKind.UNANSWERED, "shard 1 is silent"))
                : CompletableFuture.completedFuture(new Reply(id, 0, List.of(), false));
          }

          @Override
          public int replyPlace() {
            return 0;
          }
        };
    Site plain = cluster.site();
    Site site = new Site(link, plain.cluster(), plain.queries(), plain.clock(), plain.host());
    Call call = new Call(invocation(), site, "qdel", List.of());
    List<Call.Addressed> commands = new ArrayList<>();
    for (int i = 0; i < 4 * SHARD_ANSWERS_AT; i++) {
      commands.add(new Call.Addressed(i % 2, meta -> null));
    }
    Call.CommandAnswers answers = call.sendAll(commands);
    assertEquals("shard 1 is silent", answers.failure().orElseThrow().getMessage());
    for (int i = 0; i < commands.size(); i++) {
      assertEquals(i % 2 != silent, answers.replies().get(i).isPresent());
    }
    assertTrue(Collections.frequency(asked, silent) <= SHARD_ANSWERS_AT, asked.toString());
    assertEquals(2 * SHARD_ANSWERS_AT, Collections.frequency(asked, 0));
  }

  private static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private FakeInvocation invocation() {
    return new FakeInvocation("alice", List.of("qdel", "1"), new HashMap<>(), cluster.id());
  }

  private int run(Invocation invocation) throws Exception {
    Site plain = cluster.site();
    Site slow =
        new Site(new SlowLink(), plain.cluster(), plain.queries(), plain.clock(), plain.host());
    return new CommandTable(slow).run(invocation);
  }

  /** Says two lines and then the answer, on a thread of its own. */
  private final class SlowLink implements ShardLink {
    @Override
    public CompletableFuture<Reply> send(
        String client,
        int shard,
        CommandId id,
        SpecificRecord command,
        Consumer<String> interim,
        Duration patience) {
      CompletableFuture<Reply> reply = new CompletableFuture<>();
      Thread hearing =
          new Thread(
              () -> {
                try {
                  interim.accept("waiting for shard 3");
                  interim.accept("waiting for shard 4");
                } catch (RuntimeException e) {
                  linkFailure = e;
                }
                reply.complete(new Reply(id, 0, List.of(), false));
              });
      hearing.start();
      return reply;
    }

    @Override
    public int replyPlace() {
      return 0;
    }
  }
}
