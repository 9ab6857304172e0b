package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** docs/plus-manual.md names, for all that the manual demands, a test that exists, or a reason. */
class PlusManualTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root", ".."));

  /** Sections that say how the program is to behave; the others are about its installation. */
  private static final Set<String> SECTIONS =
      new TreeSet<>(
          List.of(
              "2.1", "2.2", "2.3.1", "2.3.2", "2.3.3", "2.3.4", "2.3.5", "2.3.6", "2.3.7", "2.3.8",
              "2.3.9", "2.4", "2.5", "2.6", "3.1", "3.1.1", "3.1.2", "3.1.3", "3.1.4", "3.1.5",
              "3.2", "3.3", "3.4.1", "3.4.2", "3.4.3", "3.4.4", "3.4.5", "3.5", "3.6"));

  private static final Pattern DEMAND = Pattern.compile("- ([\\d.]+): (.*)");

  /** How the manual's text can be read, in the folder beside the checkout. */
  private static final Path MANUAL = ROOT.resolve("../shared/specs/plus-manual.txt").normalize();

  private static final Pattern HEADING = Pattern.compile("(\\d(?:\\.\\d+)*)\\.? [A-Z].*");

  /** A space at which no line is broken. */
  private static final char NO_BREAK = 0xa0;

  private static final String BODY = "2. How to use PluS";

  /**
   * What a sentence of the manual is known by.
   *
   * @param words some words of it
   * @param row words of the row on the page; "-" where it says nothing of what is seen from outside
   */
  private record ManualSentence(String section, String words, String row) {}

  /** The rows of the page, each "SECTION: TEXT" in a line. */
  private static List<Matcher> rows() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/plus-manual.md"));
    return Stream.of(page.replaceAll("\n  (?=\\S)", " ").split("\n"))
        .map(DEMAND::matcher)
        .filter(Matcher::matches)
        .toList();
  }

  private static List<ManualSentence> known() throws IOException {
    try (InputStream in = PlusManualTest.class.getResourceAsStream("/plus/manual-demands.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\\|", 3))
          .map(fields -> new ManualSentence(fields[0], fields[1], fields[2]))
          .toList();
    }
  }

  @Test
  void eachDemandHasATestThatExistsOrAReason() throws IOException {
    NamedTests tests = NamedTests.read(ROOT);
    List<String> wrong = new ArrayList<>();
    Set<String> sections = new TreeSet<>();
    for (Matcher demand : rows()) {
      sections.add(demand.group(1));
      tests.wrong(demand.group(2)).forEach(it -> wrong.add(demand.group() + ": " + it));
    }
    assertEquals(List.of(), wrong);
    assertEquals(SECTIONS, sections);
  }

  @Test
  void eachSentenceThatDemandsSomethingHasARow() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Matcher> rows = rows();
    for (ManualSentence each : known()) {
      boolean told =
          rows.stream()
              .anyMatch(
                  row ->
                      (each.section() + ".").startsWith(row.group(1) + ".")
                          && row.group(2).contains(each.row()));
      if (!told && !each.row().equals("-")) {
        wrong.add(each + " has no row");
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** None is left out, and none is made up. */
  @Test
  void theSentencesAreThoseOfTheManual() throws IOException {
    Assumptions.assumeTrue(Files.isReadable(MANUAL), "no manual at " + MANUAL);
    List<ManualSentence> known = known();
    Set<ManualSentence> madeUp = new LinkedHashSet<>(known);
    List<String> wrong = new ArrayList<>();
    sentences()
        .forEach(
            (section, sentences) ->
                sentences.forEach(
                    text -> {
                      List<ManualSentence> its =
                          known.stream()
                              .filter(it -> it.section().equals(section))
                              .filter(it -> text.contains(it.words()))
                              .toList();
                      if (its.isEmpty()) {
                        wrong.add(section + ": " + text + ": it is not in the list");
                      }
                      madeUp.removeAll(its);
                    }));
    madeUp.forEach(it -> wrong.add(it + ": the manual does not say it"));
    assertEquals(List.of(), wrong);
  }

  /** Parts of two words at least between full stops, by section, without programs. */
  private static Map<String, List<String>> sentences() throws IOException {
    String text = Files.readString(MANUAL).replace(NO_BREAK, ' ');
    Map<String, List<String>> sentences = new LinkedHashMap<>();
    String section = "";
    boolean program = false;
    for (String line : text.substring(text.indexOf(BODY)).split("\n")) {
      Matcher heading = HEADING.matcher(line);
      if (line.strip().equals("[") || line.strip().equals("]")) {
        program = line.startsWith("[");
      } else if (heading.matches()) {
        section = heading.group(1);
      } else if (!program) {
        List<String> its = sentences.computeIfAbsent(section, it -> new ArrayList<>());
        Stream.of(line.strip().split("(?<=[.:;)])\\s+"))
            .filter(part -> part.split("\\s+").length > 1)
            .forEach(its::add);
      }
    }
    return sentences;
  }
}
