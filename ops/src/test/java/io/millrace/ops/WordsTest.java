package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes are called by the words of {@code docs/glossary.md}, and each name stands for one class,
 * whether it has a file of its own or is nested in another. Read from the source files, so that
 * classes of the Avro compiler do not count.
 */
final class WordsTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  /** Names that each subject has; their package tells which one is meant. */
  private static final Set<String> OF_EACH_SUBJECT = Set.of("Deciders", "Appliers");

  private static final Pattern NESTED =
      Pattern.compile(
          " {2,}(?:[a-z-]+ )*(?:class|record|interface|enum|@interface) (?!instanceof\\b)(\\w+).*");
  private static final Pattern ENTRY = Pattern.compile("(?m)^- \\*\\*([^*]+)\\*\\*");
  private static final Pattern CLASS = Pattern.compile("\\(class:\\s+`([^`]+)`\\)");
  private static final String NOT_TO_BE_USED = "\n## Not to be used\n";

  /**
   * A class in a source file.
   *
   * @param name its simple name
   * @param file where it stands
   * @param nested false when the file is its own
   */
  private record Type(String name, Path file, boolean nested) {}

  private record Glossary(String inUse, String notToBeUsed) {
    static Glossary of(Path root) throws IOException {
      String page = Files.readString(root.resolve("docs/glossary.md"));
      int end = page.indexOf(NOT_TO_BE_USED);
      assertTrue(end >= 0, "no section" + NOT_TO_BE_USED);
      return new Glossary(page.substring(0, end), page.substring(end));
    }

    static List<String> words(String section) {
      return all(ENTRY, section);
    }

    List<String> classes() {
      return all(CLASS, inUse);
    }

    private static List<String> all(Pattern pattern, String text) {
      return pattern.matcher(text).results().map((MatchResult it) -> it.group(1)).toList();
    }
  }

  private static List<Type> types(Path root, boolean tests) throws IOException {
    List<Path> files = new ArrayList<>(SourceFiles.of(root, SourceFiles.MAIN));
    if (tests) {
      files.addAll(SourceFiles.of(root, SourceFiles.TEST));
    }
    List<Type> found = new ArrayList<>();
    for (Path file : files) {
      if (!file.endsWith("package-info.java")) {
        read(root, root.relativize(file), found);
      }
    }
    return found;
  }

  private static void read(Path root, Path file, List<Type> found) throws IOException {
    String name = file.getFileName().toString().replace(".java", "");
    found.add(new Type(name, file, false));
    for (String line : Files.readAllLines(root.resolve(file))) {
      Matcher nested = NESTED.matcher(line);
      if (nested.matches()) {
        found.add(new Type(nested.group(1), file, true));
      }
    }
  }

  /** Simple names that classes of two files have, with the files. */
  private static List<String> sharedNames(Path root) throws IOException {
    Map<String, Set<String>> owners = new TreeMap<>();
    for (Type type : types(root, false)) {
      if (!OF_EACH_SUBJECT.contains(type.name())) {
        owners.computeIfAbsent(type.name(), it -> new TreeSet<>()).add(type.file().toString());
      }
    }
    List<String> shared = new ArrayList<>();
    owners.forEach(
        (name, files) -> {
          if (files.size() > 1) {
            shared.add(name + " in " + String.join(", ", files));
          }
        });
    return shared;
  }

  /** Classes that the glossary names and that do not exist. */
  private static List<String> unknownClasses(Path root) throws IOException {
    Set<String> names = new HashSet<>();
    for (Type type : types(root, false)) {
      if (!type.nested()) {
        names.add(type.name());
      }
    }
    return Glossary.of(root).classes().stream().filter(it -> !names.contains(it)).toList();
  }

  /** Words that stand before or at the place of the word above them. */
  private static List<String> outOfOrder(List<String> words) {
    List<String> wrong = new ArrayList<>();
    for (int i = 1; i < words.size(); i++) {
      String above = words.get(i - 1).toLowerCase(Locale.ROOT);
      if (words.get(i).toLowerCase(Locale.ROOT).compareTo(above) <= 0) {
        wrong.add(words.get(i));
      }
    }
    return wrong;
  }

  /** Classes, of tests too, that have a name which is not to be used. */
  private static List<String> unwantedNames(Path root) throws IOException {
    Set<String> unwanted = Set.copyOf(Glossary.words(Glossary.of(root).notToBeUsed()));
    return types(root, true).stream()
        .filter(it -> unwanted.contains(it.name()))
        .map(it -> it.name() + " in " + it.file())
        .toList();
  }

  @Test
  void aNameStandsForOneClass() throws IOException {
    assertTrue(types(ROOT, false).size() > 500, "sources were found");
    assertEquals(List.of(), sharedNames(ROOT));
  }

  @Test
  void eachClassOfTheGlossaryExists() throws IOException {
    assertTrue(Glossary.of(ROOT).classes().size() > 30, "classes were found");
    assertEquals(List.of(), unknownClasses(ROOT));
  }

  @Test
  void theGlossaryIsAlphabeticalAndHasEachWordOnce() throws IOException {
    Glossary glossary = Glossary.of(ROOT);
    assertTrue(Glossary.words(glossary.inUse()).size() > 50, "words were found");
    assertEquals(List.of(), outOfOrder(Glossary.words(glossary.inUse())));
    assertEquals(List.of(), outOfOrder(Glossary.words(glossary.notToBeUsed())));
  }

  @Test
  void noClassHasANameThatIsNotToBeUsed() throws IOException {
    assertEquals(List.of(), unwantedNames(ROOT));
  }

  private static final String PROMISES =
      """
        final class Promises {
          private record Cycle(int number) {}

          static class Timer {}

          record Kept(int number) {}

          boolean is(Object record) {
            return record instanceof Kept kept && kept.number() > 0;
          }
        }
        """;

  private static final String CYCLES =
      """
        final class Cycles {
          enum Cycle {
            FIRST
          }

          boolean known(Object record) {
            return
                record instanceof Allocation allocation
                    || record instanceof Timer;
          }
        }
        """;

  private static final String GLOSSARY =
      """
        # Words

        - **timer**: it rings. (class: `Timer`)
        - **allocation**: what is held.
          (class: `Allocations`)
        - **allocation**: what is held. (class:
          `Allocation`)

        ## Not to be used

        - **Ordeal**: test
        """;

  @Test
  void whatIsPlantedIsFound(@TempDir Path planted) throws IOException {
    Path one = Path.of("one/src/main/java/a/Allocation.java");
    Path two = Path.of("two/src/main/java/b/Allocation.java");
    Path promises = Path.of("two/src/main/java/b/Promises.java");
    Path cycles = Path.of("one/src/main/java/a/Cycles.java");
    Path timer = Path.of("one/src/main/java/a/Timer.java");
    Path test = Path.of("one/src/test/java/a/AllocationTest.java");
    write(planted, one, "final class Allocation {}\n");
    write(planted, two, "final class Allocation {}\n");
    write(planted, timer, "final class Timer {}\n");
    write(
        planted, Path.of("one/src/main/java/a/Deciders.java"), "public final class Deciders {}\n");
    write(
        planted, Path.of("two/src/main/java/b/Deciders.java"), "public final class Deciders {}\n");
    write(planted, promises, PROMISES);
    write(planted, cycles, CYCLES);
    write(
        planted, test, "final class AllocationTest {\n  private record Ordeal(int number) {}\n}\n");
    write(planted, Path.of("docs/glossary.md"), GLOSSARY);

    assertEquals(
        List.of(
            "Allocation in " + one + ", " + two,
            "Cycle in " + cycles + ", " + promises,
            "Timer in " + timer + ", " + promises),
        sharedNames(planted));
    assertEquals(List.of("Allocations"), unknownClasses(planted));
    assertEquals(
        List.of("allocation", "allocation"),
        outOfOrder(Glossary.words(Glossary.of(planted).inUse())));
    assertEquals(List.of("Ordeal in " + test), unwantedNames(planted));
  }

  private static void write(Path root, Path file, String text) throws IOException {
    Path whole = root.resolve(file);
    Files.createDirectories(whole.getParent());
    Files.writeString(whole, text);
  }
}
