package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
 * Classes are called by the words of {@code docs/glossary.md}, and each name stands for one class.
 * Read from the source files, so that classes of the Avro compiler do not count.
 */
final class WordsTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  /** Names that each subject has; their package tells which one is meant. */
  private static final Set<String> OF_EACH_SUBJECT = Set.of("Deciders", "Appliers");

  /** A nested class that is longer is known by its name alone, as those with files are. */
  private static final int LINES_OF_SMALL_CLASS = 60;

  private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", "node_modules");

  private static final Pattern NESTED =
      Pattern.compile("( {2,})(?:[a-z-]+ )*(?:class|record|interface|enum|@interface) (\\w+).*");
  private static final Pattern ENTRY = Pattern.compile("(?m)^- \\*\\*([^*]+)\\*\\*");
  private static final Pattern CLASS = Pattern.compile("\\(class:\\s+`([^`]+)`\\)");
  private static final String NOT_TO_BE_USED = "\n## Not to be used\n";

  /**
   * A class in a source file.
   *
   * @param name its simple name
   * @param file where it stands
   * @param nested false when the file is its own
   * @param lines how many the nested class has
   */
  private record Type(String name, Path file, boolean nested, int lines) {}

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
    List<Type> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean skipped = SKIPPED_FOLDERS.contains(String.valueOf(folder.getFileName()));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String path = root.relativize(file).toString();
            if (path.endsWith(".java")
                && !path.endsWith("package-info.java")
                && (path.contains("src/main/java/")
                    || (tests && path.contains("src/test/java/")))) {
              read(root, root.relativize(file), found);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  private static void read(Path root, Path file, List<Type> found) throws IOException {
    String name = file.getFileName().toString().replace(".java", "");
    List<String> lines = Files.readAllLines(root.resolve(file));
    found.add(new Type(name, file, false, lines.size()));
    for (int i = 0; i < lines.size(); i++) {
      Matcher nested = NESTED.matcher(lines.get(i));
      if (nested.matches()) {
        int length = 1;
        while (i + length < lines.size()
            && !lines.get(i + length - 1).startsWith(nested.group(1) + "}")
            && !lines.get(i + length - 1).endsWith("{}")) {
          length++;
        }
        found.add(new Type(nested.group(2), file, true, length));
      }
    }
  }

  /** Simple names that two classes have, with the files. */
  private static List<String> sharedNames(Path root) throws IOException {
    Map<String, Set<String>> owners = new TreeMap<>();
    Set<String> withFile = new HashSet<>();
    for (Type type : types(root, false)) {
      if (!OF_EACH_SUBJECT.contains(type.name())
          && (!type.nested() || type.lines() > LINES_OF_SMALL_CLASS)) {
        owners.computeIfAbsent(type.name(), it -> new TreeSet<>()).add(type.file().toString());
        if (!type.nested()) {
          withFile.add(type.name());
        }
      }
    }
    List<String> shared = new ArrayList<>();
    owners.forEach(
        (name, files) -> {
          if (files.size() > 1 && withFile.contains(name)) {
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

  /** Classes, of tests too and however small, that have a name which is not to be used. */
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

  @Test
  void whatIsPlantedIsFound(@TempDir Path planted) throws IOException {
    Path one = Path.of("one/src/main/java/a/Allocation.java");
    Path two = Path.of("two/src/main/java/b/Allocation.java");
    Path large = Path.of("two/src/main/java/b/Promises.java");
    Path timer = Path.of("one/src/main/java/a/Timer.java");
    Path test = Path.of("one/src/test/java/a/AllocationTest.java");
    write(planted, one, "final class Allocation {}\n");
    write(planted, two, "final class Allocation {}\n");
    write(planted, timer, "final class Timer {}\n");
    write(
        planted, Path.of("one/src/main/java/a/Deciders.java"), "public final class Deciders {}\n");
    write(
        planted, Path.of("two/src/main/java/b/Deciders.java"), "public final class Deciders {}\n");
    write(
        planted,
        large,
        "final class Promises {\n  private record Cycle(int number) {}\n\n  static class Timer {\n"
            + "    // a line\n".repeat(LINES_OF_SMALL_CLASS)
            + "  }\n}\n");
    write(
        planted, test, "final class AllocationTest {\n  private record Ordeal(int number) {}\n}\n");
    write(
        planted,
        Path.of("docs/glossary.md"),
        """
        # Words

        - **timer**: it rings. (class: `Timer`)
        - **allocation**: what is held.
          (class: `Allocations`)
        - **allocation**: what is held. (class:
          `Allocation`)

        ## Not to be used

        - **Ordeal**: test
        """);

    assertEquals(
        List.of("Allocation in " + one + ", " + two, "Timer in " + timer + ", " + large),
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
