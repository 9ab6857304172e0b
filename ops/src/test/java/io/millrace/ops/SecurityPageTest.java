package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.HomePlaces;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.structure.SourceFiles;
import io.millrace.schemas.CommandFamily;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each promise of the page on security has tests that exist, and each place of a home is there. */
class SecurityPageTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Path PAGE = ROOT.resolve("docs/security.md");
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))`");
  private static final String PROMISES = "| promise | test |";

  /** Rows of promises without a test, and tests that there are not. */
  private static List<String> wrong(String page, Set<String> tests) {
    List<String> wrong = new ArrayList<>();
    boolean promises = false;
    for (String line : page.lines().toList()) {
      promises = line.startsWith("|") && (promises || line.equals(PROMISES));
      boolean row = promises && !line.equals(PROMISES) && !line.startsWith("|---");
      Matcher test = TEST.matcher(row ? line.substring(line.indexOf("|", 1)) : line);
      boolean named = false;
      while (test.find()) {
        named = true;
        if (!tests.contains(test.group(1))) {
          wrong.add("there is no " + test.group(1) + ": " + line);
        }
      }
      if (row && !named) {
        wrong.add("no test: " + line);
      }
    }
    return wrong;
  }

  private static Set<String> tests() throws IOException {
    return SourceFiles.of(ROOT, SourceFiles.TEST).stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachPromiseHasATestThatExists() throws IOException {
    String page = Files.readString(PAGE);
    assertEquals(List.of(), wrong(page, tests()));
    assertTrue(page.split(Pattern.quote(PROMISES)).length > 10, "the tables were found");
  }

  @Test
  void whatHasNoneIsFound() {
    String rows = PROMISES + "\n|---|---|\n| all is well | `OneTest` |\n";
    Set<String> tests = Set.of("OneTest");
    assertEquals(List.of(), wrong(rows, tests));
    assertEquals(1, wrong(rows + "| so is this | |\n", tests).size());
    assertEquals(1, wrong(rows + "| and `OneTest` too | by hand |\n", tests).size());
    assertEquals(1, wrong(rows + "| and this | `OneTest`, `GoneTest` |\n", tests).size());
    assertEquals(1, wrong(rows + "\nTest: `GoneIT`.\n", tests).size());
  }

  @Test
  void eachPlaceOfAHomeIsThere() throws Exception {
    HomePlaces places = HomePlaces.of(Files.readString(PAGE));
    Home home = new Home(Path.of("/home"));
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (Method method : Home.class.getDeclaredMethods()) {
      boolean folder = Set.of("root", "hostKeys", "tls").contains(method.getName());
      if (method.getReturnType() != Path.class || folder || method.isSynthetic()) {
        continue;
      }
      for (Object argument : arguments(method)) {
        Object made = argument == null ? method.invoke(home) : method.invoke(home, argument);
        Path path = home.root().relativize((Path) made);
        found++;
        if (!places.names(path) && !path.startsWith("data")) {
          missing.add(path.toString());
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(found > 30, "the paths were found");
  }

  @Test
  void anOpenFileAndAnUnknownOneAreFound(@TempDir Path folder) throws IOException {
    Home home = new Home(folder);
    home.create();
    HomePlaces places = HomePlaces.of(Files.readString(PAGE));
    assertEquals(List.of(), places.wrong(home));
    Files.setPosixFilePermissions(
        Files.createFile(home.client(KafkaPrincipal.GATEWAY)),
        PosixFilePermissions.fromString("rw-r--r--"));
    Files.createFile(folder.resolve("etc/strange"));
    assertEquals(
        List.of(
            "etc/kafka/gateway.properties is 644, not as etc/kafka/gateway.properties",
            "etc/strange is not on the page"),
        places.wrong(home));
  }

  private static List<Object> arguments(Method method) {
    List<Object> arguments = new ArrayList<>();
    if (method.getParameterCount() == 0) {
      arguments.add(null);
    } else if (method.getParameterTypes()[0] == KafkaPrincipal.class) {
      arguments.addAll(List.of(KafkaPrincipal.values()));
    } else {
      arguments.add("one");
    }
    return arguments;
  }

  @Test
  void eachFamilyOfWritersIsThere() throws IOException {
    String page = Files.readString(PAGE);
    for (CommandFamily family : CommandFamily.values()) {
      assertTrue(page.contains("` | `" + family.topic() + "` | "), family.topic());
    }
  }
}
