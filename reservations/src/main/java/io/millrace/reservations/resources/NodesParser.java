package io.millrace.reservations.resources;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Turns {@code nodes=N[:ppn=P][:ncpus=C][:PROPERTY...][+...]} or {@code nodes=HOST[:ppn=P]...} into
 * a select. A property is a boolean resource that is True on the nodes that have it.
 */
final class NodesParser {

  private static final String WHERE = "Resource_List.nodes";
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern HOST = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");

  private NodesParser() {}

  /**
   * @param onHost job-wide amounts beside nodes=, which PBS gives to each chunk
   */
  static String toSelect(String nodes, Map<String, String> onHost) throws RequestException {
    List<String> chunks = new ArrayList<>();
    for (String text : nodes.split("\\+", -1)) {
      chunks.add(chunk(text, onHost));
    }
    return String.join("+", chunks);
  }

  private static String chunk(String text, Map<String, String> onHost) throws RequestException {
    String[] words = text.split(":", -1);
    StringBuilder select = new StringBuilder();
    String host = null;
    if (NUMBER.matcher(words[0]).matches()) {
      if (Integer.parseInt(words[0]) == 0) {
        throw new RequestException(RequestException.BAD_NODES, "node(s) specification error");
      }
      select.append(words[0]);
    } else if (HOST.matcher(words[0]).matches()) {
      select.append('1');
      host = words[0];
    } else {
      throw RequestException.badValue(WHERE);
    }
    long processes = 0;
    long cpus = 0;
    List<String> properties = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      if (words[i].startsWith("ppn=")) {
        processes = positive(words[i].substring(4));
      } else if (words[i].startsWith("ncpus=") || words[i].startsWith("cpp=")) {
        cpus = positive(words[i].substring(words[i].indexOf('=') + 1));
      } else if (HOST.matcher(words[i]).matches()) {
        properties.add(words[i]);
      } else {
        throw RequestException.badValue(WHERE);
      }
    }
    if (host != null) {
      select.append(":host=").append(host);
    }
    select.append(":ncpus=").append(cpus > 0 ? cpus : Math.max(1, processes));
    if (processes > 0) {
      select.append(":mpiprocs=").append(processes);
    }
    for (String property : properties) {
      select.append(':').append(property).append("=True");
    }
    for (Map.Entry<String, String> entry : onHost.entrySet()) {
      String name = entry.getKey();
      if (!name.equals("ncpus") && !name.equals("mpiprocs") && !name.equals("host")) {
        select.append(':').append(name).append('=').append(entry.getValue());
      }
    }
    return select.toString();
  }

  private static long positive(String text) throws RequestException {
    if (!NUMBER.matcher(text).matches() || Long.parseLong(text) == 0) {
      throw RequestException.badValue(WHERE);
    }
    return Long.parseLong(text);
  }
}
