package io.millrace.ops;

import io.millrace.ops.structure.SourceFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tests of all modules, as pages name them: {@code `Class.method`}. */
final class NamedTests {
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT))\\.(\\w+)`");
  private static final Pattern REASON = Pattern.compile("(.* )?not (yet|here): .{8,}");
  private static final int LEAST = 100;

  private final Map<String, String> sources = new HashMap<>();

  private NamedTests() {}

  static NamedTests read(Path root) throws IOException {
    NamedTests tests = new NamedTests();
    for (Path file : SourceFiles.of(root, SourceFiles.TEST)) {
      String name = file.getFileName().toString().replace(".java", "");
      tests.sources.put(name, Files.readString(file));
    }
    if (tests.sources.size() < LEAST) {
      throw new AssertionError("the tests were not found");
    }
    return tests;
  }

  /** What is wrong with a text that has to name tests, or to say why there is none. */
  List<String> wrong(String text) {
    List<String> wrong = new ArrayList<>();
    Matcher named = TEST.matcher(text);
    int found = 0;
    for (; named.find(); found++) {
      String source = sources.getOrDefault(named.group(1), "");
      String method = "(void|Stream<DynamicTest>) " + named.group(2) + "\\(";
      if (!Pattern.compile(method).matcher(source).find()) {
        wrong.add(named.group());
      }
    }
    if (found == 0 && !REASON.matcher(text).matches()) {
      wrong.add("neither a test nor a reason");
    }
    return wrong;
  }
}
