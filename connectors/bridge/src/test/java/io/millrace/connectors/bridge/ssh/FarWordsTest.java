package io.millrace.connectors.bridge.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of another host and to it, without one. */
class FarWordsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  | mr mr /usr/bin/sbatch --comment=mr.c1.1.1 --parsable",
        "true  | alice alice sbatch mr.c1.1.1",
        "true  | mr root sudo -n -u alice -- sbatch --comment=mr.c1.1.1",
        "true  | root root /usr/bin/sudo -n -u alice -- sbatch --comment=mr.c1.1.1",
        "false | root root /usr/bin/sudo -u alice -- sbatch --comment=mr.c1.1.1",
        "false | root root vim mr.c1.1.1",
        "false | bob bob sbatch --comment=mr.c1.1.1",
        "false | bob alice su alice -c mr.c1.1.1",
        "false | mr mr sbatch --comment=mr.c1.1.11",
        "false | mr mr sbatch --comment=xmr.c1.1.1",
        "false | mr",
      })
  void whoseAProcessIs(boolean is, String line) throws Exception {
    StringReader list = new StringReader("1 1 ps\n" + line + "\n");
    assertEquals(is, new FarProcesses("mr").has(list, "alice", "mr.c1.1.1"));
  }

  private static byte[] text(int length, char fill) {
    return String.valueOf(fill).repeat(length).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aFileIsKnownByItsHeadAlsoWhenItGrows() {
    Instant now = Instant.ofEpochSecond(1_790_000_000L);
    assertEquals("0", FileHead.of(new byte[0], now));
    FileHead few = FileHead.read(FileHead.of(text(10, 'a'), now)).orElseThrow();
    assertTrue(few.isShort());
    assertEquals(now.getEpochSecond(), few.modified());
    assertTrue(few.isOf(text(10, 'a')));
    assertTrue(few.isOf(text(200, 'a')));
    assertFalse(few.isOf(text(9, 'a')));
    assertFalse(few.isOf(text(10, 'b')));
    FileHead whole = FileHead.read(FileHead.of(text(FileHead.BYTES, 'a'), now)).orElseThrow();
    assertFalse(whole.isShort());
    assertTrue(whole.isOf(text(FileHead.BYTES, 'a')));
    assertTrue(FileHead.read("123456").isEmpty(), "the number of an inode");
  }

  @Test
  void aWordStandsInQuotes() {
    assertEquals("''", ShellLine.quoted(""));
    assertEquals("'a b'", ShellLine.quoted("a b"));
    assertEquals("''\\'''", ShellLine.quoted("'"));
  }
}
