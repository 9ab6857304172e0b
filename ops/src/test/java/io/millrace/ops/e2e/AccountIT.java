package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of tests and what runs as them, when an earlier run left both. */
@Beside
class AccountIT {

  private static final String USER = "mraccount";
  private static final Duration SOON = Duration.ofSeconds(180);

  @TempDir Path folder;
  private Process sleeps;

  @BeforeEach
  void onlyRoot() throws Exception {
    assumeTrue(Account.superuser(), "e2e: SKIPPED, users are made by root only");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void end() throws Exception {
    if (sleeps != null) {
      sleeps.destroyForcibly().waitFor();
    }
  }

  private Account userWhoSleeps() throws Exception {
    Account user = Account.ordinary(USER, folder);
    List<String> command = new ArrayList<>(user.become());
    command.addAll(List.of("sleep", "1000"));
    sleeps = new ProcessBuilder(command).start();
    long pid = sleeps.pid();
    Site.await(SOON, "it sleeps", () -> Machine.told(pid, "cmdline").startsWith("sleep"));
    return user;
  }

  private int known() throws Exception {
    return new Shell(folder).run(folder, SOON, "id -u " + USER).status();
  }

  @Test
  void aUserWhoseProcessesRunIsMadeAnew() throws Exception {
    userWhoSleeps();
    Account again = Account.ordinary(USER, folder);
    assertTrue(Machine.gone(sleeps.toHandle()));
    assertEquals(0, known());
    again.remove(folder);
    assertNotEquals(0, known());
  }

  @Test
  void aUserIsRemovedWithWhatRunsAsHim() throws Exception {
    userWhoSleeps().remove(folder);
    assertTrue(Machine.gone(sleeps.toHandle()));
    assertNotEquals(0, known());
  }

  /** Its parent here is a shell that has exec'ed a program which never waits for children. */
  @Test
  void aZombieHasEnded() throws Exception {
    sleeps = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec sleep 1000").start();
    long parent = sleeps.pid();
    long child;
    try (var said = sleeps.inputReader()) {
      child = Long.parseLong(said.readLine());
    }
    ProcessHandle zombie = ProcessHandle.of(child).orElseThrow();
    // While it is a shell it would reap a child that ends earlier.
    Site.await(
        SOON, "its parent is a program", () -> Machine.told(parent, "cmdline").startsWith("sleep"));
    zombie.destroyForcibly();
    Site.await(SOON, "it is a zombie", () -> Machine.told(child, "stat").contains(") Z "));
    assertTrue(Machine.gone(zombie));
    Machine.kill(List.of(zombie));
  }
}
