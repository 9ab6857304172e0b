package io.millrace.ops.process;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How large the heaps of an installation's parts may become, and how they begin.
 *
 * @param given sizes that differ from the usual ones, by kind of part: {@code 2g}, {@code 512m}
 */
public record HeapSizes(Map<String, String> given) {

  /** In MiB; {@code usual} is what a heap may become where nobody said. */
  private record Heap(int usual, int first, int young) {}

  private static final Map<String, Heap> KINDS = new LinkedHashMap<>();

  static {
    KINDS.put("server", new Heap(1024, 68, 24));
    KINDS.put("broker", new Heap(256, 64, 14));
    KINDS.put("engine", new Heap(512, 64, 24));
    KINDS.put("gateway", new Heap(256, 30, 9));
    KINDS.put("accounting", new Heap(64, 26, 6));
    KINDS.put("campaigns", new Heap(256, 40, 16));
    KINDS.put("executor", new Heap(128, 26, 6));
    KINDS.put("web", new Heap(256, 40, 16));
    KINDS.put("forward", new Heap(192, 40, 16));
    KINDS.put("sites", new Heap(64, 26, 6));
    KINDS.put("keeper", new Heap(32, 8, 3));
  }

  /**
   * @param text {@code PART=SIZE,..}; blank for none
   * @throws IllegalArgumentException in one line, of a size or part that there is not
   */
  public static HeapSizes parse(String text) {
    Map<String, String> sizes = new LinkedHashMap<>();
    for (String item : text.split(",")) {
      if (item.isBlank()) {
        continue;
      }
      String[] pair = item.split("=", 2);
      String kind = pair[0].strip();
      String size = pair.length == 2 ? pair[1].strip() : "";
      // Six digits: in GiB more than any machine has, and their MiB are still a number.
      if (!KINDS.containsKey(kind) || !size.matches("[1-9][0-9]{0,5}[mg]")) {
        throw new IllegalArgumentException(
            "--heap takes PART=SIZE, for example server=2g,broker=512m; parts are "
                + String.join(", ", KINDS.keySet()));
      }
      sizes.put(kind, size);
    }
    return new HeapSizes(sizes);
  }

  /** What the heap of a part may become, as Java's option takes it. */
  public String largest(String kind) {
    return given.getOrDefault(kind, KINDS.get(kind).usual() + "m");
  }

  /** What it begins with; it grows with what the part holds. */
  public String first(String kind) {
    return Math.min(KINDS.get(kind).first(), largestMiB(kind)) + "m";
  }

  /** How much a part allocates, at first, until it collects. */
  public String young(String kind) {
    return Math.min(KINDS.get(kind).young(), Math.max(1, largestMiB(kind) / 4)) + "m";
  }

  /** The same, in MiB. */
  public int largestMiB(String kind) {
    String size = largest(kind);
    int number = Integer.parseInt(size.substring(0, size.length() - 1));
    return size.endsWith("g") ? number << 10 : number;
  }
}
