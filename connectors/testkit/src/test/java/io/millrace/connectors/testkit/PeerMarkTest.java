package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who uses a batch system of the scripts: a process, and not whoever has its number. */
class PeerMarkTest {

  /** A process that lives for as long as the line below is carried out. */
  private static final String OTHER = "sleep 60 & other=$!; trap 'kill $other 2>/dev/null' EXIT; ";

  @TempDir Path folder;

  @BeforeEach
  void script() throws IOException {
    try (InputStream in = PeerScript.class.getResourceAsStream("peer.sh")) {
      Files.copy(in, folder.resolve("peer.sh"));
    }
  }

  /** What a line prints that has the functions of the scripts, with the shell as the owner. */
  private String told(String line) throws IOException, InterruptedException {
    String whole = "set -- up $$; mark=mark; . ./peer.sh; " + line;
    Process shell =
        new ProcessBuilder("bash", "-c", whole)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    shell.waitFor();
    return said.strip();
  }

  @Test
  void aProcessThatLivesUsesItAndItsOwnerMayGoOn() throws Exception {
    String mark = "me=$owner; owner=$other; own; used || echo own; owner=$me; ";
    assertEquals("own\nused", told(OTHER + mark + "used && echo used"));
    assertEquals("own\nfree", told(OTHER + mark + "kill $other; wait; used || echo free"));
  }

  @Test
  void anotherThatHasItsNumberDoesNot() throws Exception {
    assertEquals("free", told(OTHER + "echo $other 5 >mark; used || echo free"));
    assertEquals("free", told("echo 1 >mark; used || echo free"));
    assertEquals("free", told("used || echo free"));
  }

  @Test
  void onlyTheProgramThatIsMeantIsEnded() throws Exception {
    String file = "echo $other >file; ";
    assertEquals("alive", told(OTHER + file + "end file slurmd; ! ended file && echo alive"));
    assertEquals("ended", told(OTHER + file + "end file sleep; ended file && echo ended"));
  }
}
