package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/plus-manual.md names, for all that the manual demands, a test that exists, or a reason. */
class PlusManualTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root", ".."));

  /** Sections that say how the program is to behave; the others are about its installation. */
  private static final Set<String> SECTIONS =
      new TreeSet<>(
          List.of(
              "2.1", "2.2", "2.3.1", "2.3.2", "2.3.3", "2.3.4", "2.3.5", "2.3.6", "2.3.7", "2.3.8",
              "2.3.9", "2.4", "2.5", "2.6", "3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5", "3.2",
              "3.3", "3.4.1", "3.4.2", "3.4.3", "3.4.4", "3.4.5", "3.5", "3.6"));

  private static final Pattern DEMAND = Pattern.compile("- ([\\d.]+): (.*)");

  @Test
  void eachDemandHasATestThatExistsOrAReason() throws IOException {
    NamedTests tests = NamedTests.read(ROOT);
    String page = Files.readString(ROOT.resolve("docs/plus-manual.md"));
    List<String> wrong = new ArrayList<>();
    Set<String> sections = new TreeSet<>();
    for (String line : page.replaceAll("\n  (?=\\S)", " ").split("\n")) {
      Matcher demand = DEMAND.matcher(line);
      if (demand.matches()) {
        sections.add(demand.group(1));
        tests.wrong(demand.group(2)).forEach(it -> wrong.add(line + ": " + it));
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(SECTIONS, sections);
  }
}
