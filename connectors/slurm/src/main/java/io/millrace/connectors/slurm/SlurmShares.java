package io.millrace.connectors.slurm;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.connectors.bridge.system.OutsideHolding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a job has of each of its nodes, as the object {@code job_resources} of Slurm's JSON says it:
 * the cores that are allocated, and the memory.
 */
final class SlurmShares {

  /** Begin of each word for a core that is the job's. */
  private static final String ALLOCATED = "allocated";

  private static final int MB_SHIFT = 20;

  private static final int PARTS = 3;

  private SlurmShares() {}

  /**
   * Reads the object, at whose begin the parser is.
   *
   * @return {@code NODE CORES MEGABYTES} for each node, with semicolons between them
   */
  static String read(JsonParser parser) throws IOException {
    List<String> nodes = new ArrayList<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = parser.currentName().equals("allocated_nodes");
      if (parser.nextToken() == JsonToken.START_ARRAY && wanted) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          nodes.add(node(parser));
        }
        SlurmJson.need(parser, JsonToken.END_ARRAY);
      } else {
        parser.skipChildren();
      }
    }
    SlurmJson.need(parser, JsonToken.END_OBJECT);
    return String.join(";", nodes);
  }

  private static String node(JsonParser parser) throws IOException {
    String name = "";
    String memory = "0";
    int cores = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken token = parser.nextToken();
      if (field.equals("nodename")) {
        name = parser.getText();
      } else if (field.equals("memory_allocated")) {
        memory = parser.getText();
      } else if (field.equals("sockets") && token == JsonToken.START_OBJECT) {
        cores = cores(parser);
        continue;
      }
      parser.skipChildren();
    }
    SlurmJson.need(parser, JsonToken.END_OBJECT);
    return name + " " + cores + " " + memory;
  }

  /** Cores that are the job's, in an object of sockets; how deep they stand does not matter. */
  private static int cores(JsonParser parser) throws IOException {
    int cores = 0;
    for (int depth = 1; depth > 0; ) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new IOException("the JSON breaks off");
      }
      depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
      cores += token == JsonToken.VALUE_STRING && parser.getText().startsWith(ALLOCATED) ? 1 : 0;
    }
    return cores;
  }

  /**
   * What the job has of its nodes.
   *
   * @param shares as {@link #read} returns them
   * @param cpus processors of the whole job, of which a core may be several
   * @param gres generic resources of each node, in their order, with semicolons between them
   * @param table what Slurm calls resources, by their names here
   */
  static List<OutsideHolding> holdings(
      String shares, long cpus, String gres, Map<String, String> table) {
    List<OutsideHolding> holdings = new ArrayList<>();
    String[] ofNodes = gres.split(";", -1);
    long cores = 0;
    for (String each : shares.split(";")) {
      String[] parts = each.split(" ");
      cores += parts.length == PARTS ? number(parts[1]) : 0;
    }
    for (String each : shares.split(";")) {
      String[] parts = each.split(" ");
      if (parts.length != PARTS || parts[0].isEmpty() || cores == 0) {
        return List.of(); // another version's form
      }
      Map<String, Long> amounts = new TreeMap<>();
      int node = holdings.size();
      if (node < ofNodes.length) {
        amounts.putAll(SlurmGres.amounts(ofNodes[node], table));
      }
      amounts.put(OutsideHolding.NCPUS, (number(parts[1]) * cpus + cores - 1) / cores);
      amounts.put(OutsideHolding.MEM, number(parts[2]) << MB_SHIFT);
      holdings.add(OutsideHolding.of(parts[0], amounts));
    }
    return holdings;
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }
}
