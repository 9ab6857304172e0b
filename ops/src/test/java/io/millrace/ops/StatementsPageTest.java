package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of what PBS's design of several schedulers states is whole, and names tests. */
class StatementsPageTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Path PAGE = ROOT.resolve("docs/multi-sched-statements.md");

  /** Statements by the number of their interface; 3 was removed, and 9 are the notes. */
  private static final Map<Integer, Integer> MANY =
      Map.of(1, 23, 2, 23, 4, 6, 5, 8, 6, 4, 7, 13, 8, 3, 9, 3);

  private static final Pattern STATEMENT =
      Pattern.compile("- (\\d)\\.(\\d+) (.+?): (holds|differs)[:,] (.*)");

  /** What is said of each statement, by its number. */
  private static Map<String, String> statements() throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    Map<Integer, Integer> last = new TreeMap<>();
    for (String line : Files.readString(PAGE).replaceAll("\n  (?=\\S)", " ").split("\n")) {
      Matcher matcher = STATEMENT.matcher(line);
      if (matcher.matches()) {
        int next = last.merge(Integer.valueOf(matcher.group(1)), 1, Integer::sum);
        assertEquals(matcher.group(2), Integer.toString(next), line);
        found.put(matcher.group(1) + "." + matcher.group(2), matcher.group(5));
      } else if (line.startsWith("- ")) {
        throw new AssertionError("no statement: " + line);
      }
    }
    assertEquals(MANY, last);
    return found;
  }

  @Test
  void eachHasATestThatExistsOrAReason() throws IOException {
    NamedTests tests = NamedTests.read(ROOT);
    List<String> wrong = new ArrayList<>();
    statements()
        .forEach((number, said) -> tests.wrong(said).forEach(it -> wrong.add(number + ": " + it)));
    assertEquals(List.of(), wrong);
  }
}
