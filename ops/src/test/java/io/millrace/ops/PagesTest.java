package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages lead to what is there, are all found from the index, and can be read. */
final class PagesTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));

  private static final int LINE_MAX = 120;
  private static final int README_LINES_MAX = 100;

  /** Made by a build, or kept by a home or by tools: no pages of ours. */
  private static final Set<String> PASSED_OVER = Set.of("target", "var", "node_modules");

  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *#*$");
  private static final Pattern HEADING_MARKS = Pattern.compile("[^\\p{L}\\p{N} _-]");
  private static final Pattern FOLDER =
      Pattern.compile("`([\\w.-]+(?:/[\\w.-]+)+)/?`|(?m:^ *- `([^`]+)`)");
  private static final Pattern DATE_AND_STATE =
      Pattern.compile(
          "# .*\n\nDate: \\d{4}-\\d\\d-\\d\\d\n"
              + "State: (accepted|superseded by \\[\\d{4}\\]\\([^)]+\\))\n(?s:.*)");

  @TempDir Path folder;

  @Test
  void eachLinkLeadsSomewhere() throws IOException {
    assertEquals(List.of(), brokenLinks(ROOT));
  }

  @Test
  void eachPageIsReachedFromTheIndex() throws IOException {
    assertTrue(pages(ROOT.resolve("docs")).size() > 50, "too few pages are looked at");
    assertEquals(Set.of(), unreached(ROOT));
  }

  @Test
  void noLineIsTooLong() throws IOException {
    assertEquals(List.of(), longLines(ROOT));
  }

  @Test
  void theReadmeIsShort() throws IOException {
    int lines = Files.readAllLines(ROOT.resolve("README.md")).size();
    assertTrue(lines <= README_LINES_MAX, lines + " lines");
  }

  @Test
  void theArchitectureNamesFoldersThatExist() throws IOException {
    Path page = ROOT.resolve("docs/architecture.md");
    List<String> named = folders(page);
    assertTrue(named.size() > 20, "found " + named);
    assertEquals(List.of(), named.stream().filter(it -> !isFolder(ROOT, it)).toList());
  }

  @Test
  void eachDecisionHasDateAndState() throws IOException {
    assertEquals(List.of(), withoutState(ROOT));
  }

  @Test
  void aBrokenLinkIsFound() throws IOException {
    write("README.md", "[there](docs/index.md#two-words) [web](https://example.org/x) `[](no)`\n");
    write("docs/index.md", "# Index\n\n## `Two` words!\n\n[up](../README.md), [here](#index)\n");
    assertEquals(List.of(), brokenLinks(folder));
    write("docs/index.md", "# Index\n\n[gone](gone.md), [a\nlong one](../README.md#no), [x](#y)\n");
    assertEquals(
        List.of(
            "README.md: docs/index.md#two-words",
            "docs/index.md: #y",
            "docs/index.md: ../README.md#no",
            "docs/index.md: gone.md"),
        brokenLinks(folder).stream().sorted().toList());
  }

  @Test
  void headingsThatAreAlikeHaveAnchorsOfTheirOwn() throws IOException {
    write("README.md", "# Same\n\n# Same\n\n```\n# code\n```\n[1](#same) [2](#same-1)\n");
    assertEquals(List.of(), brokenLinks(folder));
    write("README.md", "# Same\n\n# Same\n\n```\n# code\n```\n[3](#same-2) [4](#code)\n");
    assertEquals(List.of("README.md: #same-2", "README.md: #code"), brokenLinks(folder));
  }

  @Test
  void aPageThatNobodyReachesIsFound() throws IOException {
    write("docs/index.md", "[one](one.md)\n");
    write("docs/one.md", "[two](more/two.md#at)\n");
    write("docs/more/two.md", "# At\n");
    assertEquals(Set.of(), unreached(folder));
    write("docs/more/three.md", "[two](two.md)\n");
    assertEquals(Set.of("docs/more/three.md"), unreached(folder));
  }

  @Test
  void aLongLineIsFound() throws IOException {
    write("page.md", "é".repeat(LINE_MAX) + "\n");
    write("target/made.md", "x".repeat(LINE_MAX + 1) + "\n");
    assertEquals(List.of(), longLines(folder));
    write("page.md", "short\n" + "é".repeat(LINE_MAX + 1) + "\n");
    assertEquals(List.of("page.md:2"), longLines(folder));
  }

  @Test
  void aFolderThatIsNotThereIsFound() throws IOException {
    write("docs/architecture.md", "`docs/more`, `word`, `--option`\n- `docs`: x\n- `gone`: y\n");
    assertEquals(
        List.of("docs/more", "gone"),
        folders(folder.resolve("docs/architecture.md")).stream()
            .filter(it -> !isFolder(folder, it))
            .toList());
  }

  @Test
  void aDecisionWithoutDateOrStateIsFound() throws IOException {
    write("docs/decisions/0001-a.md", "# 1. A\n\nDate: 2026-11-24\nState: accepted\n\nText.\n");
    write(
        "docs/decisions/0002-b.md",
        "# 2. B\n\nDate: 2026-11-24\nState: superseded by [0001](0001-a.md)\n");
    write("docs/decisions/0003-c.md", "# 3. C\n\nState: accepted\n");
    write("docs/decisions/0004-d.md", "# 4. D\n\nDate: 2026-11-24\nState: in force\n");
    assertEquals(
        List.of("docs/decisions/0003-c.md", "docs/decisions/0004-d.md"), withoutState(folder));
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** All pages below a folder, in the order of their names. */
  private static Set<Path> pages(Path root) throws IOException {
    Set<Path> pages = new TreeSet<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
            String name = entered.getFileName().toString();
            boolean ours =
                entered.equals(root) || !name.startsWith(".") && !PASSED_OVER.contains(name);
            return ours ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }

  /** {@code page: target} of each relative link to a file or an anchor that is not there. */
  private static List<String> brokenLinks(Path root) throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages(root)) {
      for (String link : links(page)) {
        Path target = target(page, link);
        int mark = link.indexOf('#');
        if (!Files.exists(target)
            || mark >= 0 && !anchors(target).contains(link.substring(mark + 1))) {
          broken.add(root.relativize(page) + ": " + link);
        }
      }
    }
    return broken;
  }

  /** Pages below docs to which no way of links leads from the index. */
  private static Set<String> unreached(Path root) throws IOException {
    Path index = root.resolve("docs/index.md");
    Set<Path> reached = new HashSet<>(Set.of(index));
    Deque<Path> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      Path page = open.remove();
      for (String link : links(page)) {
        Path target = target(page, link);
        if (target.toString().endsWith(".md") && Files.exists(target) && reached.add(target)) {
          open.add(target);
        }
      }
    }
    Set<String> left = new TreeSet<>();
    for (Path page : pages(root.resolve("docs"))) {
      if (!reached.contains(page)) {
        left.add(root.relativize(page).toString());
      }
    }
    return left;
  }

  private static List<String> longLines(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages(root)) {
      List<String> lines = Files.readAllLines(page);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.codePointCount(0, line.length()) > LINE_MAX) {
          found.add(root.relativize(page) + ":" + (i + 1));
        }
      }
    }
    return found;
  }

  /** What a page names in backticks with a slash in it, or at the head of an item. */
  private static List<String> folders(Path page) throws IOException {
    return FOLDER
        .matcher(Files.readString(page))
        .results()
        .map(it -> it.group(1) == null ? it.group(2) : it.group(1))
        .toList();
  }

  private static boolean isFolder(Path root, String name) {
    return Files.isDirectory(root.resolve(name));
  }

  private static List<String> withoutState(Path root) throws IOException {
    return pages(root.resolve("docs/decisions")).stream()
        .filter(page -> !DATE_AND_STATE.matcher(text(page)).matches())
        .map(page -> root.relativize(page).toString())
        .toList();
  }

  /** Targets of the links of a page that stay in the repository, as they are written. */
  private static List<String> links(Path page) {
    return LINK.matcher(CODE.matcher(prose(page)).replaceAll("code"))
        .results()
        .map(it -> it.group(1))
        .filter(it -> !ELSEWHERE.matcher(it).matches())
        .toList();
  }

  private static Path target(Path page, String link) {
    String file = link.replaceFirst("#.*", "");
    return file.isEmpty() ? page : page.resolveSibling(file).normalize();
  }

  /** Anchors of a page's headings as the hosts of repositories make them. */
  private static Set<String> anchors(Path page) {
    Set<String> anchors = new HashSet<>();
    if (page.toString().endsWith(".md")) {
      HEADING
          .matcher(prose(page))
          .results()
          .map(
              it ->
                  HEADING_MARKS
                      .matcher(it.group(1).toLowerCase(Locale.ROOT))
                      .replaceAll("")
                      .replace(' ', '-'))
          .forEach(
              name -> {
                String anchor = name;
                for (int i = 1; !anchors.add(anchor); i++) {
                  anchor = name + "-" + i;
                }
              });
    }
    return anchors;
  }

  /** A page without its blocks of code between fences. */
  private static String prose(Path page) {
    return CODE_BLOCK.matcher(text(page)).replaceAll("");
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
