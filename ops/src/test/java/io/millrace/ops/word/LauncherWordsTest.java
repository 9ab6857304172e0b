package io.millrace.ops.word;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LauncherWordsTest {

  private static final Console QUIET = new Console(System.out, false);

  static List<Word> words() {
    return Words.all();
  }

  @Test
  void eachClassThatIsAWordIsFound() {
    Set<String> written =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.millrace.ops")
                .stream()
                .filter(type -> type.isAssignableTo(Word.class) && !type.isInterface())
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    Set<String> found =
        words().stream()
            .map(word -> word.getClass().getName())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(written, found);
  }

  @Test
  void eachNameIsThereOnceAndTheScriptKnowsIt() throws IOException {
    List<String> names = words().stream().map(Word::name).toList();
    assertEquals(names.size(), Set.copyOf(names).size(), names::toString);
    Path root = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    Set<String> labels =
        Files.readAllLines(root.resolve("millrace")).stream()
            .filter(line -> line.matches("  [a-z].*\\)"))
            .flatMap(line -> Arrays.stream(line.replace(")", "").split("\\|")))
            .map(String::strip)
            .collect(Collectors.toSet());
    assertTrue(labels.containsAll(names), () -> names + " and " + labels);
  }

  @Test
  void whatNobodyProvidesIsNotFound() {
    assertEquals(Optional.empty(), Words.find("upp"));
    assertEquals("up", Words.find("up").orElseThrow().name());
  }

  @ParameterizedTest
  @MethodSource("words")
  void eachHasItsHelpAndSaysInOneLineWhatItDoesNotKnow(Word word) {
    HelpRequested help =
        assertThrows(HelpRequested.class, () -> word.run(List.of("--help"), QUIET));
    String called = "usage: ./millrace " + word.name();
    assertTrue(help.getMessage().startsWith(called), help.getMessage());
    UsageException wrong =
        assertThrows(UsageException.class, () -> word.run(List.of("--no-such"), QUIET));
    assertEquals(
        "millrace "
            + word.name()
            + ": there is no option --no-such (see ./millrace "
            + word.name()
            + " --help)",
        wrong.getMessage());
  }
}
