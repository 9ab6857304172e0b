package io.millrace.server.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How long both clients ask a gateway that is busy or breaks off again. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class BusyGatewayTest {
  @TempDir Path directory;

  static List<ThinClient> clients() {
    return ThinClient.available();
  }

  private Path socket() {
    return directory.resolve("gateway.sock");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aLongConversationGivesAllTheTimeForWaitingBack(ThinClient client) throws Exception {
    ScriptedGateway.Script busy = peer -> peer.send(Frames.BUSY, bytes("too many sessions"));
    ScriptedGateway.Script breaks = peer -> outlast(Duration.ofSeconds(1));
    ScriptedGateway.Script ends = peer -> peer.send(Frames.EXIT, (byte) 0);
    ScriptedGateway.Script[] days = {
      busy, busy, busy, busy, breaks, busy, busy, busy, busy, breaks, ends
    };
    try (ScriptedGateway gateway = new ScriptedGateway(socket(), days)) {
      ProcessBuilder builder = client.command(socket(), "pbsdsh");
      builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "1");
      assertEquals(new ThinClient.Result(0, "", ""), ThinClient.run(builder));
      assertEquals(days.length, gateway.openings().size());
    }
  }

  /**
   * Keeps the conversation open for longer than the client's time for waiting, and says nothing.
   */
  private static void outlast(Duration waiting) {
    long begun = System.nanoTime();
    Awaitility.await()
        .pollInterval(Duration.ofMillis(50))
        .until(() -> System.nanoTime() - begun > waiting.plusMillis(200).toNanos());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aBusyGatewayIsAskedAgainUntilTheTimeIsUsedUp(ThinClient client) throws Exception {
    ScriptedGateway.Script busy = peer -> peer.send(Frames.BUSY, bytes("too many sessions"));
    try (ScriptedGateway gateway =
        new ScriptedGateway(socket(), busy, busy, peer -> peer.send(Frames.EXIT, (byte) 0))) {
      ThinClient.Result result = ThinClient.run(client.command(socket(), "qstat"));
      assertEquals("", result.err());
      assertEquals(0, result.status());
      assertEquals(3, gateway.openings().size());
    }
    Files.delete(socket());
    try (ScriptedGateway gateway = new ScriptedGateway(socket(), busy)) {
      ProcessBuilder builder = client.command(socket(), "qstat");
      builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "0");
      ThinClient.Result result = ThinClient.run(builder);
      assertEquals("qstat: too many sessions\n", result.err());
      assertEquals(1, result.status());
      assertEquals(1, gateway.openings().size());
    }
  }
}
