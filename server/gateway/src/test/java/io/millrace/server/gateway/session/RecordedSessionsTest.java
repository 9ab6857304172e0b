package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedSessionsTest {

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final List<String> ran = new ArrayList<>();
  private final SharedBytes room = new SharedBytes(64L << 20);

  /** Reads a file, writes another one, and tells what it read. */
  private int copy(Invocation invocation) throws IOException {
    ran.add(invocation.user() + "@" + invocation.host() + " " + invocation.args());
    invocation.out("reading\n");
    String text = new String(invocation.readFile("from", 100), StandardCharsets.UTF_8);
    invocation.writeFile("to", text.getBytes(StandardCharsets.UTF_8), false);
    invocation.out(text);
    return invocation.environment().size();
  }

  private final RecordedSessions sessions =
      new RecordedSessions(SessionLimits.defaults(), this::copy, room);

  private void say(int type, String payload) {
    say(type, payload.getBytes(StandardCharsets.UTF_8));
  }

  private void say(int type, byte[] payload) {
    said.writeBytes(
        ByteBuffer.allocate(Frames.HEADER).put((byte) type).putInt(payload.length).array());
    said.writeBytes(payload);
  }

  private void open() {
    byte[] name = "copy".getBytes(StandardCharsets.UTF_8);
    ByteBuffer hello = ByteBuffer.allocate(23 + name.length).putShort((short) Frames.VERSION);
    hello.putLong(System.currentTimeMillis() << 16 | 0x7000).putLong(1);
    hello.put((byte) 0).putShort((short) 80).putShort((short) 022).put(name);
    say(Frames.HELLO, hello.array());
    say(Frames.ARG, "one");
    say(Frames.ENV, "GIVEN=1");
    say(Frames.ENV, "MILLRACE_TOKEN=secret");
    say(Frames.DIRECTORY, "/");
    say(Frames.GO, "");
  }

  private List<String> answer() throws Exception {
    ByteBuffer heard =
        ByteBuffer.wrap(sessions.run("mary", "users", () -> "far", said.toByteArray()));
    List<String> frames = new ArrayList<>();
    while (heard.hasRemaining()) {
      int type = heard.get();
      byte[] payload = new byte[heard.getInt()];
      heard.get(payload);
      String text = new String(payload, StandardCharsets.UTF_8).replaceAll("[^a-z\n]", "");
      frames.add(Integer.toHexString(type) + text.strip());
    }
    return frames;
  }

  @Test
  void aCommandRunsAsFarAsTheAnswersGo() throws Exception {
    open();
    assertEquals(List.of("20reading", "23dfrom"), answer());
    say(Frames.CHUNK, "text\n");
    say(Frames.END, "");
    assertEquals(List.of("20reading", "23dfrom", "28to", "29text", "2a"), answer());
    say(Frames.DONE, "");
    List<String> whole = answer();
    assertEquals(List.of("20text", "2b"), whole.subList(5, whole.size()));
    assertEquals("mary@far [one]", ran.get(0));
  }

  @Test
  void whatIsNoOpeningIsRefused() throws Exception {
    say(Frames.HELLO, "nonsense");
    assertTrue(answer().get(0).startsWith("21millracemalformedrequest"), answer().toString());
    said.reset();
    assertThrows(IOException.class, this::answer);
    open();
    byte[] cut = said.toByteArray();
    said.reset();
    said.write(cut, 0, cut.length - 7);
    assertTrue(answer().get(0).startsWith("21"));
  }

  @Test
  void answersThatAreNoneAreRefused() throws Exception {
    open();
    say(Frames.DONE, "");
    assertThrows(IOException.class, this::answer);
  }

  @Test
  void moreThanGoesBackAtOnceIsAnError() {
    RecordedSessions large =
        new RecordedSessions(
            SessionLimits.defaults(),
            invocation -> {
              for (int i = 0; i < 200; i++) {
                invocation.out("x".repeat(64 * 1024));
              }
              return 0;
            },
            room);
    open();
    assertThrows(
        RecordedSessions.TooMuchOutput.class,
        () -> large.run("mary", "users", () -> "", said.toByteArray()));
    assertEquals(0, room.held());
  }

  @Test
  void whoFindsNoRoomForTheOutputComesAgain() throws Exception {
    assertTrue(room.take(64L << 20));
    open();
    assertTrue(answer().get(0).startsWith("2c"), answer().toString());
    room.give(64L << 20);
    assertEquals(List.of("20reading", "23dfrom"), answer());
    assertEquals(0, room.held());
  }

  @Test
  void aCommandThatMayLastIsTurnedAwayBeyondTheirBound() throws Exception {
    SessionLimits none =
        new SessionLimits(1, 1, 0, 0, 64 * 1024, SessionLimits.defaults().timeouts());
    RecordedSessions full =
        new RecordedSessions(
            none,
            invocation -> {
              invocation.lasts();
              return 0;
            },
            room);
    open();
    byte[] answer = full.run("mary", "users", () -> "", said.toByteArray());
    assertEquals(Frames.BUSY, answer[0]);
  }
}
