package io.millrace.server.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What both clients say without a gateway; most of it is waiting, so it happens side by side. */
@Execution(ExecutionMode.CONCURRENT)
class GatewayAbsentTest {
  /** Five seconds are promised; on a busy machine only that it does not wait for ever. */
  private static final Duration PATIENCE =
      Duration.ofSeconds(Boolean.getBoolean("millrace.night") ? 5 : 60);

  @TempDir Path directory;

  static List<ThinClient> clients() {
    return ThinClient.available();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void noSocketIsOneLineAfterASecondLook(ThinClient client) throws Exception {
    Path socket = directory.resolve("gateway.sock");
    long start = System.nanoTime();
    ThinClient.Result result = ThinClient.run(client.command(socket, "qsub"));
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertUnreachable(result, "qsub", 111, socket);
    assertTrue(took.toMillis() >= 2_900, "gave up without a second look: " + took);
    assertTrue(took.compareTo(PATIENCE) < 0, "took " + took);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aDeadGatewaysSocketIsTheSameLineAndTheCodesArePbs(ThinClient client) throws Exception {
    Path socket = directory.resolve("gateway.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertUnreachable(impatient(client, socket, "qdel"), "qdel", 111, socket);
    assertUnreachable(impatient(client, socket, "qstat"), "qstat", 255, socket);
    assertUnreachable(impatient(client, socket, "qmgr"), "qmgr", 3, socket);
    assertUnreachable(impatient(client, socket, "pbsnodes"), "pbsnodes", 1, socket);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void theSocketOfTheHomeDirectoryIsTheSecondChoice(ThinClient client) throws Exception {
    ProcessBuilder builder = client.command(directory.resolve("unused"), "qstat");
    builder.environment().remove("MILLRACE_SOCKET");
    builder.environment().put("MILLRACE_HOME", directory.toString());
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "0");
    ThinClient.Result result = ThinClient.run(builder);
    assertUnreachable(result, "qstat", 255, directory.resolve("run/gateway.sock"));
  }

  @ParameterizedTest
  @MethodSource("clients")
  void wrongSettingsAreNamed(ThinClient client) throws Exception {
    ProcessBuilder builder = client.command(directory.resolve("gateway.sock"), "qstat");
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "soon");
    ThinClient.Result result = ThinClient.run(builder);
    assertEquals(
        "qstat: MILLRACE_CLIENT_TIMEOUT_S=soon: give seconds from 0 to 86400\n", result.err());
    assertEquals(1, result.status());

    Path far = directory.resolve("x".repeat(120));
    ThinClient.Result tooLong = impatient(client, far, "qstat");
    assertEquals("qstat: socket path longer than 107 bytes: " + far + "\n", tooLong.err());
    assertEquals(1, tooLong.status());
  }

  private static ThinClient.Result impatient(ThinClient client, Path socket, String command)
      throws Exception {
    ProcessBuilder builder = client.command(socket, command);
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "0");
    return ThinClient.run(builder);
  }

  private static void assertUnreachable(
      ThinClient.Result result, String command, int status, Path socket) {
    String expected =
        command.equals("qmgr")
            ? "Connection refused\nqmgr: cannot connect to server \nqmgr: "
            : command + ": cannot connect to server [^ ]+ \\(errno=111\\): ";
    expected += command.equals("qsub") ? "not submitted: " : "";
    expected += "no gateway at " + socket + "; start it with ./millrace up\n";
    assertTrue(result.err().matches(expected), result.err());
    assertEquals("", result.out());
    assertEquals(status, result.status());
  }
}
