package io.millrace.server.gateway.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A script of the name {@code ESC [2J}, or an account like that, steers no reader's terminal. */
class ShownTextTest {
  private static final String HOSTILE = "a\u001b[2Jb\u009b2J\u007f\r";

  @Test
  void controlCharactersAreShownWithACaret() {
    assertEquals("a^[[2JbM-^[2J^?^M", ShownText.line(HOSTILE));
    assertEquals("a^Jb^Ic", ShownText.line("a\nb\tc"));
    assertEquals("a\nb\tc^@", ShownText.of("a\nb\tc\0"));
    String plain = "p\u00e4per ~\u00a0\ud83d\ude00";
    assertSame(plain, ShownText.line(plain));
  }

  @Test
  void soAreThoseOfEachFormOfAnAttribute() {
    List<ShownAttribute> attributes = List.of(ShownAttribute.of("Account_Name", HOSTILE));
    String shown = "a^[[2JbM-^[2J^?^M";
    StringBuilder out = new StringBuilder();
    Listing.wrapped(out, attributes);
    Listing.wide(out, "", attributes);
    Listing.separated(out, "Job Id: 1", "|", attributes);
    assertEquals(
        "    Account_Name = "
            + shown
            + "\nAccount_Name = "
            + shown
            + "\nJob Id: 1|Account_Name="
            + shown
            + "\n",
        out.toString());
    assertEquals("^[[2*", JobTables.cut("\u001b[2Jx", 5));
  }
}
