package io.millrace.server.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectiveReaderTest {
  @TempDir Path home;
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  /** All directives of a session in which these keys are pressed. */
  private List<String> session(String keys) throws Exception {
    ByteArrayInputStream typed = new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8));
    List<String> directives = new ArrayList<>();
    try (Terminal terminal =
        new ExternalTerminal(
            null,
            "test",
            "vt100",
            typed,
            shown,
            StandardCharsets.UTF_8,
            Terminal.SignalHandler.SIG_DFL,
            true)) {
      terminal.setSize(new Size(80, 24));
      DirectiveHistory history =
          DirectiveHistory.at(home.resolve("history"), new ByteArrayOutputStream());
      DirectiveReader reader = new DirectiveReader(terminal, history, "qmgr");
      terminal.resume(); // nothing is typed before the terminal is as the reader wants it
      for (String next = reader.next("Qmgr: "); next != null; next = reader.next("Qmgr: ")) {
        directives.add(next);
      }
    }
    return directives;
  }

  private String shown() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  private List<String> kept() throws Exception {
    return HistoryForm.read(Files.readString(home.resolve("history")));
  }

  @Test
  void linesAreEdited() throws Exception {
    // Ctrl-A and Ctrl-E go to the ends, Ctrl-U takes away, Ctrl-P is the directive before.
    assertEquals(
        List.of("list server", "list server"),
        session("wrong\u0015erver\u0001list s\u0005\r\u0010\r"));
    assertTrue(shown().contains("Qmgr: "), shown());
  }

  @Test
  void aBackslashGoesOnWithTheNextLine() throws Exception {
    assertEquals(
        List.of("set server comment=a,managers=b", "list server"),
        session("set server comment=a,\\\rmanagers=b\rlist server\r"));
    assertTrue(shown().contains("Qmgr< "), shown());
    assertEquals(List.of("set server comment=a,managers=b", "list server"), kept());
  }

  @Test
  void ctrlCGivesUpWhatWasTypedAndAsksAgain() throws Exception {
    List<String> directives = session("no such\u0003".repeat(50) + "\u0003list \\\r\u0003l s\r");
    assertEquals(List.of("l s"), directives);
    assertEquals(directives, kept());
    // For each that is given up, the one that goes on, the one behind it, and the end.
    assertEquals(51 + 3, shown().split("Qmgr: ", -1).length - 1, shown());
  }

  @Test
  void historyShowsAndRepeats() throws Exception {
    assertEquals(
        List.of("list server", "print server", "list server"),
        session("list server\rprint server\rhist 2\r!1\r!99\rhistory x\r"));
    assertTrue(shown().contains("2\tprint server") && shown().contains("3\thist 2"), shown());
    assertFalse(shown().contains("1\tlist server"), shown());
    assertTrue(shown().contains("No item 99 in history"), shown());
    assertTrue(shown().contains("Invalid option"), shown());
    assertEquals(
        List.of("list server", "print server", "hist 2", "list server", "history x"), kept());
  }

  @Test
  void helpCommentsAndEmptyLinesAreNoHistory() throws Exception {
    assertEquals(List.of("h"), session("\r  \r# what comes\rh\r"));
    assertEquals(List.of("h"), kept());
  }

  @Test
  void anUnfinishedDirectiveAtTheEndIsOne() throws Exception {
    assertEquals(List.of("list server "), session("list server \\\r"));
  }

  @Test
  void longLinesAndOtherLettersStayWhole() throws Exception {
    String line = "set server comment=\"" + "größe ".repeat(100) + "!\"";
    assertEquals(List.of(line), session(line + "\r"));
    assertEquals(List.of(line), kept());
  }
}
