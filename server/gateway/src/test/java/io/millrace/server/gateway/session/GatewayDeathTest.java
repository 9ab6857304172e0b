package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.ThinClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The gateway is a process that is killed with SIGKILL in the middle of a command of each client.
 */
@Execution(ExecutionMode.CONCURRENT)
class GatewayDeathTest {
  private static final Map<String, String> USUAL = Map.of();

  @TempDir Path directory;

  private Path socket() {
    return directory.resolve("run/gateway.sock");
  }

  private Process gateway() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TestCommands.class.getName(),
                socket().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said = process.inputReader();
    assertEquals("listening", said.readLine());
    return process;
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
  }

  private static Map<String, String> patience(int seconds) {
    return Map.of("MILLRACE_CLIENT_TIMEOUT_S", Integer.toString(seconds));
  }

  /** A command of one client, whose runs are noted in a log of their own. */
  private record Call(ThinClient client, Path log, CompletableFuture<ThinClient.Result> result) {

    ThinClient.Result ended() throws Exception {
      return result.get(60, TimeUnit.SECONDS);
    }

    List<String> runs() throws IOException {
      return Files.readAllLines(log);
    }
  }

  /** Has every client call a command that hangs. */
  private List<Call> begin(
      Map<String, String> environment, List<String> through, String command, String... more) {
    List<Call> calls = new ArrayList<>();
    for (ThinClient client : ThinClient.available()) {
      Path log = directory.resolve("log-" + client);
      ProcessBuilder builder = client.command(socket(), command, "hang-first", log.toString());
      builder.command().addAll(0, through);
      builder.command().addAll(List.of(more));
      builder.environment().putAll(environment);
      calls.add(new Call(client, log, running(builder.directory(directory.toFile()))));
    }
    return calls;
  }

  private List<Call> begin(Map<String, String> environment, String command, String... more) {
    return begin(environment, List.of(), command, more);
  }

  private static CompletableFuture<ThinClient.Result> running(ProcessBuilder builder) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ThinClient.run(builder);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        task -> new Thread(task).start());
  }

  /** Waits until the log of each call has so many lines. */
  private static void await(List<Call> calls, int lines) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> calls.stream().allMatch(call -> lines(call.log()) >= lines));
  }

  private static void awaitBegun(List<Call> calls) {
    await(calls, 1);
  }

  private static void awaitUnderWay(List<Call> calls) {
    await(calls, 2);
  }

  private static long lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void theCommandIsRepeatedUnderItsIdAndItsOutputShownOnce() throws Exception {
    byte[] input = new byte[1 << 20];
    new Random(4).nextBytes(input);
    Files.write(directory.resolve("input"), input);
    Process first = gateway();
    List<Call> calls =
        begin(USUAL, List.of("sh", "-c", "cat input | \"$@\"", "sh"), "qsub", "stdin");
    awaitBegun(calls);
    kill(first);
    Process second = gateway();
    try {
      for (Call call : calls) {
        ThinClient.Result ended = call.ended();
        assertEquals(5, ended.status(), call.toString());
        assertEquals("begun\nended\n", ended.out(), call.toString());
        // On a busy machine the next gateway may be there after more than two seconds.
        assertTrue(Set.of("", waiting()).contains(ended.err()), call.client() + ended.err());
        List<String> runs = call.runs();
        assertEquals(2, runs.size());
        assertEquals(runs.get(0), runs.get(1));
        assertTrue(runs.get(0).endsWith(" " + TestCommands.hash(input)), runs.get(0));
      }
    } finally {
      kill(second);
    }
  }

  @Test
  void afterStreamingBeganTheLossIsAnError() throws Exception {
    Process gateway = gateway();
    List<Call> calls = begin(USUAL, "qstat", "streaming");
    awaitBegun(calls);
    kill(gateway);
    for (Call call : calls) {
      ThinClient.Result ended = call.ended();
      assertEquals("begun\n", ended.out(), call.toString());
      assertEquals(
          "qstat: the connection to the gateway broke and this command cannot be repeated:"
              + " see what it has done\n",
          ended.err(),
          call.toString());
      assertEquals(1, ended.status(), call.toString());
    }
  }

  @Test
  void aGatewayThatStaysAwayIsSaidWithinTheTimeGiven() throws Exception {
    Process gateway = gateway();
    List<Call> calls = begin(patience(1), "qstat");
    awaitBegun(calls);
    long start = System.nanoTime();
    kill(gateway);
    for (Call call : calls) {
      ThinClient.Result ended = call.ended();
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(tookMs < 15_000, call.client() + " took " + tookMs + " ms");
      assertEquals("", ended.out());
      assertTrue(
          ended
              .err()
              .matches(
                  "qstat: cannot connect to server [^ ]+ \\(errno=111\\): the gateway went away"
                      + " at .*; start it with ./millrace up\n"),
          call.client() + ended.err());
      assertEquals(255, ended.status(), call.toString());
    }
  }

  /** Two lines in all: why it waits, and what it does not know. */
  @Test
  void whatWasUnderWayIsSaidWithItsId() throws Exception {
    Process gateway = gateway();
    List<Call> calls = begin(patience(3), "qsub", "under-way");
    awaitUnderWay(calls);
    kill(gateway);
    for (Call call : calls) {
      ThinClient.Result ended = call.ended();
      String id = call.runs().get(0).split(" ")[0];
      assertTrue(ended.err().startsWith(waiting()), call.client() + ended.err());
      String last = ended.err().substring(waiting().length());
      assertTrue(last.startsWith("qsub: cannot connect to server "), call.client() + ended.err());
      assertTrue(
          last.endsWith(
              "; it may still be carried out; repeated as qsub --command-id "
                  + id
                  + " ... it is done once\n"),
          call.client() + ended.err());
      assertEquals(110, ended.status(), call.toString());
    }
  }

  @Test
  void theNextGatewayHearsThatACommandWentOut() throws Exception {
    Process first = gateway();
    List<Call> calls = begin(USUAL, "qsub", "under-way");
    awaitUnderWay(calls);
    kill(first);
    Process second = gateway();
    try {
      for (Call call : calls) {
        assertEquals(5, call.ended().status(), call.toString());
        assertEquals(call.runs().get(0) + " repeated", call.runs().get(2), call.toString());
      }
    } finally {
      kill(second);
    }
  }

  @Test
  void whatWasNotUnderWayWasNotSubmitted() throws Exception {
    Process gateway = gateway();
    List<Call> calls = begin(patience(1), "qsub");
    awaitBegun(calls);
    kill(gateway);
    for (Call call : calls) {
      ThinClient.Result ended = call.ended();
      assertTrue(
          ended
              .err()
              .matches(
                  "qsub: cannot connect to server [^ ]+ \\(errno=111\\): not submitted: the"
                      + " gateway went away at .*\n"),
          call.client() + ended.err());
      assertEquals(111, ended.status(), call.toString());
    }
  }

  /** What a client says that waits for longer. */
  private String waiting() {
    return "qsub: waiting for the gateway at " + socket() + "\n";
  }
}
