package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutsideTagTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mr.c1.12.1",
        "mr.c1.12-3.1",
        "mr.c1.12.1.5.0.1",
        "mr.big-one.12.2.5.999999999.100",
        "mr.c1.12.1.5.p0.1",
        "mr.c1.12.1.5.e3.2",
        "mr.c1.12.1.x7k2p9",
        "mr.c1.12.1.5.p0.1.x7k2p9"
      })
  void aTagIsReadAsItWasWritten(String text) {
    assertEquals(text, OutsideTag.read(text).orElseThrow().toString());
  }

  @Test
  void aJobOfACampaignSaysWhichAttemptItIs() {
    OutsideTag tag = new OutsideTag("c1", "12", 1, "5.17.2");
    assertEquals(Optional.of(tag), OutsideTag.read("mr.c1.12.1.5.17.2"));
    assertNotEquals(new OutsideTag("c1", "12", 1), tag);
    assertNotEquals(new OutsideTag("c1", "12", 1, "5.17.3"), tag);
    assertEquals(Optional.of(tag.of("x7k2p9")), OutsideTag.read(tag + ".x7k2p9"));
  }

  /** OAR keeps at most 100 characters of a job's name. */
  @Test
  void theLongestFitsIntoTheNameOfAJob() {
    String most = "9".repeat(18) + "." + "9".repeat(9) + "." + "9".repeat(9);
    OutsideTag tag = new OutsideTag("c".repeat(15), "9".repeat(18), 999_999_999, most, "x7k2p9");
    assertEquals(93, tag.toString().length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mr.c1.12",
        "mr.c1.12.1.",
        "mr.c1.12.1.5",
        "mr.c1.12.1.5.17",
        "mr.c1.12.1.5.x7.1",
        "mr.c1.12.1.5.17.2.1",
        "mr.c1.12.1.5.17.-2",
        "mr.c1.12.1.x7k2p",
        "mr.c1.12.1.x7k2p9.5.17.2",
        " mr.c1.12.1"
      })
  void whatIsNoTagIsNotRead(String text) {
    assertEquals(Optional.empty(), OutsideTag.read(text));
  }

  @Test
  void whatMakesNoTagIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new OutsideTag("c1", "12", 1, "5.17"));
    assertThrows(IllegalArgumentException.class, () -> new OutsideTag("c1", "12", -1));
  }
}
