package io.millrace.schemas.pbs.schedconfig.share;

import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shares of a site, as {@code resource_group} lists them.
 *
 * @param lines in their order, parents before their children
 */
public record ResourceGroup(List<ResourceGroupLine> lines) {

  /** Most vertices on the way from the top to an entity, the top left out. */
  public static final int DEPTH_MAX = 64;

  /** Name of the top in the file. */
  private static final String ROOT = "root";

  /**
   * One line.
   *
   * @param id number that PBS prints
   * @param parent name of the vertex above
   */
  public record ResourceGroupLine(String name, int id, String parent, int shares) {}

  /** What a text says, and what is wrong with it. */
  public record ResourceGroupRead(ResourceGroup group, List<PolicyFinding> findings) {}

  public ResourceGroup {
    lines = List.copyOf(lines);
  }

  /** Reads a text; never throws. */
  public static ResourceGroupRead read(String file, String text) {
    ResourceGroupReader reader = new ResourceGroupReader(file);
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      String content = line.strip();
      if (!content.isEmpty() && content.charAt(0) != '#' && content.charAt(0) != '*') {
        reader.take(number, content.split("\\s+"));
      }
    }
    return new ResourceGroupRead(new ResourceGroup(reader.lines), List.copyOf(reader.findings));
  }

  /**
   * The tree, with nothing used.
   *
   * @param unknownShares shares of those that the file does not name
   */
  public ShareTree tree(int unknownShares) {
    ShareTree tree = new ShareTree(unknownShares);
    for (ResourceGroupLine line : lines) {
      tree.add(line.name(), line.id(), line.parent(), line.shares());
    }
    tree.entitle();
    return tree;
  }

  private static final class ResourceGroupReader {

    private static final String PASSES = "logs so and passes over the line";

    private final String file;
    private final List<ResourceGroupLine> lines = new ArrayList<>();
    private final List<PolicyFinding> findings = new ArrayList<>();

    /** Depths of the names below the top. */
    private final Map<String, Integer> names =
        new HashMap<>(Map.of(ShareTree.TOP, 0, ShareTree.UNKNOWN, 1));

    ResourceGroupReader(String file) {
      this.file = file;
    }

    void take(int number, String[] words) {
      if (words.length < 4) {
        wrong(number, "a line is NAME ID PARENT SHARES, but this one has too few words", PASSES);
        return;
      }
      String name = words[0];
      String parent = words[2].equals(ROOT) ? ShareTree.TOP : words[2];
      if (names.containsKey(name)) {
        String reason =
            lines.stream().anyMatch(it -> it.name().equals(name))
                ? "'" + name + "' stands here a second time"
                : "the name '" + name + "' may not be used";
        wrong(number, reason, PASSES);
      } else if (!names.containsKey(parent)) {
        String reason =
            parent.equals(name)
                ? "'" + name + "' cannot be its own parent"
                : "there is no '" + words[2] + "' above; a parent stands before its children";
        wrong(number, reason, PASSES);
      } else if (names.get(parent) >= DEPTH_MAX) {
        String reason = "'" + name + "' is more than " + DEPTH_MAX + " groups below " + ROOT;
        wrong(number, reason, "takes it, however deep it is");
      } else if (!words[1].matches("-?\\d{1,9}") || !words[3].matches("-?\\d{1,9}")) {
        wrong(number, "ID and SHARES of '" + name + "' must be whole numbers", PASSES);
      } else {
        accept(
            number, words, new ResourceGroupLine(name, number(words[1]), parent, number(words[3])));
      }
    }

    private void accept(int number, String[] words, ResourceGroupLine line) {
      if (line.shares() < 0) {
        wrong(number, "'" + line.name() + "' has " + line.shares() + " shares", "takes them so");
      }
      if (words.length > 4) {
        wrong(number, "'" + words[4] + "' stands behind the shares", "passes over what is there");
      }
      names.put(line.name(), names.get(line.parent()) + 1);
      lines.add(line);
    }

    private static int number(String word) {
      return Integer.parseInt(word);
    }

    private void wrong(int line, String reason, String inPbs) {
      findings.add(new PolicyFinding(file, line, reason, inPbs, true));
    }
  }
}
