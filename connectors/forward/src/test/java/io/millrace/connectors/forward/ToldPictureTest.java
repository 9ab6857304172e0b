package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.forward.observe.ClusterPicture;
import io.millrace.connectors.forward.observe.Shown;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.ObservedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was shown of a cluster can be taken back, whether runs go there or not. */
class ToldPictureTest {

  @TempDir Path folder;

  private ForwardOptions options(String mode) throws Exception {
    Path file =
        Files.write(
            folder.resolve(mode), List.of("name = c1", "system = none", "spool = /s", mode));
    Path key =
        Files.write(
            folder.resolve("key"),
            List.of(HostKey.PROPERTY + "=" + "0".repeat(64), "bootstrap.servers=nowhere:1"));
    return ForwardOptions.parse(
        List.of(new OutsideAccountsTest.NoSystem()),
        "--cluster",
        file.toString(),
        "--properties",
        key.toString(),
        "--spool",
        folder.resolve("spool").toString(),
        "--forget");
  }

  @Test
  void itIsTakenBackInEachMode() throws Exception {
    ForwardOptions forwarded = options("user.alice = alice");
    assertTrue(forwarded.forget());
    Path spool = folder.resolve("spool").toAbsolutePath();
    assertEquals(spool.resolve("shown"), ToldPicture.folder(forwarded.terms()));
    ForwardOptions observed = options("mode = observe");
    assertTrue(observed.forget());
    assertEquals(spool, ToldPicture.folder(observed.terms()));
  }

  @Test
  void nothingIsTakenBackWhileAProcessServesTheCluster() throws Exception {
    ForwardOptions options = options("user.alice = alice");
    HeldSpool held = HeldSpool.await(options.terms().spool(), () -> {});
    IOException refused =
        assertThrows(IOException.class, () -> ToldPicture.forget(options.terms()));
    assertEquals("a process serves the cluster: end it before", refused.getMessage());
    held.close();
  }

  /** Who goes on behind records that are still shown would end none of them. */
  @Test
  void theCursorGoesAfterTheRecords() throws Exception {
    ClusterPicture picture = new ClusterPicture("c1", "slurm", true);
    picture.remember(new ObservedCluster("c1", "slurm", "", 1L, List.of()));
    Path cursor = Files.writeString(folder.resolve("cursor"), "x");
    assertThrows(
        IOException.class,
        () ->
            ToldPicture.takeBack(
                picture,
                folder,
                records -> {
                  throw new IOException("no broker");
                }));
    assertTrue(Files.exists(cursor));
    List<Shown> gone = new ArrayList<>();
    assertEquals(1, ToldPicture.takeBack(picture, folder, gone::addAll));
    assertEquals("@c1", gone.get(0).key());
    assertTrue(gone.get(0).record().isEmpty());
    assertFalse(Files.exists(cursor));
  }
}
