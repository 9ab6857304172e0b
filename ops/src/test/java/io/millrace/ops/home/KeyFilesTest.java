package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** New passwords beside those in use, and in their place. */
class KeyFilesTest {

  private static final List<KafkaPrincipal> TWO =
      List.of(KafkaPrincipal.ADMIN, KafkaPrincipal.MONITOR);

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void newHome() throws Exception {
    home = new Home(folder);
    home.create();
    ClientSettings.generate(home, "127.0.0.1:1");
  }

  private String mode(KafkaPrincipal principal) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(home.client(principal)));
  }

  @Test
  void theOldOneIsInUseUntilTheNewOneTakesItsPlace() throws Exception {
    String old = ClientSettings.password(home, KafkaPrincipal.MONITOR);
    String other = ClientSettings.password(home, KafkaPrincipal.SERVER);
    KeyFiles.begin(home, TWO);
    assertEquals(TWO, KeyFiles.begun(home));
    assertEquals(old, ClientSettings.password(home, KafkaPrincipal.MONITOR));
    Path next = KeyFiles.next(home, KafkaPrincipal.MONITOR);
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(next)));
    String fresh = ClientSettings.password(next);
    assertNotEquals(old, fresh);
    KeyFiles.begin(home, TWO);
    assertEquals(fresh, ClientSettings.password(next), "the broker may know it");
    KeyFiles.finish(home);
    assertEquals(List.of(), KeyFiles.begun(home));
    assertEquals(fresh, ClientSettings.password(home, KafkaPrincipal.MONITOR));
    assertEquals(other, ClientSettings.password(home, KafkaPrincipal.SERVER));
    assertEquals("rw-r-----", mode(KafkaPrincipal.MONITOR));
    assertEquals("rw-------", mode(KafkaPrincipal.ADMIN));
  }

  @Test
  void groupLinkAndOtherLinesStay() throws Exception {
    assumeTrue(HomeOwner.isCallers(Path.of("/")), "only root gives a file to any group");
    Path link = home.client(KafkaPrincipal.MONITOR);
    Path file = folder.resolve("elsewhere");
    Files.move(link, file);
    Files.createSymbolicLink(link, file);
    Files.writeString(file, Files.readString(file) + "fetch.max.bytes=7\n");
    Files.setAttribute(file, "unix:gid", 4711);
    KeyFiles.begin(home, TWO);
    KeyFiles.finish(home);
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("7", ClientSettings.read(link).get("fetch.max.bytes"));
    assertEquals(4711, Files.getAttribute(file, "unix:gid"));
    assertEquals("rw-r-----", mode(KafkaPrincipal.MONITOR));
  }
}
