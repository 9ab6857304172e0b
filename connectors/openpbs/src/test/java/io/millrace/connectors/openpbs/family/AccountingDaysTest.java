package io.millrace.connectors.openpbs.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.openpbs.family.AccountingDays.AccountingDaysRead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountingDaysTest {

  @TempDir Path folder;

  private void write(String day, String text) throws IOException {
    Files.writeString(
        folder.resolve(day), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private AccountingDaysRead read(String cursor) throws IOException {
    return new AccountingDays(OutsideFiles.here(), folder).read(cursor);
  }

  /** All lines from a cursor on. */
  private List<String> all(String cursor) throws IOException {
    List<String> lines = new ArrayList<>();
    AccountingDaysRead days = read(cursor);
    lines.addAll(days.read().lines());
    while (!days.read().atEnd()) {
      days = read(days.cursor());
      lines.addAll(days.read().lines());
    }
    return lines;
  }

  @Test
  void theBeginningIsThePresentEnd() throws IOException {
    write("20261119", "a\n");
    write("20261120", "b\n");
    AccountingDaysRead begin = read("");
    assertEquals(List.of(), begin.read().lines());
    assertTrue(begin.read().atEnd());
    write("20261120", "c\nha");
    AccountingDaysRead more = read(begin.cursor());
    assertEquals(List.of("c"), more.read().lines(), "no half lines");
    write("20261120", "lf\n");
    assertEquals(List.of("half"), read(more.cursor()).read().lines());
  }

  @Test
  void aNewDayComesAfterTheEndOfTheOldOne() throws IOException {
    write("20261119", "a\n");
    String cursor = read("").cursor();
    write("20261119", "b\n");
    write("20261120", "c\n");
    write("20261122", "d\n");
    AccountingDaysRead first = read(cursor);
    assertEquals(List.of("b"), first.read().lines());
    assertFalse(first.read().atEnd(), "there is a later day");
    assertEquals(List.of("b", "c", "d"), all(cursor));
  }

  @Test
  void aFolderThatIsEmptyAtFirst() throws IOException {
    String cursor = read("").cursor();
    assertEquals(List.of(), all(cursor));
    write("20261120", "a\n");
    assertEquals(List.of("a"), all(cursor));
  }

  @Test
  void otherFilesSayNothing() throws IOException {
    String cursor = read("").cursor();
    write("99999999.gz", "a\n");
    write("jobs", "b\n");
    Files.createDirectory(folder.resolve("20261121"));
    assertEquals(List.of(), all(cursor));
  }

  @Test
  void aDayThatIsGoneOrShorterIsAGap() throws IOException {
    write("20261119", "a\nb\n");
    String cursor = read("").cursor();
    Files.writeString(folder.resolve("20261119"), "c\n");
    assertTrue(read(cursor).read().gap());
    Files.delete(folder.resolve("20261119"));
    write("20261120", "d\n");
    assertTrue(read(cursor).read().gap(), "what was written to it after the cursor is lost");
    assertEquals(List.of("d"), all(cursor));
  }

  @Test
  void aFolderThatIsNotThereIsAnError() throws IOException {
    Files.delete(folder);
    assertThrows(IOException.class, () -> read(""));
  }
}
