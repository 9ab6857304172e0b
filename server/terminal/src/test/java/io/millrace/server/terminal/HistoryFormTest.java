package io.millrace.server.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryFormTest {

  @Test
  void blanksAreOctalAsInPbs() {
    assertEquals("_HiStOrY_V2_\nprint\\040server\n", HistoryForm.write(List.of("print server")));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    List<String> entries =
        List.of("s s comment=\"a\\b\t\u007f\\040\"", "größe µ \uD83D\uDE00", "\\", "x\\");
    assertEquals(entries, HistoryForm.read(HistoryForm.write(entries)));
    assertTrue(HistoryForm.is(HistoryForm.write(entries)));
  }

  @Test
  void bytesOfOtherLocalesAndPlainFilesAreRead() {
    assertEquals(
        List.of("gr\u00f6\u00dfe"), HistoryForm.read("_HiStOrY_V2_\ngr\\303\\266\\303\\237e\n"));
    assertEquals(List.of("l\\040s", "p s"), HistoryForm.read("l\\040s\n\np s\n"));
    assertEquals(List.of(), HistoryForm.read(""));
  }

  @Test
  void aFileThatIsCutIsNotAddedTo() {
    assertFalse(HistoryForm.is("_HiStOrY_V2_\nlist\\040ser"));
    assertFalse(HistoryForm.is(""));
  }
}
