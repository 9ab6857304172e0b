package io.millrace.server.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.gateway.command.FakeSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What looks at a reservable.ad find that people write, write wrongly, and remove. */
class ReservableFileTest {

  private static final String GOOD = "PLUS_NODE_RESERVABLE = true\n";

  @TempDir private Path folder;
  private Path path;
  private ReservableFile file;
  private long second = 1_795_000_000;

  @BeforeEach
  void noFile() {
    path = folder.resolve("reservable.ad");
    file = new ReservableFile(path, ZoneOffset.UTC);
  }

  private void write(byte[] bytes) throws IOException {
    Files.write(path, bytes);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setLastModifiedTime(path, FileTime.fromMillis(++second * 1000));
  }

  private void write(String text) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8));
  }

  private String look() {
    return file.look()
        .map(it -> it.wrong().isEmpty() ? "text " + it.text() : "wrong" + it.wrong())
        .orElse("nothing");
  }

  @Test
  void aTextIsFoundOnceAndAgainWhenItChanges() throws IOException {
    assertEquals("nothing", look(), "a file that never was is no news");
    assertEquals("nothing", look());
    write(GOOD);
    assertEquals("text " + GOOD, look());
    assertEquals("nothing", look());
    write(GOOD + "# more\n");
    assertEquals("text " + GOOD + "# more\n", look());
  }

  @Test
  void oneThatIsRemovedAndWrittenAnewWasNeverGone() throws IOException {
    write(GOOD);
    look();
    Files.delete(path);
    assertEquals("nothing", look());
    write(GOOD);
    assertEquals("text " + GOOD, look());
    Files.delete(path);
    assertEquals("nothing", look());
    assertEquals(Optional.of(new ReservableFile.ReservableFileText("", "")), file.look(), "gone");
    assertEquals("nothing", look());
  }

  @Test
  void whatIsWrongIsToldOnceWithLineAndColumn() throws IOException {
    write("[\n  A = 1;\n  PLUS_NODE_RESERVABLE = ;\n]\n");
    assertEquals("wrong:3: column 26: an expression is missing before ';'", look());
    assertEquals("nothing", look());
    write(new byte[] {'A', '=', (byte) 0xff});
    assertEquals("wrong: this is no text in UTF-8", look());
    write("A = 1\n");
    assertTrue(look().startsWith("wrong:1: column 1: PLUS_NODE_RESERVABLE is not defined"));
    write(new byte[10_000_000]);
    assertEquals("wrong: it has 10000000 bytes, over 262144", look());
    assertEquals("nothing", look());
    write(GOOD);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals("wrong: others than its owner may write it", look());
    Files.delete(path);
    Files.createDirectory(path);
    assertEquals("wrong: it is no regular file", look());
    Files.delete(path);
    Files.createSymbolicLink(path, Path.of("/dev/zero"));
    assertEquals("wrong: it is no regular file", look());
    Files.delete(path);
  }

  @Test
  void aFileThatCannotBeReadIsToldOnceAndTriedAgain() throws IOException {
    String[] trouble = {"Input/output error"};
    file =
        new ReservableFile(
            path,
            ZoneOffset.UTC,
            it -> {
              if (!trouble[0].isEmpty()) {
                throw new IOException(trouble[0]);
              }
              return Files.newInputStream(it);
            });
    write(GOOD);
    assertEquals("wrong: java.io.IOException: Input/output error", look());
    assertEquals("nothing", look());
    assertEquals("nothing", look());
    trouble[0] = "";
    assertEquals("text " + GOOD, look());
    write(GOOD);
    trouble[0] = "Input/output error";
    assertEquals("wrong: java.io.IOException: Input/output error", look(), "it is back");
  }

  @Test
  void nobodyElseMayWriteItsFolder() throws IOException {
    write(GOOD);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
    assertEquals("wrong: others than its owner may write its folder", look());
    assertEquals("nothing", look());
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertEquals("text " + GOOD, look());
  }

  @Test
  void itsOwnerIsRootOrTheGatewaysUser() throws IOException {
    Assumptions.assumeTrue(
        Files.getAttribute(folder, "unix:uid").equals(0), "only root gives files away");
    write(GOOD);
    Files.setAttribute(path, "unix:uid", 1);
    assertEquals("wrong: it belongs to the user 1, neither root nor the gateway's own", look());
    Files.setAttribute(path, "unix:uid", 0);
    Files.setAttribute(folder, "unix:uid", 1);
    assertEquals(
        "wrong: its folder belongs to the user 1, neither root nor the gateway's own", look());
    Files.setAttribute(folder, "unix:uid", 0);
    assertEquals("text " + GOOD, look());
  }

  @Test
  void theSameTextInAnotherZoneIsAnother() {
    FakeSite site = new FakeSite();
    Map<String, String> tokyo = ReservableWatch.values(GOOD, ZoneId.of("Asia/Tokyo"));
    assertFalse(ReservableWatch.counts(site.site(), tokyo));
    assertTrue(ReservableWatch.counts(site.site(), ReservableWatch.values("", ZoneOffset.UTC)));
    site.put(ObjectKind.SERVER, "server", "reservable_ad", GOOD, "reservable_zone", "Asia/Tokyo");
    assertTrue(ReservableWatch.counts(site.site(), tokyo));
    assertFalse(ReservableWatch.counts(site.site(), ReservableWatch.values(GOOD, ZoneOffset.UTC)));
  }

  @Test
  void rightsThatAreMendedAreSeen() throws IOException {
    write(GOOD);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-r--"));
    assertEquals("wrong: others than its owner may write it", look());
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals("text " + GOOD, look());
  }

  @Test
  void aRefusalIsTriedAgainLessAndLess() throws Exception {
    Path priv = Files.createDirectory(folder.resolve("server_priv"));
    path = priv.resolve("reservable.ad");
    FakeSite site = new FakeSite();
    ReservableWatch watch = new ReservableWatch(site.site(), folder, 1);
    site.refuse(PbsError.UNAUTHORIZED.code(), "Unauthorized Request");
    write(GOOD);
    List<Integer> tries = new ArrayList<>();
    for (int look = 1; look <= 32; look++) {
      watch.turn();
      if (site.sent.size() > tries.size()) {
        tries.add(look);
      }
    }
    assertEquals(List.of(1, 2, 4, 8, 16, 32), tries);
    site.refuse(PbsError.ILLEGAL_VALUE.code(), "no expression");
    write(GOOD + "# new\n");
    watch.turn();
    assertEquals(7, site.sent.size(), "what is new is tried at once");
    for (int look = 0; look < 40; look++) {
      watch.turn();
    }
    assertEquals(7, site.sent.size(), "an illegal value is not tried again");
  }
}
