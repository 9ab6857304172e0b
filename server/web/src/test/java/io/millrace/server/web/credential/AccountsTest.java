package io.millrace.server.web.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a directory answers, and how long that may take. */
class AccountsTest {

  @TempDir Path folder;

  private Accounts asking(String passwd, String group, Duration patience) throws IOException {
    String script =
        "#!/bin/sh\ncase $1 in\npasswd) " + passwd + ";;\ngroup) " + group + ";;\nesac\n";
    Path program = Files.writeString(folder.resolve("directory"), script);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new Accounts(Clock.systemUTC(), program.toString(), patience);
  }

  private static final String MARY = "echo 'mary:x:1000:100::/home/mary:/bin/sh'";

  @Test
  void aGroupMayHaveAnyNumberOfMembers() throws Exception {
    String members = "printf staff:x:100:; head -c 100000 /dev/zero | tr '\\0' a";
    Accounts accounts = asking(MARY, members, Duration.ofSeconds(60));
    assertEquals(Optional.of(new Accounts.Account("staff", "/home/mary")), accounts.find("mary"));
  }

  @Test
  void aGroupWithoutANameIsItsNumber() throws Exception {
    Accounts accounts = asking(MARY, "exit 2", Duration.ofSeconds(60));
    assertEquals(Optional.of(new Accounts.Account("100", "/home/mary")), accounts.find("mary"));
    assertEquals(Optional.empty(), accounts.find("eve"));
  }

  @Test
  void aDirectoryThatDoesNotAnswerIsNotWaitedForForEver() throws Exception {
    Accounts accounts = asking("exec sleep 600", "exit 2", Duration.ofMillis(300));
    String why = assertThrows(IOException.class, () -> accounts.find("mary")).getMessage();
    assertTrue(why.endsWith("directory has not answered within 300 ms"), why);
  }
}
