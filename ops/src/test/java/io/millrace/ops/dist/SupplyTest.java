package io.millrace.ops.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a distribution says of works of others, and which of them it refuses. */
final class SupplyTest {

  @TempDir Path checkout;
  private Path dist;
  private Path ops;

  @BeforeEach
  void prepare() throws IOException {
    ops = checkout.resolve("ops");
    dist = ops.resolve("target/dist");
    Files.createDirectories(dist.resolve("lib"));
    Files.createDirectories(ops.resolve("licences/texts"));
    Files.writeString(checkout.resolve("LICENSE"), "the Apache License\n");
    Files.writeString(ops.resolve("advisories.txt"), "# none\na:old  2.0.4  CVE-1\n");
    Files.writeString(
        ops.resolve("licences/rules.txt"),
        """
        allow Apache-2.0 Apache License
        allow MIT The MIT License
        beside GPL-2.0-only GPL 2
        beside GPL-2.0-only WITH Classpath-exception-2.0 GPL2 w/ CPE
        is a:odd Apache-2.0 AND BSD-3-Clause
        """);
    jar("millrace-ours-1");
  }

  private void jar(String name, String... entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(dist.resolve("lib/" + name + ".jar"));
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (String entry : entries) {
        zip.putNextEntry(new ZipEntry(entry));
        zip.write((entry + " of " + name).getBytes(StandardCharsets.UTF_8));
      }
      zip.putNextEntry(new ZipEntry("a/License.class"));
    }
  }

  private ThirdParty work(String artifact, String version, String... licences) {
    return new ThirdParty("a", artifact, version, List.of(licences));
  }

  private void write(ThirdParty... works) throws IOException {
    new Supply(checkout, dist, "1.2").write(List.of(works));
  }

  private void refused(String why, ThirdParty... works) {
    String said = assertThrows(IOException.class, () -> write(works)).getMessage();
    assertTrue(said.contains(why), said);
    assertFalse(Files.exists(dist.resolve("sbom.json")));
  }

  @Test
  void aDistributionHasNoticeTextsAndBill() throws IOException {
    jar("one-1.0", "META-INF/LICENSE", "META-INF/NOTICE.md");
    jar("both-2", "LICENSE-2.0.txt");
    jar("bare-3");
    Files.writeString(ops.resolve("licences/texts/bare.txt"), "MIT, of bare\n");
    Files.writeString(ops.resolve("licences/texts/odd.txt"), "both of odd\n");
    write(
        work("one", "1.0", "Apache License"),
        work("both", "2", "GPL 2", "Apache License"),
        work("bare", "3", "The MIT License"),
        work("odd", "5", "wrong in its pom"));
    assertEquals(
        "META-INF/LICENSE of one-1.0", Files.readString(dist.resolve("licenses/one-1.0/LICENSE")));
    assertEquals(
        "LICENSE-2.0.txt of both-2",
        Files.readString(dist.resolve("licenses/both-2/LICENSE-2.0.txt")));
    assertEquals("MIT, of bare\n", Files.readString(dist.resolve("licenses/bare-3/LICENSE.txt")));
    assertEquals("the Apache License\n", Files.readString(dist.resolve("licenses/Apache-2.0.txt")));
    String notice = Files.readString(dist.resolve("NOTICE"));
    assertTrue(notice.contains("  a:both:2  Apache-2.0\n"), notice);
    assertTrue(notice.contains("---- one-1.0\n\nMETA-INF/NOTICE.md of one-1.0\n"), notice);
    JsonNode bill = new ObjectMapper().readTree(dist.resolve("sbom.json").toFile());
    assertEquals("CycloneDX", bill.path("bomFormat").asText());
    assertEquals(4, bill.path("components").size());
    JsonNode one = bill.path("components").get(0);
    assertEquals("pkg:maven/a/one@1.0?type=jar", one.path("purl").asText());
    assertEquals("Apache-2.0", one.at("/licenses/0/license/id").asText());
    assertEquals(64, one.at("/hashes/0/content").asText().length());
    JsonNode odd = bill.path("components").get(3);
    assertEquals("Apache-2.0 AND BSD-3-Clause", odd.at("/licenses/0/expression").asText());
    assertTrue(odd.path("hashes").isMissingNode(), "a part of another jar");
  }

  @Test
  void whatIsGoneIsForgottenAndWhatIsTheSameNotTouched() throws IOException {
    jar("one-1.0", "META-INF/LICENSE");
    jar("two-1.0", "META-INF/LICENSE");
    write(work("one", "1.0", "Apache License"), work("two", "1.0", "Apache License"));
    Object touched = Files.getLastModifiedTime(dist.resolve("licenses/one-1.0/LICENSE"));
    Files.delete(dist.resolve("lib/two-1.0.jar"));
    write(work("one", "1.0", "Apache License"));
    assertFalse(Files.exists(dist.resolve("licenses/two-1.0")));
    assertEquals(touched, Files.getLastModifiedTime(dist.resolve("licenses/one-1.0/LICENSE")));
  }

  @Test
  void aWorkWithoutAnAllowedLicenceIsRefused() throws IOException {
    refused("a:one:1 has no licence that is known", work("one", "1"));
    refused("a:one:1 has no licence that is allowed: [GPL 2]", work("one", "1", "GPL 2"));
    refused("no licence that is allowed: [GPL2 w/ CPE]", work("one", "1", "GPL2 w/ CPE"));
    refused(
        "a:one:1 has a licence that is not allowed: SSPL",
        work("one", "1", "Apache License", "SSPL"));
  }

  @Test
  void aJarThatNobodyKnowsIsRefused() throws IOException {
    jar("strange-1");
    refused("strange-1.jar is a jar of which nothing is known");
  }

  @Test
  void aLicenceWhoseTextIsMissingIsRefused() throws IOException {
    jar("bare-3", "META-INF/NOTICE");
    refused("a:bare:3 has no text of its licence", work("bare", "3", "The MIT License"));
    write(work("bare", "3", "Apache License")); // that text is our own as well
  }

  @Test
  void aWorkAgainstWhichSomethingIsKnownIsRefused() throws IOException {
    jar("old-2.0.3", "META-INF/LICENSE");
    refused("a:old:2.0.3 is older than 2.0.4: CVE-1", work("old", "2.0.3", "Apache License"));
  }

  @Test
  void aLineThatIsNoWorkIsRefused() throws IOException {
    Path list =
        Files.writeString(
            checkout.resolve("list"), "a\tb\t1\tL 1\tL 2\n\nio.millrace\tours\t1\nc\td\t1\t\n");
    assertEquals(
        List.of(
            new ThirdParty("a", "b", "1", List.of("L 1", "L 2")),
            new ThirdParty("c", "d", "1", List.of())),
        ThirdParty.read(list));
    Files.writeString(list, "a b\n");
    assertThrows(IOException.class, () -> ThirdParty.read(list));
  }
}
