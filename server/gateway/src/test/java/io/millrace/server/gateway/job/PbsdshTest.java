package io.millrace.server.gateway.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ShardLink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class PbsdshTest {
  private final FakeSite site = new FakeSite();

  private FakeInvocation inJob(String... args) throws Exception {
    return site.run(call(args));
  }

  private FakeInvocation call(String... args) {
    List<String> line = new ArrayList<>(List.of("pbsdsh"));
    line.addAll(List.of(args));
    byte[] nodes = "one\none\ntwo\n".getBytes(StandardCharsets.UTF_8);
    FakeInvocation call = new FakeInvocation("ann", line, Map.of("/nodes", nodes), site.id());
    call.with("PBS_ENVIRONMENT", "PBS_BATCH").with("PBS_JOBID", "7.vm").with("MILLRACE_RUN", "2");
    return call.with("PBS_NODEFILE", "/nodes");
  }

  private void answer(String... lines) {
    site.answer(sent -> new Reply(sent.id(), 0, List.of(lines), false));
  }

  private List<LaunchTask> sent() {
    return site.sent.stream().map(sent -> (LaunchTask) sent.command()).toList();
  }

  private List<Integer> places() {
    return sent().stream().map(LaunchTask::getPlace).toList();
  }

  @Test
  void aCopyGoesToEachLineOfTheNodeFile() throws Exception {
    answer("0", "", "hello\n", "\u00c3\u00a4\n");
    FakeInvocation run = inJob("-v", "--", "echo", "-n", "hello");
    assertEquals(List.of(0, 1, 2), places());
    LaunchTask first = sent().get(0);
    assertEquals("7.vm", first.getJobId());
    assertEquals(2, first.getRun());
    assertEquals(List.of("echo", "-n", "hello"), first.getArgv());
    assertTrue(first.getWait());
    assertTrue(
        run.output()
            .startsWith(
                "pbsdsh: spawned task 0x00000000 on logical node 0 event 1\nhello\n"
                    + "pbsdsh: task 0x00000000 exit status 0\n"),
        run.output());
    assertEquals("\u00e4\n\u00e4\n\u00e4\n", run.errors(), "bytes as the task printed them");
    assertEquals(0, site.status);
  }

  @Test
  void placesAreChosenAsInPbs() throws Exception {
    answer("0", "", "", "");
    inJob("-c", "5", "true");
    inJob("-n", "1", "true");
    inJob("-n", "4", "-s", "true");
    inJob("-h", "two", "true");
    inJob("-h", "two.example.org", "true");
    assertEquals(List.of(0, 1, 2, 0, 1, 1, 1, 2, 2), places());
  }

  @Test
  void theExitStatusOfATaskComesBack() throws Exception {
    answer("5", "", "", "");
    FakeInvocation run = inJob("-n", "0", "false");
    assertEquals("pbsdsh: task 0x00000000 exit status 5\n", run.output());
    assertEquals(5, site.status);
    answer("271", "told to end", "", "");
    run = inJob("-n", "0", "false");
    assertEquals("pbsdsh: task 0x00000000: told to end\n", run.errors());
    assertEquals(143, site.status);
    answer("-4", "host two has no such task", "", "");
    inJob("-n", "0", "false");
    assertEquals(1, site.status);
    answer("1");
    inJob("-o", "true");
    assertEquals(0, site.status);
  }

  @Test
  void aRefusalNamesTheNode() throws Exception {
    site.refuse(15007, "Unauthorized Request ");
    FakeInvocation run = inJob("-n", "1", "true");
    assertEquals("pbsdsh: spawn failed on node 1 err Unauthorized Request \n", run.errors());
    assertEquals(1, site.status);
  }

  @Test
  void whatIsWrongIsSaidAndNothingIsSent() throws Exception {
    assertTrue(inJob().errors().startsWith("Usage: pbsdsh [-c copies]"));
    assertTrue(inJob("-c", "x", "true").errors().startsWith("pbsdsh: -c x is no number\nUsage"));
    assertTrue(inJob("-n", "1", "-c", "1", "true").errors().startsWith("Usage"));
    assertTrue(inJob("-h", "three", "true").errors().contains("host three is none of the job's"));
    assertTrue(inJob("-q", "true").errors().startsWith("pbsdsh: invalid option -- 'q'\nUsage"));
    assertEquals(1, site.status);
    FakeInvocation outside = site.run("ann", "pbsdsh", "true");
    assertEquals("pbsdsh: not executing under PBS\n", outside.errors());
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
  }

  /** A shard that answers after a while, and lets a run have as many tasks as a real one does. */
  private static final class Slow implements ShardLink {
    private final Deque<Runnable> open = new ArrayDeque<>();
    private int answered;

    @Override
    public synchronized CompletableFuture<Reply> send(
        String client,
        int shard,
        CommandId id,
        SpecificRecord command,
        Consumer<String> interim,
        Duration patience) {
      if (open.size() >= 256) {
        Reply refusal = new Reply(id, 15016, List.of("256 tasks have not ended"), false);
        return CompletableFuture.completedFuture(refusal);
      }
      CompletableFuture<Reply> reply = new CompletableFuture<>();
      int place = ((LaunchTask) command).getPlace();
      List<String> lines = List.of("0", "", place + "\n", "");
      open.add(() -> reply.complete(new Reply(id, 0, lines, false)));
      return reply;
    }

    private synchronized void answer() {
      while (!open.isEmpty()) {
        answered++;
        open.remove().run();
      }
    }

    @Override
    public int replyPlace() {
      return 3;
    }
  }

  @Test
  void moreTasksThanARunMayHaveAtATimeAreStartedAsOthersEnd() throws Exception {
    Slow slow = new Slow();
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try {
      later.scheduleWithFixedDelay(slow::answer, 300, 100, TimeUnit.MILLISECONDS);
      Site of = site.site();
      FakeInvocation run = call("-c", "600", "true");
      int status = new CommandTable(new Site(slow, site, site, of.clock(), "vm")).run(run);
      assertEquals(0, status, run.errors());
      assertEquals(600, slow.answered);
      assertTrue(run.output().startsWith("0\n1\n2\n0\n1\n2\n"), "in their order");
      assertEquals(600, run.output().lines().count());
    } finally {
      later.shutdownNow();
    }
  }

  /** A shard that never answers. */
  private static final class Mute implements ShardLink {
    private final List<CompletableFuture<Reply>> open = new ArrayList<>();
    private final CountDownLatch asked = new CountDownLatch(3);

    @Override
    public CompletableFuture<Reply> send(
        String client,
        int shard,
        CommandId id,
        SpecificRecord command,
        Consumer<String> interim,
        Duration patience) {
      open.add(new CompletableFuture<>());
      asked.countDown();
      return open.get(open.size() - 1);
    }

    @Override
    public int replyPlace() {
      return 3;
    }
  }

  @Test
  void whoLeavesIsNotWaitedForAnyMore() throws Exception {
    Mute mute = new Mute();
    Site of = site.site();
    FutureTask<Integer> call =
        new FutureTask<>(
            () -> new CommandTable(new Site(mute, site, site, of.clock(), "vm")).run(call("true")));
    Thread client = new Thread(call);
    client.start();
    assertTrue(mute.asked.await(30, TimeUnit.SECONDS));
    client.interrupt();
    client.join(30_000);
    assertTrue(call.isDone());
    assertEquals(3, mute.open.stream().filter(CompletableFuture::isCancelled).count());
  }

  @Test
  void copiesHaveABound() throws Exception {
    FakeInvocation run = inJob("-c", "4097", "true");
    assertEquals("pbsdsh: 4097 copies: at most 4096 are started by one call\n", run.errors());
    assertEquals(1, site.status);
    assertEquals(List.of(), site.sent);
  }
}
