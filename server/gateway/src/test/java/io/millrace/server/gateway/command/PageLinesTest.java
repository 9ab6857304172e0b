package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.operand.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Command lines that the pages show are such as the commands understand. */
class PageLinesTest {
  private static final Path DOCS =
      Path.of(System.getProperty("millrace.root", "../.."), "docs").normalize();

  private static final Pattern LINE =
      Pattern.compile(
          "    ((?:q(?:sub|stat|select|del|hold|rls|alter|move|rerun|sig|order|run|msg|mgr|enable"
              + "|disable|start|stop)|pbsnodes|pbs_r\\w+|plus_\\w+|tracejob|why|pbsfs) .*)");

  /** What only a shell understands. */
  private static final Pattern SHELL = Pattern.compile("[|;<>$]");

  /** Of such pages {@code qsub} and {@code qdel} are Grid Engine's. */
  private static final String OTHER_DIALECT = "gridengine";

  private static List<String> lines(Path page) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(page)) {
      Matcher command = LINE.matcher(line.replaceFirst("\\s+# .*", ""));
      if (command.matches() && !SHELL.matcher(command.group(1)).find()) {
        lines.add(command.group(1));
      }
    }
    return lines;
  }

  @Test
  void noneIsAnsweredWithTheUsage() throws Exception {
    List<Path> pages;
    try (Stream<Path> files = Files.list(DOCS)) {
      pages =
          files
              .filter(it -> it.toString().endsWith(".md"))
              .filter(it -> !it.getFileName().toString().startsWith(OTHER_DIALECT))
              .sorted()
              .toList();
    }
    List<String> wrong = new ArrayList<>();
    int typed = 0;
    for (Path page : pages) {
      FakeSite site = new FakeSite();
      for (String line : lines(page)) {
        FakeInvocation invocation =
            new FakeInvocation("root", ShellWords.split(line), new HashMap<>(), site.id());
        site.run(invocation);
        typed++;
        if (invocation.errors().contains("sage:") || invocation.errors().contains("yntax error")) {
          wrong.add(page.getFileName() + ": " + line + "\n" + invocation.errors());
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(typed > 80, "the pages show more than " + typed);
  }
}
