package io.millrace.images;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What is in an image: the libraries of the distribution, and Debian's packages of the base. */
final class ImageBill {

  private static final ObjectMapper JSON = new ObjectMapper();

  private ImageBill() {}

  /**
   * The distribution's own list with the packages added, in the form of CycloneDX.
   *
   * @param packages Debian's list of installed packages
   */
  static String of(Path distribution, String packages) throws IOException {
    ObjectNode bill = (ObjectNode) JSON.readTree(distribution.toFile());
    ArrayNode components = (ArrayNode) bill.get("components");
    for (String paragraph : packages.split("\n\n+")) {
      Map<String, String> fields = fields(paragraph);
      if (!fields.getOrDefault("Status", "").endsWith(" installed")) {
        continue;
      }
      String name = fields.get("Package");
      String version = fields.get("Version");
      String url =
          "pkg:deb/debian/"
              + name
              + "@"
              + URLEncoder.encode(version, StandardCharsets.UTF_8)
              + "?arch="
              + fields.get("Architecture");
      ObjectNode component = components.addObject();
      component.put("type", "library").put("bom-ref", url).put("group", "debian");
      component.put("name", name).put("version", version).put("purl", url);
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(bill) + "\n";
  }

  private static Map<String, String> fields(String paragraph) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : paragraph.split("\n")) {
      int colon = line.indexOf(": ");
      if (colon > 0 && !line.startsWith(" ")) {
        fields.put(line.substring(0, colon), line.substring(colon + 2).strip());
      }
    }
    return fields;
  }
}
