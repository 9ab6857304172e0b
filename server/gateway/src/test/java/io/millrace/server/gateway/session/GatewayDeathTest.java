package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.ThinClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The gateway is a process that is killed with SIGKILL in the middle of a command. */
class GatewayDeathTest {
  @TempDir Path directory;

  static List<ThinClient> clients() {
    return ThinClient.available();
  }

  private Path socket() {
    return directory.resolve("run/gateway.sock");
  }

  private Process gateway() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
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

  private static CompletableFuture<ThinClient.Result> running(ProcessBuilder builder) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return ThinClient.run(builder);
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void await(BooleanSupplier condition) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(5))
        .until(condition::getAsBoolean);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theCommandIsRepeatedUnderItsIdAndItsOutputShownOnce(ThinClient client) throws Exception {
    byte[] input = new byte[1 << 20];
    new Random(4).nextBytes(input);
    Files.write(directory.resolve("input"), input);
    Path log = directory.resolve("log");
    Process first = gateway();
    ProcessBuilder builder =
        client.command(socket(), "qsub", "hang-first", log.toString(), "stdin");
    builder.command().addAll(0, List.of("sh", "-c", "cat input | \"$@\"", "sh"));
    CompletableFuture<ThinClient.Result> result = running(builder.directory(directory.toFile()));
    await(() -> log.toFile().length() > 0);
    kill(first);
    Process second = gateway();
    try {
      ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
      assertEquals(5, ended.status());
      assertEquals("begun\nended\n", ended.out());
      // On a busy machine the next gateway may be there after more than two seconds.
      assertTrue(Set.of("", waiting()).contains(ended.err()), ended.err());
      List<String> runs = Files.readAllLines(log);
      assertEquals(2, runs.size());
      assertEquals(runs.get(0), runs.get(1));
      assertTrue(runs.get(0).endsWith(" " + TestCommands.hash(input)), runs.get(0));
    } finally {
      kill(second);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void afterStreamingBeganTheLossIsAnError(ThinClient client) throws Exception {
    Path log = directory.resolve("log");
    Process gateway = gateway();
    CompletableFuture<ThinClient.Result> result =
        running(client.command(socket(), "qstat", "hang-first", log.toString(), "streaming"));
    await(() -> log.toFile().length() > 0);
    kill(gateway);
    ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
    assertEquals("begun\n", ended.out());
    assertEquals(
        "qstat: the connection to the gateway broke and this command cannot be repeated:"
            + " see what it has done\n",
        ended.err());
    assertEquals(1, ended.status());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aGatewayThatStaysAwayIsSaidWithinTheTimeGiven(ThinClient client) throws Exception {
    Path log = directory.resolve("log");
    Process gateway = gateway();
    ProcessBuilder builder = client.command(socket(), "qstat", "hang-first", log.toString());
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "1");
    CompletableFuture<ThinClient.Result> result = running(builder);
    await(() -> log.toFile().length() > 0);
    long start = System.nanoTime();
    kill(gateway);
    ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
    long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMs < 15_000, "took " + tookMs + " ms");
    assertEquals("", ended.out());
    assertTrue(
        ended
            .err()
            .matches(
                "qstat: cannot connect to server [^ ]+ \\(errno=111\\): the gateway went away"
                    + " at .*; start it with ./millrace up\n"),
        ended.err());
    assertEquals(255, ended.status());
  }

  /** Two lines in all: why it waits, and what it does not know. */
  @ParameterizedTest
  @MethodSource("clients")
  void whatWasUnderWayIsSaidWithItsId(ThinClient client) throws Exception {
    Path log = directory.resolve("log");
    Process gateway = gateway();
    ProcessBuilder builder =
        client.command(socket(), "qsub", "hang-first", log.toString(), "under-way");
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "3");
    CompletableFuture<ThinClient.Result> result = running(builder);
    await(() -> lines(log) == 2);
    kill(gateway);
    ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
    String id = Files.readAllLines(log).get(0).split(" ")[0];
    assertTrue(ended.err().startsWith(waiting()), ended.err());
    String last = ended.err().substring(waiting().length());
    assertTrue(last.startsWith("qsub: cannot connect to server "), ended.err());
    assertTrue(
        last.endsWith(
            "; it may still be carried out; repeated as qsub --command-id "
                + id
                + " ... it is done once\n"),
        ended.err());
    assertEquals(110, ended.status());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theNextGatewayHearsThatACommandWentOut(ThinClient client) throws Exception {
    Path log = directory.resolve("log");
    Process first = gateway();
    CompletableFuture<ThinClient.Result> result =
        running(client.command(socket(), "qsub", "hang-first", log.toString(), "under-way"));
    await(() -> lines(log) == 2);
    kill(first);
    Process second = gateway();
    try {
      assertEquals(5, result.get(60, TimeUnit.SECONDS).status());
      List<String> runs = Files.readAllLines(log);
      assertEquals(runs.get(0) + " repeated", runs.get(2));
    } finally {
      kill(second);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whatWasNotUnderWayWasNotSubmitted(ThinClient client) throws Exception {
    Path log = directory.resolve("log");
    Process gateway = gateway();
    ProcessBuilder builder = client.command(socket(), "qsub", "hang-first", log.toString());
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "1");
    CompletableFuture<ThinClient.Result> result = running(builder);
    await(() -> log.toFile().length() > 0);
    kill(gateway);
    ThinClient.Result ended = result.get(60, TimeUnit.SECONDS);
    assertTrue(
        ended
            .err()
            .matches(
                "qsub: cannot connect to server [^ ]+ \\(errno=111\\): not submitted: the gateway"
                    + " went away at .*\n"),
        ended.err());
    assertEquals(111, ended.status());
  }

  /** What a client says that waits for longer. */
  private String waiting() {
    return "qsub: waiting for the gateway at " + socket() + "\n";
  }

  private static long lines(Path file) {
    try {
      return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
