package io.millrace.server.gateway.help;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.command.CommandTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class PageTest {

  private static final String TEXT =
      """
      purpose turn a page
      option -a name
        Turns it
        to the left.
      notes:
        First paragraph
        goes on.

            turn -a x
        .dotted
      see qsub, qstat
      """;

  private static final Syntax SYNTAX =
      Syntax.of("a:b", "usage: turn [-a name]\n").refusing(Map.of('b', "there is no back"));

  @Test
  void isPlainText() {
    assertEquals(
        """
        turn: turn a page

        usage: turn [-a name]

          -a name                 Turns it to the left.
          -b                      not supported: there is no back

        notes
          First paragraph goes on.
            turn -a x
        .dotted

        see also: qsub, qstat
        """,
        HelpText.of(Page.parse("turn", SYNTAX, TEXT)));
  }

  @Test
  void describesWhatTheCommandTakesAndNothingElse() {
    IllegalStateException missing =
        assertThrows(
            IllegalStateException.class,
            () -> Page.parse("turn", Syntax.of("a:bc", "usage: turn\n"), TEXT));
    assertEquals("turn takes [-a, -b, -c], its text describes [-a]", missing.getMessage());
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> Page.parse("turn", SYNTAX.refusing(Map.of('a', "x", 'b', "y")), TEXT));
    assertEquals("turn takes [], its text describes [-a]", refused.getMessage());
    String example = "purpose turn a page\noption -a name\n  Turns it.\nnotes:\n    turn -a x\n";
    IllegalStateException indented =
        assertThrows(IllegalStateException.class, () -> Page.parse("turn", SYNTAX, example));
    assertEquals(
        "six blanks stand before an example, and here:   turn -a x", indented.getMessage());
  }

  @Test
  void isAPageForMan() {
    String page = ManPage.of(Page.parse("turn", SYNTAX, TEXT), "1.0-x");
    assertTrue(page.startsWith(".TH \"TURN\" 1 \"\" \"Millrace 1.0\\-x\" \"Millrace\"\n"), page);
    assertTrue(page.contains(".TP\n\\fB\\-a\\fR \\fIname\\fR\nTurns it to the left.\n"), page);
    assertTrue(page.contains(".BR qsub (1) ,\n.BR qstat (1)\n"), page);
  }

  /** All pages through the formatter of man, where there is one, with its warnings as failures. */
  @TestFactory
  java.util.stream.Stream<DynamicTest> manUnderstandsAllPages(@TempDir Path folder) {
    return CommandTable.pages().stream()
        .map(page -> DynamicTest.dynamicTest(page.name(), () -> formatted(page, folder)));
  }

  private static void formatted(Page page, Path folder) throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed: not formatted");
    Path file = folder.resolve(page.name() + ".1");
    Files.writeString(file, ManPage.of(page, "1"));
    Process groff =
        new ProcessBuilder("groff", "-man", "-Tascii", "-ww", "-z", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, groff.waitFor());
    assertEquals("", said);
  }
}
