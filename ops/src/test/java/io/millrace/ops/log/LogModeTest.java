package io.millrace.ops.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import io.millrace.server.client.Frames;
import io.millrace.server.gateway.session.RecordedSessions;
import io.millrace.server.gateway.session.SessionLimits;
import io.millrace.server.gateway.session.SharedBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may read logs, and what they do not say. */
class LogModeTest {

  @TempDir Path folder;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aLogAndTheOlderOnesAreClosedToOthers() throws IOException {
    Path file = folder.resolve("part.log");
    LogFile log = new LogFile(file, 100);
    for (int i = 1; i <= 20; i++) {
      log.publish(new LogRecord(Level.INFO, "line " + i + " of many"));
    }
    log.close();
    for (String name : List.of("part.log", "part.log.1", "part.log.2")) {
      assertEquals("rw-r-----", mode(folder.resolve(name)), name);
    }
  }

  @Test
  void theirFolderIsClosedToOthers() throws IOException {
    new Home(folder).create();
    assertEquals("rwxr-x---", mode(folder.resolve("log")));
  }

  @Test
  void anIncidentOfTheGatewayNamesNoArguments() throws Exception {
    List<String> lines = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            lines.add(new LogFormatter().format(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.millrace.server.gateway.session");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      RecordedSessions sessions =
          new RecordedSessions(
              SessionLimits.defaults(),
              invocation -> {
                throw new IllegalStateException("on purpose");
              },
              new SharedBytes(64L << 20));
      sessions.run("mary", "users", () -> "far", opening());
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("incident "), lines.toString());
    assertTrue(lines.get(0).contains("qsub with 2 arguments of mary"), lines.toString());
    assertFalse(lines.get(0).contains("x7301secret"), lines.toString());
  }

  private static byte[] opening() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    byte[] name = bytes("qsub");
    ByteBuffer hello = ByteBuffer.allocate(23 + name.length).putShort((short) Frames.VERSION);
    hello.putLong(System.currentTimeMillis() << 16 | 0x7000).putLong(1);
    hello.put((byte) 0).putShort((short) 80).putShort((short) 022).put(name);
    say(said, Frames.HELLO, hello.array());
    say(said, Frames.ARG, bytes("-v"));
    say(said, Frames.ARG, bytes("TOKEN=x7301secret"));
    say(said, Frames.ENV, bytes("OTHER=x7301secret"));
    say(said, Frames.DIRECTORY, bytes("/"));
    say(said, Frames.GO, new byte[0]);
    return said.toByteArray();
  }

  private static void say(ByteArrayOutputStream said, int type, byte[] payload) {
    said.writeBytes(
        ByteBuffer.allocate(Frames.HEADER).put((byte) type).putInt(payload.length).array());
    said.writeBytes(payload);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
