package io.millrace.server.campaigns.jdl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Documents of a resource: a line with what is said of it ({@code right} or the first fault), then
 * the document up to an empty line.
 */
public record JdlCases(String said, String document) {

  public static List<JdlCases> of(String resource) throws IOException {
    try (InputStream in = JdlCases.class.getResourceAsStream(resource)) {
      List<JdlCases> cases = new ArrayList<>();
      for (String block :
          new String(in.readAllBytes(), StandardCharsets.UTF_8).strip().split("\n\n")) {
        String[] parts = block.split("\n", 2);
        cases.add(new JdlCases(parts[0], parts[1]));
      }
      return cases;
    }
  }

  @Override
  public String toString() {
    return said;
  }
}
