package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.bench.BenchWord;
import io.millrace.ops.home.ClientNames;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.Words;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the help and the pages say of the words is all that there is, and nothing twice. */
class LauncherHelpTest {

  private static final Path ROOT =
      Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();

  private static List<String> found(String regex, String text) {
    return Pattern.compile(regex, Pattern.MULTILINE)
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  @Test
  void theHelpNamesEachClientOnceAndNoLineIsThereTwice() {
    String clients = Launcher.help().substring(Launcher.help().lastIndexOf("\n\n"));
    for (String name : ClientNames.NAMES) {
      assertEquals(1, found("\\b" + name + "\\b", clients).size(), name);
    }
    List<String> lines = Launcher.help().lines().filter(line -> !line.isBlank()).toList();
    assertEquals(lines.stream().distinct().toList(), lines);
    assertTrue(lines.stream().allMatch(line -> line.length() <= 100), lines.toString());
  }

  /** A new user asks before anything runs. */
  @Test
  void helpTellsOfEachNameWithoutAGateway() {
    for (String name : ClientNames.NAMES) {
      HelpRequested help =
          assertThrows(HelpRequested.class, () -> Launcher.run(List.of("help", name)), name);
      assertTrue(help.getMessage().startsWith(name + ": "), help.getMessage());
    }
    HelpRequested up = assertThrows(HelpRequested.class, () -> Launcher.run(List.of("help", "up")));
    assertTrue(up.getMessage().startsWith("usage: ./millrace up"), up.getMessage());
    assertThrows(UsageException.class, () -> Launcher.run(List.of("help", "nosuch")));
  }

  @Test
  void theScriptPassesEachClientOn() throws IOException {
    String script = Files.readString(ROOT.resolve("millrace"));
    String patterns = found("^  q\\* .*(?=\\)$)", script).get(0);
    List<String> unknown = new ArrayList<>(ClientNames.NAMES);
    for (String pattern : patterns.strip().split(" *\\| *")) {
      unknown.removeIf(
          name ->
              FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(Path.of(name)));
    }
    assertEquals(List.of(), unknown);
  }

  @Test
  void theFrontPageNamesEachWord() throws IOException {
    String page = Files.readString(ROOT.resolve("README.md"));
    String list = found("lists all its words: `[^`]*(?=`)", page).get(0);
    List<String> named = Arrays.asList(list.substring(list.indexOf('`') + 1).split("\\s+"));
    assertEquals(Words.all().stream().map(Word::name).toList(), named);
  }

  @Test
  void thePageOfBenchesNamesEach() throws IOException {
    HelpRequested help =
        assertThrows(
            HelpRequested.class,
            () -> new BenchWord().run(List.of("--help"), new Console(System.out, false)));
    List<String> benches =
        found("^ *[a-z][a-z0-9-]*(?= {2,}\\S)", help.getMessage()).stream()
            .map(String::strip)
            .toList();
    assertTrue(benches.contains("campaigns") && benches.contains("cycle"), benches.toString());
    String page = Files.readString(ROOT.resolve("docs/faults.md"));
    assertEquals(
        List.of(), benches.stream().filter(name -> !page.contains("`" + name + "`")).toList());
  }
}
