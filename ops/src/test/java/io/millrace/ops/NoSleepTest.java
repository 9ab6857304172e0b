package io.millrace.ops;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No test sleeps: it polls for what it needs (Awaitility). A sleep is too short on a busy machine
 * and too long on all others.
 */
@Tag("rules") // the gate runs it before all others
final class NoSleepTest {
  private static final Set<String> SLEEPS = Set.of("sleep", "parkNanos", "parkUntil");
  private static final String TEST_CLASSES = "test-classes";

  private static final ArchRule NO_TEST_SLEEPS =
      noClasses()
          .should()
          .callMethodWhere(describe("it sleeps", NoSleepTest::sleeps))
          .because("a test waits until something is so, and says what");

  private static boolean sleeps(JavaMethodCall call) {
    String owner = call.getTargetOwner().getFullName();
    return SLEEPS.contains(call.getName())
        && Set.of(
                Thread.class.getName(),
                "java.util.concurrent.TimeUnit",
                LockSupport.class.getName())
            .contains(owner);
  }

  /** Test classes of all modules, which the build has compiled before this one's. */
  private static List<Path> testClasses() throws IOException {
    Path checkout = Path.of(System.getProperty("millrace.root", ".."));
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        checkout,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            if (name.equals(TEST_CLASSES)) {
              found.add(folder);
            }
            boolean over =
                name.equals(TEST_CLASSES) || name.equals("src") || name.startsWith(".git");
            return over ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }
        });
    return found;
  }

  /** Only these can call what is called so: a call's name stands in the file as it is. */
  private static List<Path> naming(Set<String> names, List<Path> folders) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(it -> it.toString().endsWith(".class")).toList()) {
          String text = Files.readString(file, StandardCharsets.ISO_8859_1);
          if (names.stream().anyMatch(text::contains)) {
            found.add(file);
          }
        }
      }
    }
    return found;
  }

  @Test
  void noTestSleeps() throws IOException {
    List<Path> folders = testClasses();
    assertFalse(folders.isEmpty());
    List<Path> files = naming(SLEEPS, folders);
    assertTrue(files.stream().anyMatch(it -> it.endsWith("NoSleepTest$Sleeper.class")));
    NO_TEST_SLEEPS.check(
        new ClassFileImporter()
            .importPaths(files)
            .that(describe("not planted", it -> !it.getFullName().startsWith(PLANTED))));
  }

  @Test
  void aSleepIsFound() {
    JavaClasses planted = new ClassFileImporter().importClasses(Sleeper.class);
    assertThrows(AssertionError.class, () -> NO_TEST_SLEEPS.check(planted));
  }

  private static final String PLANTED = NoSleepTest.class.getName() + "$";

  /** Example of a forbidden sleep. */
  static final class Sleeper {
    void sleeps() throws InterruptedException {
      Thread.sleep(1);
    }
  }
}
