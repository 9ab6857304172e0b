package io.millrace.connectors.bridge.far;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.Told;
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
        "true  | 7 mr mr /usr/bin/sbatch --comment=mr.c1.1.1 --parsable",
        "true  | 7 alice alice sbatch mr.c1.1.1",
        "true  | 7 mr root sudo -n -u alice -- sbatch --comment=mr.c1.1.1",
        "true  | 7 root root /usr/bin/sudo -n -u alice -- sbatch --comment=mr.c1.1.1",
        "false | 7 root root /usr/bin/sudo -u alice -- sbatch --comment=mr.c1.1.1",
        "false | 7 root root vim mr.c1.1.1",
        "false | 7 bob bob sbatch --comment=mr.c1.1.1",
        "false | 7 bob alice su alice -c mr.c1.1.1",
        "false | 7 mr mr sbatch --comment=mr.c1.1.11",
        "false | 7 mr mr sbatch --comment=xmr.c1.1.1",
        "false | 7 mr",
        "false | 7 mr mr",
      })
  void whoseAProcessIs(boolean is, String line) {
    String list = "      1 root root /sbin/init\n" + line + "\n";
    assertEquals(Told.of(is), has("mr", list));
  }

  private static Told<Boolean> has(String self, String list) {
    return new FarProcesses(self).has(new StringReader(list), "alice", "mr.c1.1.1");
  }

  /** With hidepid our own are listed alone, and our sudo is root's: nobody can say. */
  @Test
  void aListOfOurOwnProcessesAloneSaysNothing() {
    String own = "  812 mr mr sshd: mr\n  813 mr mr /bin/ps -e\n";
    assertInstanceOf(Told.Nothing.class, has("mr", own));
    assertInstanceOf(Told.Nothing.class, has("mr", ""));
    assertInstanceOf(Told.Nothing.class, has("mr", "1 mr mr sshd\n"), "a container of our own");
    assertEquals(Told.of(true), has("mr", own + "9 mr mr sbatch mr.c1.1.1\n"));
    assertEquals(Told.of(false), has("root", own), "nothing is hidden from root");
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
}
