package io.millrace.server.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;

class StreamsTest {

  @Test
  void aLineWithoutEndIsTheEditors() throws Exception {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    OpenLine out = new OpenLine(shown);
    OutputStream err = out.before(shown);
    out.write("one\ntwo\nQm".getBytes(StandardCharsets.UTF_8));
    out.write("gr: ".getBytes(StandardCharsets.UTF_8));
    assertEquals("one\ntwo\n", shown.toString());
    assertEquals("Qmgr: ", out.take());
    assertEquals("", out.take());
    out.write("half".getBytes(StandardCharsets.UTF_8));
    err.write("!".getBytes(StandardCharsets.UTF_8));
    out.write(" end".getBytes(StandardCharsets.UTF_8));
    out.close();
    assertEquals("one\ntwo\nhalf! end", shown.toString());
  }

  @Test
  void linesAreReadInPartsAndOnlyWhenAsked() throws Exception {
    Iterator<String> lines = List.of("größe", "x").iterator();
    EditedInput in = new EditedInput(() -> lines.hasNext() ? lines.next() : null);
    byte[] part = new byte[4];
    assertEquals(4, in.read(part, 0, 4));
    assertEquals(4, in.read(part, 0, 4));
    assertEquals("x", lines.next(), "the second line was not asked for yet");
    assertEquals(-1, in.read(part, 0, 4));
    assertEquals(-1, in.read());
  }

  @Test
  void theLastWordEndsAtTheCursor() {
    assertEquals("que", word("list que", 8));
    assertEquals("qu", word("list que", 7));
    assertEquals("", word("list ", 5));
    assertEquals("q2", word("d q q1,q2", 9));
    assertEquals("T", word("s q q1 enabled=T", 16));
  }

  private static String word(String line, int cursor) {
    ParsedLine parsed = new CompletionWord().parse(line, cursor, ParseContext.COMPLETE);
    assertEquals(parsed.word().length(), parsed.wordCursor());
    return parsed.word();
  }
}
