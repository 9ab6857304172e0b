package io.millrace.ops.origin2000;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Sessions recorded by running the original Origin2000 scheduler, replayed: the same order,
 * actions, texts and files. Those that show a defect of the original are replayed without being
 * compared; each has its row in the page of differences.
 */
class Origin2000GoldenTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root", ".."));

  private static final Path RECORDINGS =
      ROOT.resolve(
              System.getProperty(
                  "millrace.origin2000.recordings", "../shared/goldens/origin2000/cases"))
          .normalize();

  @TestFactory
  Stream<DynamicTest> sessions() throws IOException {
    Assumptions.assumeTrue(
        Files.isDirectory(RECORDINGS),
        "no recordings of the Origin2000 scheduler at " + RECORDINGS);
    String page = Files.readString(ROOT.resolve("docs/origin2000-differences.md"));
    try (Stream<Path> folders = Files.list(RECORDINGS)) {
      return folders.filter(OriginCase::is).sorted().toList().stream()
          .map(
              folder ->
                  DynamicTest.dynamicTest(
                      folder.getFileName().toString(), () -> agrees(folder, page)));
    }
  }

  private static void agrees(Path folder, String page) throws IOException {
    List<String> differences =
        CaseDifferences.between(
            CaseJson.read(folder.resolve("expected.json")), OriginReplay.of(folder, false));
    String number = folder.getFileName().toString().substring(0, 2);
    if (!Files.readString(folder.resolve("notes.md")).contains("QUIRK")) {
      assertEquals(List.of(), differences);
    } else if (!differences.isEmpty()) {
      assertTrue(page.contains(number), () -> "no difference is listed for " + number);
    }
  }
}
