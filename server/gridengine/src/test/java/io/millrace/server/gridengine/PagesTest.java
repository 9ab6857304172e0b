package io.millrace.server.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.ManPage;
import io.millrace.server.gateway.help.Page;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PagesTest {

  static List<Page> all() {
    return List.copyOf(Pages.all());
  }

  @Test
  void eachCommandHasOne() {
    assertEquals(
        new GridEngineCommands()
            .commands().keySet().stream().filter(name -> name.startsWith("sge/")).sorted().toList(),
        List.copyOf(Pages.byCommand().keySet()));
  }

  @Test
  void optionsWithArgumentsAreThoseThatTakeThem() {
    for (Page.HelpEntry entry : Pages.byCommand().get("sge/qsub").options()) {
      String[] words = entry.option().split(" ");
      if (!words[0].equals("-help") && !words[0].equals("-@")) {
        assertEquals(words.length - 1, Submission.argumentsOf(words[0]), entry.option());
      }
    }
  }

  @Test
  void isHelp() {
    String help = HelpText.of(Pages.byCommand().get("sge/qdel"));
    assertTrue(help.startsWith("qdel: delete jobs of a Grid Engine cell\n\nusage: qdel "), help);
    assertTrue(help.contains("\n  -u list                 All jobs of these users; "), help);
  }

  @ParameterizedTest
  @MethodSource("all")
  void manUnderstandsAll(Page page, @TempDir Path folder) throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/groff")), "groff is not installed: not formatted");
    assertEquals("", formatted(page, folder));
  }

  private static String formatted(Page page, Path folder) throws IOException, InterruptedException {
    Path file = folder.resolve(page.name() + ".1");
    Files.writeString(file, ManPage.of(page, "1"));
    Process groff =
        new ProcessBuilder("groff", "-man", "-Tascii", "-ww", "-z", file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    groff.waitFor();
    return said;
  }
}
