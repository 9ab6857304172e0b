package io.millrace.ops.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** systemd accepts the units, and running jobs survive their operations. */
class UnitsTest {

  private static final Path ANALYZE = Path.of("/usr/bin/systemd-analyze");
  private static final String INSTALLED = "/opt/millrace";

  @TempDir Path folder;

  private static Path root() {
    return Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
  }

  private static List<Path> units() throws IOException {
    try (Stream<Path> files = Files.list(root().resolve("ops/systemd"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void systemdUnderstandsThem() throws Exception {
    if (!Files.isExecutable(ANALYZE)) {
      System.out.println("UnitsTest: SKIPPED, no " + ANALYZE + " here (Debian: systemd)");
    }
    Assumptions.assumeTrue(Files.isExecutable(ANALYZE), "no " + ANALYZE);
    List<String> command = new ArrayList<>(List.of(ANALYZE.toString(), "verify", "--man=no"));
    for (Path unit : units()) {
      // systemd-analyze checks that the programs exist.
      Path here = folder.resolve(unit.getFileName());
      Files.writeString(here, Files.readString(unit).replace(INSTALLED, root().toString()));
      command.add(here.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    List<String> ours =
        said.lines()
            .filter(line -> line.contains("millrace") && !line.contains("/usr/bin/java"))
            .toList();
    assertEquals(List.of(), ours, said);
  }

  /** Lines that were missing once, with the consequences. */
  @Test
  void theyDoWhatTheirLinesAreThereFor() throws IOException {
    String keep = Files.readString(root().resolve("ops/systemd/millrace-keep.service"));
    assertTrue(keep.contains("\nPartOf=millrace.service\n"), "a keep at work undoes a stop");
    assertTrue(keep.contains("/millrace up --keep\n"), "a keep undoes ./millrace down");
    String service = Files.readString(root().resolve("ops/systemd/millrace.service"));
    for (String line :
        List.of(
            "ExecStart=/opt/millrace/millrace up --no-keeper",
            "Restart=on-failure",
            "RestartSec=15",
            "ExecStopPost=-/opt/millrace/millrace down",
            "RequiresMountsFor=/var/lib/millrace")) {
      assertTrue(service.contains("\n" + line + "\n"), "millrace.service lacks " + line);
    }
    for (Path unit : units()) {
      String text = Files.readString(unit);
      assertFalse(text.contains("%%p"), unit + " has a crash report for each death, for ever");
    }
  }

  /** To systemd a job is a process in the unit's control group like any other. */
  @Test
  void nothingOfThemEndsJobs() throws IOException {
    for (Path unit : units()) {
      String text = Files.readString(unit);
      if (!text.contains("[Service]")) {
        continue;
      }
      for (String line : List.of("KillMode=process", "OOMPolicy=continue", "TasksMax=infinity")) {
        assertTrue(text.contains("\n" + line + "\n"), unit + " lacks " + line);
      }
    }
    String executor = Files.readString(root().resolve("ops/systemd/millrace-executor.service"));
    assertTrue(executor.contains("\nRestartPreventExitStatus=3\n"), "see decision 12");
  }
}
