package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that has a terminal, and this test in the place of the qsub that waits for it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES) // a run that does not come would be waited for
class TerminalIT {
  @TempDir Path directory;
  private ExecutionFolder place;
  private LocalExecution execution;
  private ServerSocketChannel listener;

  @BeforeEach
  void open() throws Exception {
    place =
        new ExecutionFolder(directory, directory.resolve("spool"), Supervisors.compiled(), true);
    execution = place.open();
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket()));
  }

  @AfterEach
  void close() throws Exception {
    listener.close();
    place.close();
  }

  private Path socket() {
    return directory.resolve("t");
  }

  /** Not bash, for which the profile of the one who runs the test may do anything. */
  private RunRequest shell(String id) {
    RunRequest plain = place.request(id, new RunProgram.Terminal(socket().toString(), "/bin/dash"));
    return ExecutionFolder.withFiles(plain, new RunFiles("/dev/null", "/dev/null", "n", 0077));
  }

  /** The end of qsub. */
  private static final class Client implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();

    Client(SocketChannel channel) {
      this.channel = channel;
    }

    void tell(char type, byte... payload) throws IOException {
      ByteBuffer frame = ByteBuffer.allocate(3 + payload.length);
      frame.put((byte) type).putShort((short) payload.length).put(payload).flip();
      while (frame.hasRemaining()) {
        channel.write(frame);
      }
    }

    void type(String text) throws IOException {
      tell('D', text.getBytes(StandardCharsets.UTF_8));
    }

    void size(int rows, int columns) throws IOException {
      tell(
          'W',
          (byte) 0,
          (byte) rows,
          (byte) 0,
          (byte) columns,
          (byte) 0,
          (byte) 0,
          (byte) 0,
          (byte) 0);
    }

    void introduce() throws IOException {
      tell('T', "vt100".getBytes(StandardCharsets.US_ASCII));
      tell('C', (byte) 3, (byte) 28, (byte) 127, (byte) 21, (byte) 4, (byte) 26);
      size(33, 101);
    }

    /** Reads until the text is there. */
    void awaitText(String text) {
      awaitSeen(text, seen -> seen.contains(text));
    }

    /** Reads until something is there that the expression describes. */
    void awaitPattern(String expression) {
      Pattern pattern = Pattern.compile(expression);
      awaitSeen(expression, seen -> pattern.matcher(seen).find());
    }

    private void awaitSeen(String what, Predicate<String> there) {
      Awaitility.await(what)
          .atMost(Duration.ofSeconds(180))
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                read();
                return there.test(seen());
              });
    }

    private String seen() {
      return seen.toString(StandardCharsets.UTF_8);
    }

    /** All that is there: a look at all that was seen is dear when much was. */
    private void read() throws IOException {
      channel.configureBlocking(false);
      ByteBuffer some = ByteBuffer.allocate(65_536);
      while (channel.read(some) > 0) {
        seen.write(some.array(), 0, some.position());
        some.clear();
      }
      channel.configureBlocking(true);
    }

    void awaitEnd() {
      Awaitility.await("the end")
          .atMost(Duration.ofSeconds(180))
          .until(
              () -> {
                ByteBuffer some = ByteBuffer.allocate(4096);
                int got = channel.read(some);
                if (got > 0) {
                  seen.write(some.array(), 0, got);
                }
                return got < 0;
              });
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  private Client begin(String id) throws Exception {
    assertTrue(execution.start(shell(id)));
    Client client = new Client(listener.accept());
    client.awaitText(id + "\n");
    client.introduce();
    return client;
  }

  @Test
  void aShellHasTheUsersTerminal() throws Exception {
    try (Client client = begin("1.vm")) {
      client.type("stty -echo; PS1='>'; tty; stty size; echo $TERM $PBS_ENVIRONMENT $0\r");
      client.awaitText("33 101\r\nvt100 PBS_INTERACTIVE -dash\r\n");
      assertTrue(client.seen().contains("/dev/pts/"), client.seen());
      client.size(44, 77);
      client.type("stty size\r");
      client.awaitText("44 77\r\n");
      client.type("sh -c 'echo asleep $((20 + 3)); exec sleep 100'\r");
      client.awaitText("asleep 23\r\n");
      client.type("\u0003");
      client.type("echo status $?\r");
      client.awaitText("status 130");
      client.type("echo last words; exit 6\r");
      client.awaitEnd();
      assertTrue(client.seen().contains("last words\r\n"), client.seen());
    }
    assertEquals(6, place.outcome("1.vm").exitStatus());
  }

  @Test
  void muchIsShownAndTyped() throws Exception {
    try (Client client = begin("1.vm")) {
      client.type("stty -echo -icanon; PS1=; head -c 2000000 /dev/zero | tr '\\0' x; echo :end\r");
      client.awaitText("xxxx:end");
      // From then on it is not the shell that has the terminal and reads line by line.
      client.type("echo list''ening; head -c 100000 | md5sum\r");
      client.awaitText("listening");
      for (int i = 0; i < 100; i++) {
        client.type("y".repeat(1000));
      }
      client.awaitText("  -");
      client.type("exit\r");
      client.awaitEnd();
      long shown = client.seen().chars().filter(c -> c == 'x').count();
      assertTrue(shown >= 2_000_000, "shown: " + shown);
    }
  }

  @Test
  void theJobEndsWithItsUser() throws Exception {
    Path pid = directory.resolve("pid");
    try (Client client = begin("1.vm")) {
      client.type("trap '' HUP; sleep 1000 & echo $! >" + pid + "; fg\r");
      place.awaitFile(pid);
    }
    RunOutcome outcome = place.outcome("1.vm");
    assertTrue(outcome.message().contains("qsub, which had the terminal"), outcome.message());
    assertFalse(Files.exists(Path.of("/proc/" + Files.readString(pid).strip())));
  }

  @Test
  void withoutAUserThereIsNoJob() throws Exception {
    listener.close();
    assertTrue(execution.start(shell("1.vm")));
    RunOutcome gone = place.outcome("1.vm");
    assertEquals(-1, gone.exitStatus());
    assertTrue(gone.message().contains("cannot reach the terminal of qsub -I"), gone.message());
    Files.delete(socket());
    assertTrue(execution.start(shell("2.vm")));
    assertTrue(place.outcome("2.vm").message().contains("No such file"));
  }

  @Test
  void theWalltimeLimitIsSaid() throws Exception {
    assertTrue(execution.start(ExecutionFolder.withTerms(shell("1.vm"), 1, 1)));
    try (Client client = new Client(listener.accept())) {
      client.introduce();
      client.awaitPattern("=>> PBS: job killed: walltime \\d+ exceeded limit 1");
      client.awaitEnd();
    }
    assertEquals(-29, place.outcome("1.vm").exitStatus());
  }
}
