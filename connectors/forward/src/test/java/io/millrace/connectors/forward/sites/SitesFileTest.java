package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of other installations. */
class SitesFileTest {
  @TempDir Path folder;
  private Path path;

  @BeforeEach
  void files() throws IOException {
    path = folder.resolve("sites.properties");
    Files.writeString(folder.resolve("far.token"), "abc.def-ghi\n");
    mode(folder.resolve("far.token"), "rw-------");
    write("far.url = https://far.org:8443\nfar.token_file = far.token\n");
  }

  private void write(String text) throws IOException {
    Files.writeString(path, text);
    mode(path, "rw-r--r--");
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private String refused(String site) {
    String words =
        assertThrows(IOException.class, () -> new SitesFile(path).site(site).token()).getMessage();
    assertEquals(1, words.lines().count(), words);
    return words.replace(folder + "/", "");
  }

  @Test
  void aSiteIsNamed() throws IOException {
    SitesFile.OtherSite site = new SitesFile(path).site("far");
    assertEquals(URI.create("https://far.org:8443"), site.door());
    assertEquals("abc.def-ghi", site.token());
    assertNull(site.trusted());
    write("far.url=https://far.org/\nfar.token_file=far.token\nfar.ca=ca.pem\n");
    site = new SitesFile(path).site("far");
    assertEquals(URI.create("https://far.org"), site.door());
    assertEquals(folder.resolve("ca.pem"), site.trusted());
  }

  @Test
  void oneThatIsNotNamed() throws IOException {
    assertEquals("no site near in sites.properties; it names far", refused("near"));
    write("");
    assertEquals("no site near in sites.properties; it names none", refused("near"));
    Files.delete(path);
    assertEquals("there is no sites.properties", refused("near"));
  }

  @ParameterizedTest
  @CsvSource({"rw-r-----", "rw-rw----", "rw----r--", "rwx------"})
  void aTokenThatOthersCouldHaveReadIsNotSent(String mode) throws IOException {
    mode(folder.resolve("far.token"), mode);
    assertEquals(
        "far.token must have mode 0600, not " + mode + ": others could have read the token",
        refused("far"));
  }

  @Test
  void tokensThatAreNone() throws IOException {
    Files.writeString(folder.resolve("far.token"), "a b\r\nHost: x\n");
    assertEquals("far.token holds no token", refused("far"));
    Files.delete(folder.resolve("far.token"));
    assertEquals("there is no far.token", refused("far"));
    Files.createSymbolicLink(folder.resolve("far.token"), path);
    assertEquals("far.token is no regular file", refused("far"));
  }

  @Test
  void whoCouldWriteItCouldHaveTokensSentToHimself() throws IOException {
    mode(path, "rw-rw-r--");
    assertEquals("sites.properties must be writable by its owner alone", refused("far"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://far.org:80",
    "far.org",
    "https://",
    "https://far.org/x",
    "https://a:b@far.org",
    "https://far.org?x",
    "https://far .org"
  })
  void doorsThatAreNone(String url) throws IOException {
    write("far.url=" + url + "\nfar.token_file=far.token\n");
    String words = refused("far");
    assertTrue(
        words.startsWith("sites.properties: far.url is https://HOST:PORT, not " + url), words);
  }

  @Test
  void linesThatAreNone() throws IOException {
    write("far.url=https://far.org\n");
    assertEquals("sites.properties: far.token_file is missing", refused("far"));
    write("far.uri=https://far.org\n");
    assertEquals(
        "sites.properties: far.uri is no NAME.url, NAME.token_file or NAME.ca", refused("far"));
    write("far.url=\\u00zz\n");
    assertTrue(refused("far").startsWith("sites.properties: "));
  }

  @Test
  void whoCouldWriteTheCertificatesCouldAnswerForOthers() throws IOException {
    write("far.url=https://far.org\nfar.token_file=far.token\nfar.ca=ca.pem\n");
    Path ca = Files.writeString(folder.resolve("ca.pem"), "PEM");
    mode(ca, "rw-r--r--");
    assertEquals(3, new SitesFile(path).site("far").certificates().length);
    mode(ca, "rw-rw-r--");
    String words =
        assertThrows(IOException.class, () -> new SitesFile(path).site("far").certificates())
            .getMessage();
    assertEquals(ca + " must be writable by its owner alone", words);
    Files.delete(ca);
    Files.createSymbolicLink(ca, path);
    words =
        assertThrows(IOException.class, () -> new SitesFile(path).site("far").certificates())
            .getMessage();
    assertEquals(ca + " is no regular file", words);
  }

  @Test
  void aTokenHasALength() throws IOException {
    Files.writeString(folder.resolve("far.token"), "a".repeat(20_000));
    assertEquals("far.token holds no token: it is too long", refused("far"));
  }
}
