package io.millrace.ops.dist;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Which works of others are in the distribution, in the form of CycloneDX 1.6. The same
 * distribution gives the same text: it has no time and no number of its own.
 */
final class BillOfMaterials {

  private static final int BUFFER = 1 << 16;

  private final ObjectMapper json = new ObjectMapper();
  private final ObjectNode root = json.createObjectNode();
  private final ArrayNode components;
  private final ArrayNode needed;

  BillOfMaterials(String version) {
    String own = "pkg:maven/io.millrace/millrace@" + version;
    root.put("$schema", "http://cyclonedx.org/schema/bom-1.6.schema.json");
    root.put("bomFormat", "CycloneDX");
    root.put("specVersion", "1.6");
    root.put("version", 1);
    ObjectNode subject = root.putObject("metadata").putObject("component");
    subject.put("type", "application").put("bom-ref", own);
    subject.put("group", "io.millrace").put("name", "millrace").put("version", version);
    licence(subject, LicenceTexts.APACHE);
    subject.put("purl", own);
    components = root.putArray("components");
    ObjectNode dependency = root.putArray("dependencies").addObject();
    dependency.put("ref", own);
    needed = dependency.putArray("dependsOn");
  }

  /**
   * @param licence as SPDX writes it
   * @param jar as it is shipped; null when it is a part of another one
   */
  void add(ThirdParty work, String licence, Path jar) throws IOException {
    ObjectNode component = components.addObject();
    component.put("type", "library").put("bom-ref", work.packageUrl());
    component.put("group", work.group()).put("name", work.artifact());
    component.put("version", work.version());
    if (jar != null) {
      ObjectNode hash = component.putArray("hashes").addObject();
      hash.put("alg", "SHA-256").put("content", sha256(jar));
    }
    licence(component, licence);
    component.put("purl", work.packageUrl());
    needed.add(work.packageUrl());
  }

  private static void licence(ObjectNode component, String licence) {
    ObjectNode one = component.putArray("licenses").addObject();
    if (licence.contains(" ")) {
      one.put("expression", licence);
    } else {
      one.putObject("license").put("id", licence);
    }
  }

  private static String sha256(Path jar) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
        while (in.read(buffer) >= 0) {
          // the digest is all that is wanted
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  String text() throws IOException {
    return json.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
  }
}
