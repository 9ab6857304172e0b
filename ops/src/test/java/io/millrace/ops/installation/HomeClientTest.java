package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests with commands that are small scripts. */
class HomeClientTest {

  @TempDir Path folder;

  private HomeClient client(String script, Duration patience) throws IOException {
    Home home = new Home(folder);
    home.create();
    Path program = Files.writeString(home.bin().resolve("qstat"), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new HomeClient(home, new Distribution(folder), patience);
  }

  @Test
  void outputAndStatus() throws Exception {
    HomeClient.HomeCommandResult said =
        client("echo out; echo err >&2; exit 3", Duration.ofSeconds(90)).call(folder, "qstat");
    assertEquals(3, said.status());
    assertEquals("out\nerr\n", said.out());
  }

  @Test
  @Timeout(120)
  void aCommandThatHangsIsGivenUp() throws Exception {
    HomeClient client = client("exec sleep 600", Duration.ofMillis(500));
    IOException given = assertThrows(IOException.class, () -> client.call(folder, "qstat"));
    assertTrue(given.getMessage().contains("did not end within"), given.getMessage());
  }
}
