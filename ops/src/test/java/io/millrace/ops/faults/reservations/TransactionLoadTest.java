package io.millrace.ops.faults.reservations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.reservations.TransactionAnswer.ClientKnows;
import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients, with commands that succeed, are refused or cannot be run at all. */
class TransactionLoadTest {
  private static final Path SUCCEEDS = Path.of("/bin/true");
  private static final Path REFUSED = Path.of("/bin/false");

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void refuseReservations() throws IOException {
    home = new Home(folder.resolve("home"));
    Files.createDirectories(home.bin());
    command("plus_reserve", REFUSED);
  }

  private void command(String name, Path does) throws IOException {
    Files.createSymbolicLink(home.bin().resolve(name), does);
  }

  private TransactionLoad.LoadResult carriedOut() throws IOException, InterruptedException {
    CommandClient client = new CommandClient(home, folder.resolve("outputs"));
    try (TransactionLoad load = new TransactionLoad(client, 2, 1, 3)) {
      load.start();
      load.release(2);
      return load.awaitDone();
    }
  }

  @Test
  void jobsThatWereTakenAreCounted() throws Exception {
    command("qsub", SUCCEEDS);
    TransactionLoad.LoadResult result = carriedOut();
    assertTrue(result.submitted() > 0);
    assertEquals(2, result.answers().size());
    for (TransactionAnswer each : result.answers()) {
      assertEquals(ClientKnows.GONE, each.told());
    }
  }

  @Test
  void jobsThatWereRefusedAreNot() throws Exception {
    command("qsub", REFUSED);
    assertEquals(0, carriedOut().submitted());
  }

  /** The shard that has denied it tells what the other installation said, which is not its own. */
  @Test
  void whatWasDeniedIsGoneWhateverAnotherInstallationIsNotSureOf() throws Exception {
    Files.delete(home.bin().resolve("plus_reserve"));
    Path denies =
        Files.writeString(
            home.bin().resolve("plus_reserve"),
            """
            #!/bin/sh
            echo 'plus_reserve: denied: far:q: far is not sure (it may still be carried out)' >&2
            exit 1
            """);
    Files.setPosixFilePermissions(denies, PosixFilePermissions.fromString("rwxr-xr-x"));
    command("qsub", SUCCEEDS);
    TransactionLoad.LoadResult result = carriedOut();
    assertEquals(2, result.answers().size());
    for (TransactionAnswer each : result.answers()) {
      assertEquals(ClientKnows.GONE, each.told());
    }
  }

  @Test
  void aClientThatCannotSubmitEndsTheRun() {
    IOException said = assertThrows(IOException.class, this::carriedOut);
    assertTrue(said.getMessage().startsWith("a client cannot go on: "), said::getMessage);
  }
}
