package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What stands indented on a page, for tests that do what the page says. */
final class PageBlocks {

  private static final String INDENT = "    ";

  private final Path page;
  private final String text;

  PageBlocks(Path page) throws IOException {
    this.page = page;
    this.text = Files.readString(page);
  }

  /**
   * The only block of a section that begins so, without its indentation.
   *
   * @param heading without its marks
   */
  String block(String heading, String begin) {
    List<String> found =
        blocks(section(heading)).stream().filter(it -> it.startsWith(begin)).toList();
    if (found.size() != 1) {
      throw new AssertionError(
          page + " has " + found.size() + " blocks below '" + heading + "' that begin " + begin);
    }
    return found.get(0);
  }

  /** First cells of the table whose head this is. */
  List<String> rows(String head) {
    int at = text.indexOf("\n" + head + "\n");
    if (at < 0) {
      throw new AssertionError(page + " has no table " + head);
    }
    return text.substring(at + 1)
        .lines()
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|")[1].strip())
        .toList();
  }

  private String section(String heading) {
    return Arrays.stream(text.split("(?m)^#+ "))
        .filter(it -> it.startsWith(heading + "\n"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(page + " has no heading " + heading));
  }

  /** Empty lines are in a block where indented lines follow. */
  private static List<String> blocks(String section) {
    List<String> blocks = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    StringBuilder empty = new StringBuilder();
    for (String line : (section + "\nend").lines().toList()) {
      if (line.isBlank()) {
        empty.append('\n');
      } else if (line.startsWith(INDENT)) {
        block.append(block.isEmpty() ? "" : empty).append(line.substring(INDENT.length()));
        block.append('\n');
        empty.setLength(0);
      } else {
        if (!block.isEmpty()) {
          blocks.add(block.toString());
        }
        block.setLength(0);
        empty.setLength(0);
      }
    }
    return blocks;
  }
}
