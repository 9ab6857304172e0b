package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** qmgr whose lines are typed at a real terminal, which script(1) makes. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrqmgr", site = "second")
class QmgrTerminalIT {
  private static final String PROMPT = "Qmgr: ";

  /** Sets a size, because a terminal made by script(1) has none. */
  private static final String SIZE = "stty rows 24 cols 100; ";

  private static final int CTRL_C = 40;

  private Site site;
  private Account user;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    boolean possible = site.run("script --version").status() == 0;
    Assumptions.assumeTrue(possible, "qmgr at a terminal takes script(1)");
    site.qmgr("set server managers += " + user.name() + "@*");
    site.qmgr("create queue night1 queue_type=execution");
    site.qmgr("create queue night2 queue_type=execution");
  }

  @AfterAll
  void end() throws Exception {
    site.run("qmgr -c 'set server managers -= " + user.name() + "@*'");
  }

  /** Directives have their numbers from it. */
  @BeforeEach
  void forget() throws Exception {
    if (user.made()) {
      Files.deleteIfExists(user.home().resolve(".pbs_qmgr_history"));
    }
  }

  private Terminal terminal(Path work, String line) throws Exception {
    return new Terminal(site, user, work, line);
  }

  /** Presses keys that end a directive; returns at the next prompt. */
  private static void enter(Terminal terminal, String keys) throws Exception {
    int before = terminal.seen().length();
    terminal.type(keys);
    Site.await(
        Site.COMMAND,
        "a prompt behind " + keys.strip(),
        () ->
            terminal
                .seen()
                .substring(before)
                .replaceAll("\u001b(\\[[?0-9;]*[a-zA-Z]|[=>])", "")
                .endsWith(PROMPT));
  }

  private static long prompts(Terminal terminal) {
    return terminal.seen().split(PROMPT, -1).length - 1;
  }

  /** Whatever is running at that moment: the editor, a program that it calls, or a directive. */
  @Test
  @Tag("night")
  void ctrlCNeverEndsTheSession() throws Exception {
    site.assumeOpenTo(user, "qmgr's editor and Ctrl-C");
    Path work = site.folderOf(user, "given-up");
    try (Terminal terminal = terminal(work, SIZE + "qmgr; echo \"exit $?\"")) {
      terminal.awaitText(PROMPT);
      for (int i = 0; i < CTRL_C; i++) {
        long before = prompts(terminal);
        // Typed together, so that each Ctrl-C arrives as early as possible.
        terminal.type(i % 2 == 0 ? "no such\u0003" : "list queue night1 priority\r\u0003\u0003");
        long more = i % 2 == 0 ? 1 : 3;
        Site.await(
            Site.COMMAND,
            "prompts behind Ctrl-C; see " + work,
            () -> prompts(terminal) >= before + more);
      }
      // Keys that are typed before the next prompt do not reach the editor.
      enter(terminal, "list queue night2 priority\r");
      assertTrue(terminal.seen().contains("Queue night2"), terminal.seen());
      terminal.type("\u0004");
      terminal.awaitText("exit 0");
      assertEquals(0, terminal.awaitEnd());
      assertFalse(terminal.seen().contains("qmgr: "), terminal.seen());
      assertFalse(terminal.seen().contains("Illegal operation"), terminal.seen());
      int answers = terminal.seen().split("Queue night1\r\n", -1).length - 1;
      assertEquals(CTRL_C / 2, answers, terminal.seen());
    }
  }

  private String listed(String queue, String attribute) throws Exception {
    return site.run("qmgr -c 'list queue " + queue + " " + attribute + "'").must();
  }

  @Test
  void linesAreEditedCompletedAndKept() throws Exception {
    site.assumeOpenTo(user, "qmgr's editor");
    Path work = site.folderOf(user, "edited");
    try (Terminal terminal = terminal(work, SIZE + "stty -g; qmgr; echo \"exit $?\"; stty -g")) {
      terminal.awaitText(PROMPT);
      // Both night1 and night2 begin with these letters, so their common part is completed at once.
      terminal.type("act\tque\tni\t");
      terminal.awaitText("active queue night");
      enter(terminal, "1,night2\r");
      enter(terminal, "et queue sta\t= True\u0001s\u0005\r");
      terminal.type("no such thing");
      terminal.awaitText("no such thing");
      enter(terminal, "\u0003");
      terminal.type("set queue ena\t= \\\r");
      terminal.awaitText("Qmgr< ");
      enter(terminal, "True\r");
      enter(terminal, "history 2\r");
      String numbered = "3\tset queue enabled = True\r\n4\thistory 2\r\n";
      assertTrue(terminal.seen().contains(numbered), terminal.seen());
      terminal.type("\u0004");
      terminal.awaitText("exit 0");
      assertEquals(0, terminal.awaitEnd());
      String seen = terminal.seen();
      assertFalse(seen.contains("Illegal operation"), seen);
      List<String> modes =
          seen.lines().map(String::strip).filter(l -> l.matches("[0-9a-f:]{60,}")).toList();
      assertEquals(2, modes.size(), seen);
      assertEquals(modes.get(0), modes.get(1), "the terminal is as it was");
    }
    assertEquals("Queue night1\n    started = True\n\n", listed("night1", "started"));
    assertEquals("Queue night1\n    enabled = True\n\n", listed("night1", "enabled"));
    assertEquals("Queue night2\n    enabled = True\n\n", listed("night2", "enabled"));
    Path history = user.home().resolve(".pbs_qmgr_history");
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
    assertTrue(
        Files.readString(history).startsWith("_HiStOrY_V2_\nactive\\040queue\\040night1,night2"));
    Path again = site.folderOf(user, "again");
    try (Terminal terminal = terminal(again, SIZE + "qmgr; echo \"exit $?\"")) {
      terminal.awaitText(PROMPT);
      terminal.type("!1\r");
      terminal.awaitText("active queue night1,night2\r\n");
      terminal.type("exit\r");
      terminal.awaitText("exit 0");
    }
  }

  @Test
  void plainLinesAreReadWhereTheUserWantsThem() throws Exception {
    Path work = site.folderOf(user, "plain");
    try (Terminal terminal =
        terminal(work, SIZE + "MILLRACE_PLAIN_LINES=1 qmgr; echo \"exit $?\"")) {
      terminal.awaitText(PROMPT);
      terminal.type("list queue \\\r");
      terminal.awaitText("Qmgr< ");
      terminal.type("workq enabled\rquit\r");
      terminal.awaitText("    enabled = True\r\n");
      terminal.awaitText("exit 0");
    }
    assertFalse(Files.exists(work.resolve(".pbs_qmgr_history")));
  }

  @Test
  void oneDirectiveAndInputThatIsNoTerminalAreAsEver() throws Exception {
    Path work = site.folderOf(user, "others");
    try (Terminal terminal =
        terminal(
            work, SIZE + "echo 'list queue workq enabled' | qmgr; qmgr -c 'l q workq started'")) {
      assertEquals(0, terminal.awaitEnd());
      assertTrue(
          terminal
              .seen()
              .contains(
                  "Max open servers: 49\r\nQueue workq\r\n    enabled = True\r\n\r\n"
                      + "Queue workq\r\n    started = True\r\n"),
          terminal.seen());
    }
  }
}
