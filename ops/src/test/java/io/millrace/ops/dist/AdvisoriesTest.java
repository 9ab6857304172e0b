package io.millrace.ops.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The list of what is known against works of others, and whom it concerns. */
final class AdvisoriesTest {

  private static final Path LIST =
      Path.of(System.getProperty("millrace.root"), "ops/advisories.txt");

  @TempDir Path folder;

  private static ThirdParty mail(String version) {
    return new ThirdParty("org.eclipse.angus", "angus-mail", version, List.of());
  }

  @Test
  void theListOfThisRepositoryConcernsOldMail() throws IOException {
    Advisories list = Advisories.read(LIST);
    assertEquals(
        List.of("org.eclipse.angus:angus-mail:2.0.3 is older than 2.0.4: CVE-2025-7962"),
        list.against(List.of(mail("2.0.3"))));
    assertEquals(List.of(), list.against(List.of(mail("2.0.4"), mail("2.0.10"), mail("2.1.0"))));
  }

  @Test
  void versionsAreComparedAsMavenDoes() throws IOException {
    Path list = Files.writeString(folder.resolve("list"), "g:a  1.10  X-1\ng:a  2.0  X-2\n");
    Advisories advisories = Advisories.read(list);
    for (String bad : List.of("1.9", "1.9.12.Final", "1.10-rc1", "1.10-SNAPSHOT")) {
      assertEquals(2, against(advisories, bad), bad);
    }
    for (String half : List.of("1.10", "1.10.0", "1.10.1", "2.0-beta1")) {
      assertEquals(1, against(advisories, half), half);
    }
    assertEquals(0, against(advisories, "2.0.0.Final"));
  }

  private static int against(Advisories advisories, String version) {
    return advisories.against(List.of(new ThirdParty("g", "a", version, List.of()))).size();
  }

  @Test
  void aLineThatIsNoAdvisoryIsRefused() throws IOException {
    for (String wrong : List.of("g:a 1.0", "a 1.0 X-1", "g:a 1.0 X-1 more")) {
      Path list = Files.writeString(folder.resolve("list"), wrong + "\n");
      String said = assertThrows(IOException.class, () -> Advisories.read(list)).getMessage();
      assertTrue(said.contains(wrong), said);
    }
  }
}
