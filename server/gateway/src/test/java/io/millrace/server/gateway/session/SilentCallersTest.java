package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers who connect and do not say, or not wholly, what is to run. */
class SilentCallersTest {
  @TempDir Path directory;
  private final List<SocketChannel> callers = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (SocketChannel caller : callers) {
      caller.close();
    }
  }

  private SessionServer start(SessionLimits.Openings openings) throws IOException {
    SessionLimits limits = new SessionLimits(40, 40, 2, 2, openings, SessionTimeouts.defaults());
    return SessionServer.start(directory.resolve("run/gateway.sock"), limits, new TestCommands());
  }

  private SocketChannel connect() throws IOException {
    SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX);
    callers.add(caller);
    caller.connect(UnixDomainSocketAddress.of(directory.resolve("run/gateway.sock")));
    return caller;
  }

  private static byte[] opening() {
    byte[] hello = ByteBuffer.allocate(27).put((byte) 0).put((byte) 1).put(23, name()).array();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(PendingOpening.frame(Frames.HELLO, hello));
    for (String argument : List.of("exit", "3")) {
      all.writeBytes(PendingOpening.frame(Frames.ARG, argument.getBytes(StandardCharsets.UTF_8)));
    }
    all.writeBytes(PendingOpening.frame(Frames.DIRECTORY, new byte[] {'/'}));
    all.writeBytes(PendingOpening.frame(Frames.GO, new byte[0]));
    return all.toByteArray();
  }

  private static byte[] name() {
    return "qsub".getBytes(StandardCharsets.US_ASCII);
  }

  private void assertServed() throws IOException {
    SocketChannel caller = connect();
    caller.write(ByteBuffer.wrap(opening()));
    assertEquals("+\0\0\0\1\3", all(caller));
  }

  private static String all(SocketChannel caller) throws IOException {
    byte[] said = Channels.newInputStream(caller).readAllBytes();
    return new String(said, StandardCharsets.ISO_8859_1);
  }

  @Test
  void takeNoSessions() throws Exception {
    try (SessionServer server = start(new SessionLimits.Openings(64 * 1024, 200, 200))) {
      for (int i = 0; i < 80; i++) {
        connect();
        connect().write(ByteBuffer.wrap(opening(), 0, i % opening().length));
      }
      for (int i = 0; i < 5; i++) {
        assertServed();
      }
      assertTrue(server.openSessions() <= 5, "those of the commands alone");
    }
  }

  @Test
  void goForThoseWhoComeLater() throws Exception {
    try (SessionServer server = start(new SessionLimits.Openings(64 * 1024, 50, 8))) {
      for (int i = 0; i < 300; i++) {
        connect();
      }
      assertServed();
      String user = System.getProperty("user.name");
      String said = all(callers.get(0));
      assertTrue(
          said.contains(
              "user " + user + " has too many connections here that have not said what is to run"),
          said);
      assertEquals((char) Frames.BUSY, said.charAt(0), "his client comes again");
      assertTrue(server.openSessions() <= 1, "silent ones have none");
    }
  }

  /** One byte after the other is an opening too. */
  @Test
  void areServedWhenTheyHaveSaidItAfterAll() throws Exception {
    try (SessionServer server = start(new SessionLimits.Openings(64 * 1024, 50, 8))) {
      SocketChannel slow = connect();
      byte[] opening = opening();
      for (int i = 0; i < opening.length; i++) {
        if (i % 10 == 0) {
          assertServed();
        }
        slow.write(ByteBuffer.wrap(opening, i, 1));
      }
      assertEquals("+\0\0\0\1\3", all(slow));
    }
  }
}
