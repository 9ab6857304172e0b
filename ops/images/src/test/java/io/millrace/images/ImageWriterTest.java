package io.millrace.images;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageWriterTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;
  private Path dist;
  private Path base;

  @BeforeEach
  void prepare() throws IOException {
    dist = folder.resolve("dist");
    file(dist.resolve("lib/kafka-clients-1.jar"), "of others");
    file(dist.resolve("lib/millrace-ops-1.jar"), "ours");
    file(dist.resolve("bin/millrace-ready"), "#!/bin/bash\n");
    file(dist.resolve("share/man/man1/qsub.1"), "manual");
    file(dist.resolve("NOTICE"), "notice");
    file(dist.resolve("sbom.json"), "{\"components\":[{\"name\":\"kafka-clients\"}]}");
    base = folder.resolve("rootfs");
    file(base.resolve("usr/bin/java"), "java");
    file(base.resolve("usr/bin/tini"), "tini");
    file(base.resolve("usr/bin/bash"), "bash");
    Files.createSymbolicLink(base.resolve("bin"), Path.of("usr/bin"));
    file(base.resolve("etc/passwd"), "millrace:x:10001:10001::/var/lib/millrace:/bin/false\n");
    file(
        base.resolve("var/lib/dpkg/status"),
        """
        Package: bash
        Status: install ok installed
        Architecture: amd64
        Version: 5.2.15-2+b7
        Description: a shell
         Version: no field

        Package: gone
        Status: deinstall ok config-files
        Architecture: amd64
        Version: 1
        """);
  }

  private static void file(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private Path write(String into, ImageKind kind) throws Exception {
    Path out = folder.resolve(into);
    new ImageWriter(dist, out, true, "1.2").write(base, List.of(kind), line -> {});
    return out.resolve("millrace-" + kind.text() + ".tar");
  }

  private static Map<String, byte[]> entries(InputStream in) throws IOException {
    Map<String, byte[]> all = new TreeMap<>();
    try (TarArchiveInputStream tar = new TarArchiveInputStream(in)) {
      for (TarArchiveEntry e = tar.getNextEntry(); e != null; e = tar.getNextEntry()) {
        all.put(
            e.getName() + (e.isSymbolicLink() ? " -> " + e.getLinkName() : ""), tar.readAllBytes());
      }
    }
    return all;
  }

  private static Map<String, byte[]> entries(Path tar) throws IOException {
    return entries(Files.newInputStream(tar));
  }

  private static JsonNode manifest(Map<String, byte[]> layout) throws IOException {
    JsonNode index = JSON.readTree(layout.get("index.json"));
    return JSON.readTree(blob(layout, index.at("/manifests/0/digest").asText()));
  }

  private static byte[] blob(Map<String, byte[]> layout, String digest) {
    return layout.get("blobs/" + digest.replace(':', '/'));
  }

  private static Map<String, byte[]> files(Map<String, byte[]> layout) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (JsonNode layer : manifest(layout).path("layers")) {
      byte[] packed = blob(layout, layer.path("digest").asText());
      files.putAll(entries(new GZIPInputStream(new ByteArrayInputStream(packed))));
    }
    return files;
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false)
        .map(JsonNode::asText)
        .collect(Collectors.toList());
  }

  @Test
  void anImageLayoutHasTheFilesOfTheBaseAndOfTheDistribution() throws Exception {
    Map<String, byte[]> layout = entries(write("a", ImageKind.SERVER));
    assertTrue(layout.containsKey("oci-layout"), layout.keySet()::toString);
    Map<String, byte[]> files = files(layout);
    for (String there :
        List.of(
            "usr/bin/java",
            "bin -> usr/bin",
            "opt/millrace/lib/kafka-clients-1.jar",
            "opt/millrace/lib/millrace-ops-1.jar",
            "opt/millrace/bin/millrace-ready",
            "opt/millrace/share/man/man1/qsub.1",
            "opt/millrace/NOTICE",
            "usr/local/bin/millrace",
            "var/lib/millrace/")) {
      assertTrue(files.containsKey(there), () -> there + " of " + files.keySet());
    }
    JsonNode bill = JSON.readTree(files.get("opt/millrace/sbom.json"));
    assertEquals(2, bill.path("components").size(), bill::toString);
    assertEquals(
        "pkg:deb/debian/bash@5.2.15-2%2Bb7?arch=amd64", bill.at("/components/1/purl").asText());
  }

  @Test
  void whatRunsIsAProgramAndNoShellAndNotRootWhereThatCanBe() throws Exception {
    Path out = folder.resolve("all");
    new ImageWriter(dist, out, false, "1.2").write(base, List.of(ImageKind.values()), line -> {});
    for (ImageKind kind : ImageKind.values()) {
      JsonNode config = saved(out.resolve("millrace-" + kind.text() + ".tar")).path("config");
      List<String> entry = texts(config.path("Entrypoint"));
      boolean executor = kind == ImageKind.EXECUTOR;
      assertEquals(executor ? "/usr/bin/tini" : "/usr/bin/java", entry.get(0));
      assertEquals(executor ? "0:0" : "10001:10001", config.path("User").asText());
      assertTrue(config.path("Volumes").has("/var/lib/millrace"), config::toString);
      if (kind == ImageKind.TOOLS) {
        assertTrue(config.path("Healthcheck").isMissingNode(), config::toString);
        assertTrue(entry.get(entry.size() - 1).endsWith(".Launcher"), entry::toString);
      } else {
        List<String> check = texts(config.at("/Healthcheck/Test"));
        assertEquals(List.of("CMD", "/opt/millrace/bin/millrace-ready", "9400"), check);
        assertEquals(List.of("part", kind.text()), entry.subList(entry.size() - 2, entry.size()));
        assertTrue(texts(config.path("Cmd")).contains("0.0.0.0:9400"), config::toString);
      }
    }
  }

  /** The configuration of a tar that docker load takes. */
  private static JsonNode saved(Path tar) throws IOException {
    Map<String, byte[]> saved = entries(tar);
    JsonNode manifest = JSON.readTree(saved.get("manifest.json"));
    String kind = tar.getFileName().toString().replaceAll("millrace-(.*)\\.tar", "$1");
    assertEquals("millrace/" + kind + ":1.2", manifest.at("/0/RepoTags/0").asText());
    return JSON.readTree(saved.get(manifest.at("/0/Config").asText()));
  }

  @Test
  void theSameFilesAreTheSameImage() throws Exception {
    Path first = write("a", ImageKind.GATEWAY);
    for (Path touched : List.of(dist.resolve("lib/millrace-ops-1.jar"), base.resolve("etc"))) {
      Files.setLastModifiedTime(touched, FileTime.from(Instant.ofEpochSecond(77)));
    }
    Files.setPosixFilePermissions(
        dist.resolve("lib/millrace-ops-1.jar"), PosixFilePermissions.fromString("rw-------"));
    Path second = write("b", ImageKind.GATEWAY);
    assertArrayEquals(Files.readAllBytes(first), Files.readAllBytes(second));
    file(dist.resolve("lib/millrace-ops-1.jar"), "changed");
    Path third = write("c", ImageKind.GATEWAY);
    assertNotEquals(
        manifest(entries(first)).at("/layers/3/digest"),
        manifest(entries(third)).at("/layers/3/digest"));
    assertEquals(
        manifest(entries(first)).at("/layers/1/digest"),
        manifest(entries(third)).at("/layers/1/digest"),
        "the libraries of others are a layer of their own");
  }

  private void refused(String why) {
    IOException e = assertThrows(IOException.class, () -> write("z", ImageKind.WEB));
    assertTrue(e.getMessage().contains(why), e.getMessage());
    assertFalse(Files.exists(folder.resolve("z/millrace-web.tar")));
  }

  @Test
  void aBaseThatPartsCannotRunOnIsRefused() throws IOException {
    Path whole = base;
    Files.delete(whole.resolve("usr/bin/java"));
    refused("has no /usr/bin/java");
    file(whole.resolve("usr/bin/java"), "java");
    file(whole.resolve("etc/passwd"), "root:x:0:0::/root:/bin/bash\n");
    refused("has no user millrace:x:10001:10001:");
    base = folder.resolve("absent");
    refused("there is no base");
    base = folder.resolve("dist/NOTICE");
    refused("has no /usr/bin/java");
  }
}
