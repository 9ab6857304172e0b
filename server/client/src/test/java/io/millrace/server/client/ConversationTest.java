package io.millrace.server.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both clients against a gateway whose every frame the test chooses. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class ConversationTest {
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

  private static byte[] readFileRequest(String path) {
    byte[] name = bytes(path);
    return ByteBuffer.allocate(4 + name.length).putInt(1 << 20).put(name).array();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aBrokenConnectionIsRepeatedUnderTheSameId(ThinClient client) throws Exception {
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> peer.send(Frames.OUT, bytes("never shown\n")),
            peer -> peer.sendHeader(Frames.OUT, 100),
            peer -> {
              peer.send(Frames.OUT, bytes("1.vm\n"));
              peer.send(Frames.EXIT, (byte) 7);
            })) {
      ThinClient.Result result = ThinClient.run(client.command(socket(), "qsub", "-N", "a b"));
      assertEquals("1.vm\n", result.out());
      assertEquals("", result.err());
      assertEquals(7, result.status());
      assertEquals(3, gateway.openings().size());
      byte[] first = gateway.openings().get(0).get(0).payload();
      assertEquals("qsub", new String(first, 23, first.length - 23, StandardCharsets.UTF_8));
      for (List<ScriptedGateway.Frame> opening : gateway.openings()) {
        assertArrayEquals(first, opening.get(0).payload());
        assertEquals("-N", new String(opening.get(1).payload(), StandardCharsets.UTF_8));
        assertEquals("a b", new String(opening.get(2).payload(), StandardCharsets.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void twoInvocationsHaveTwoIds(ThinClient client) throws Exception {
    ScriptedGateway.Script end = peer -> peer.send(Frames.EXIT, (byte) 0);
    try (ScriptedGateway gateway = new ScriptedGateway(socket(), end, end)) {
      assertEquals(0, ThinClient.run(client.command(socket(), "qstat")).status());
      assertEquals(0, ThinClient.run(client.command(socket(), "qstat")).status());
      byte[] first = gateway.openings().get(0).get(0).payload();
      byte[] second = gateway.openings().get(1).get(0).payload();
      assertNotEquals(
          ByteBuffer.wrap(Arrays.copyOfRange(first, 2, 18)),
          ByteBuffer.wrap(Arrays.copyOfRange(second, 2, 18)));
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void afterACommitABreakIsAnError(ThinClient client) throws Exception {
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> {
              peer.send(Frames.OUT, bytes("half "));
              peer.send(Frames.COMMIT);
              peer.send(Frames.OUT, bytes("of it"));
            })) {
      ThinClient.Result result = ThinClient.run(client.command(socket(), "qstat"));
      assertEquals("half of it", result.out());
      assertBrokenForGood(result);
      assertEquals(1, gateway.openings().size());
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void inputFromAPipeIsReplayed(ThinClient client) throws Exception {
    byte[] script = new byte[1 << 20];
    new Random(1).nextBytes(script);
    assertReplayed(client, script, false);
  }

  @ParameterizedTest
  @MethodSource("clients")
  void inputFromAFileIsReadAgainWhateverItsSize(ThinClient client) throws Exception {
    byte[] script = new byte[5 << 20];
    new Random(2).nextBytes(script);
    assertReplayed(client, script, true);
  }

  private void assertReplayed(ThinClient client, byte[] script, boolean redirected)
      throws Exception {
    Path file = Files.write(directory.resolve("script"), script);
    AtomicReference<byte[]> first = new AtomicReference<>();
    AtomicReference<byte[]> second = new AtomicReference<>();
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> first.set(peer.readStdin(100_000)),
            peer -> {
              second.set(peer.readStdin(3_000));
              peer.send(Frames.EXIT, (byte) 0);
            })) {
      String line = String.join(" ", client.command(socket(), "qsub").command());
      ProcessBuilder shell =
          new ProcessBuilder(
              "sh", "-c", redirected ? line + " <" + file : "cat " + file + "|" + line);
      shell.environment().put("MILLRACE_SOCKET", socket().toString());
      ThinClient.Result result = ThinClient.run(shell);
      assertEquals("", result.err());
      assertEquals(0, result.status());
      assertEquals(2, gateway.openings().size());
    }
    assertArrayEquals(script, first.get());
    assertArrayEquals(script, second.get());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void whatCanBeReadOnlyOnceIsNeverRepeated(ThinClient client) throws Exception {
    Path file = Files.write(directory.resolve("big"), new byte[3 << 20]);
    try (ScriptedGateway gateway =
        new ScriptedGateway(socket(), peer -> peer.readStdin(Frames.PAYLOAD_MAX))) {
      String line = String.join(" ", client.command(socket(), "qsub").command());
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", "cat " + file + " | " + line);
      shell.environment().put("MILLRACE_SOCKET", socket().toString());
      assertBrokenForGood(ThinClient.run(shell));
      assertEquals(1, gateway.openings().size());
    }
    Files.delete(socket());
    Path pipe = directory.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Thread writer = new Thread(() -> writeTo(pipe));
    writer.start();
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> {
              peer.send(Frames.READ_FILE, readFileRequest(pipe.toString()));
              assertEquals(Frames.CHUNK, peer.receive().type());
            })) {
      assertBrokenForGood(ThinClient.run(client.command(socket(), "qsub")));
      assertEquals(1, gateway.openings().size());
    }
    writer.join();
  }

  private static void writeTo(Path pipe) {
    try {
      Files.writeString(pipe, "a script that exists once");
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void aFrameThatIsUnknownOrTooLargeEndsTheClient(ThinClient client) throws Exception {
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> peer.send(0x7e, (byte) 1, (byte) 2),
            peer -> peer.sendHeader(Frames.OUT, 256 * 1024 + 1),
            peer -> peer.send(Frames.READ_STDIN, (byte) 1))) {
      assertBreach(client, "an unknown frame (type 0x7e, 2 bytes)");
      assertBreach(client, "a frame of 262145 bytes");
      assertBreach(client, "an unknown frame (type 0x24, 1 bytes)");
      assertEquals(3, gateway.openings().size());
    }
  }

  private void assertBreach(ThinClient client, String what) throws Exception {
    ThinClient.Result result = ThinClient.run(client.command(socket(), "qstat"));
    assertEquals("qstat: the gateway sent " + what + "\n", result.err());
    assertEquals(1, result.status());
  }

  @ParameterizedTest
  @MethodSource("clients")
  void moreOutputThanAClientHoldsIsShownEarly(ThinClient client) throws Exception {
    byte[] part = new byte[200_000];
    Arrays.fill(part, (byte) 'x');
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> {
              for (int i = 0; i < 50; i++) {
                peer.send(Frames.OUT, part);
              }
            })) {
      ThinClient.Result result = ThinClient.run(client.command(socket(), "qstat"));
      assertEquals(10_000_000, result.out().length());
      assertBrokenForGood(result);
      assertEquals(1, gateway.openings().size());
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void outputThatCannotBeWrittenIsSaid(ThinClient client) throws Exception {
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> {
              peer.send(Frames.OUT, bytes("1.vm\n"));
              peer.send(Frames.EXIT, (byte) 0);
            })) {
      String line = String.join(" ", client.command(socket(), "qsub").command());
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", line + " >/dev/full");
      shell.environment().put("MILLRACE_SOCKET", socket().toString());
      ThinClient.Result result = ThinClient.run(shell);
      assertEquals("qsub: standard output: No space left on device\n", result.err());
      assertEquals(1, result.status());
      assertEquals(1, gateway.openings().size());
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void handlesAreServedAndWrongOnesRefused(ThinClient client) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "0123456789");
    byte[] name = bytes(file.toString());
    byte[] open = ByteBuffer.allocate(1 + name.length).put((byte) 3).put(name).array();
    byte[] four = {3, 0, 0, 0, 4};
    try (ScriptedGateway gateway =
        new ScriptedGateway(
            socket(),
            peer -> {
              assertError("Bad file descriptor", ask(peer, Frames.READ_CHUNK, four));
              assertEquals(Frames.DONE, ask(peer, Frames.OPEN_FILE, open).type());
              assertError("Too many open files", ask(peer, Frames.OPEN_FILE, open));
              assertEquals("0123", text(ask(peer, Frames.READ_CHUNK, four)));
              assertEquals("4567", text(ask(peer, Frames.READ_CHUNK, four)));
              assertEquals("89", text(ask(peer, Frames.READ_CHUNK, four)));
              assertEquals(Frames.END, ask(peer, Frames.READ_CHUNK, four).type());
              peer.send(Frames.CLOSE_FILE, (byte) 3);
              assertEquals(Frames.DONE, ask(peer, Frames.OPEN_FILE, open).type());
              open[0] = 9;
              assertError("Too many open files", ask(peer, Frames.OPEN_FILE, open));
              peer.send(Frames.EXIT, (byte) 0);
            })) {
      ThinClient.Result result = ThinClient.run(client.command(socket(), "qsub"));
      assertEquals("", result.err());
      assertEquals(0, result.status());
      assertEquals(1, gateway.openings().size());
    }
  }

  private static ScriptedGateway.Frame ask(ScriptedGateway.Peer peer, int type, byte[] request)
      throws java.io.IOException {
    peer.send(type, request);
    return peer.receive();
  }

  private static String text(ScriptedGateway.Frame frame) {
    assertEquals(Frames.CHUNK, frame.type());
    return new String(frame.payload(), StandardCharsets.UTF_8);
  }

  private static void assertError(String words, ScriptedGateway.Frame frame) {
    assertEquals(Frames.ERROR, frame.type());
    assertEquals(words, new String(frame.payload(), StandardCharsets.UTF_8));
  }

  private static void assertBrokenForGood(ThinClient.Result result) {
    assertTrue(
        result
            .err()
            .matches(
                "q\\w+: the connection to the gateway broke and this command cannot"
                    + " be repeated: see what it has done\n"),
        result.err());
    assertEquals(1, result.status());
  }
}
