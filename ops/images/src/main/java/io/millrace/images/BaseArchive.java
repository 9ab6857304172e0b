package io.millrace.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * A root file system in the form in which images are saved: one layer, and what an image built on
 * it inherits. The library takes a base in this form only, and has no word for a health check of
 * its own.
 */
final class BaseArchive {

  private static final String LAYER = "layer.tar";
  private static final String CONFIG = "config.json";
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration START = Duration.ofMinutes(2);
  private static final int RETRIES = 3;

  private static final ObjectMapper JSON = new ObjectMapper();

  private BaseArchive() {}

  /**
   * Writes it.
   *
   * @param checked whether an image of it is asked for its health
   */
  static void write(Path tar, boolean checked, Path target) throws IOException {
    try (OutputStream out = Files.newOutputStream(target);
        TarArchiveOutputStream entries = new TarArchiveOutputStream(out)) {
      entries.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      put(entries, CONFIG, JSON.writeValueAsBytes(config(sha256(tar), checked)));
      put(entries, "manifest.json", JSON.writeValueAsBytes(manifest()));
      TarArchiveEntry layer = new TarArchiveEntry(LAYER);
      layer.setSize(Files.size(tar));
      entries.putArchiveEntry(layer);
      Files.copy(tar, entries);
      entries.closeArchiveEntry();
    }
  }

  private static void put(TarArchiveOutputStream entries, String name, byte[] content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(content.length);
    entries.putArchiveEntry(entry);
    entries.write(content);
    entries.closeArchiveEntry();
  }

  private static ArrayNode manifest() {
    ArrayNode manifest = JSON.createArrayNode();
    ObjectNode image = manifest.addObject();
    image.put("Config", CONFIG);
    image.putArray("Layers").add(LAYER);
    return manifest;
  }

  private static ObjectNode config(String digest, boolean checked) throws IOException {
    ObjectNode config = JSON.createObjectNode();
    config.put("architecture", architecture()).put("os", "linux");
    config.put("created", "1970-01-01T00:00:00Z");
    ObjectNode rootfs = config.putObject("rootfs").put("type", "layers");
    rootfs.putArray("diff_ids").add("sha256:" + digest);
    config.putArray("history").addObject().put("created_by", "root file system");
    ObjectNode inherited = config.putObject("config");
    if (checked) {
      ObjectNode check = inherited.putObject("Healthcheck");
      ArrayNode test = check.putArray("Test");
      List.of("CMD", ImageKind.ROOT + "/bin/millrace-ready", ImageKind.HEALTH_PORT + "")
          .forEach(test::add);
      check.put("Interval", INTERVAL.toNanos()).put("Timeout", TIMEOUT.toNanos());
      check.put("StartPeriod", START.toNanos()).put("Retries", RETRIES);
    }
    return config;
  }

  /** As images name it. The distribution has native programs of the machine that built it. */
  static String architecture() throws IOException {
    String machine = System.getProperty("os.arch");
    return switch (machine) {
      case "amd64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> throw new IOException("there are no images for " + machine);
    };
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
