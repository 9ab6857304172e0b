package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.structure.SourceFiles;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AbsentAttributes;
import io.millrace.schemas.pbs.attributes.AttributeAccess;
import io.millrace.schemas.pbs.attributes.AttributeDefinition;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about attributes is generated from the table of attributes and from the tests. */
class AttributePageTest {

  private static final Path ROOT = Path.of(System.getProperty("millrace.root"));
  private static final Path PAGE = ROOT.resolve("docs/attributes.md");
  private static final Path TEXTS = ROOT.resolve("ops/src/test/resources/docs/attributes.txt");

  private static final String HEAD =
      """
      # Attributes

      Made from the table of attributes; do not edit. To make it anew after a change:
      `./mvnw -pl ops -am test -Dtest=AttributePageTest -Dmillrace.write=true
      -Dsurefire.failIfNoSpecifiedTests=false`.

      `qmgr -c 'set OBJECT NAME ATTRIBUTE = VALUE'` sets them, everybody may read them. An attribute of PBS that is not here
      is refused by name. *[.resource]*: one value for each resource, as in `resources_max.walltime`. What a job may have is
      told by `qsub --help` and `qalter --help`. Each attribute is followed by its type, its usual value, who may set it and
      the test that shows it.
      """;

  /** The hand-written text about an attribute. */
  private record Text(String test, String meaning) {}

  @Test
  void thePageIsUpToDate() throws IOException {
    String page = page(texts());
    if (Boolean.getBoolean("millrace.write")) {
      Files.writeString(PAGE, page);
    }
    assertEquals(page, Files.exists(PAGE) ? Files.readString(PAGE) : "");
  }

  @Test
  void noAttributeIsBothThereAndNot() {
    for (ObjectKind kind : ObjectKind.values()) {
      for (String name : AbsentAttributes.of(kind).keySet()) {
        assertTrue(AttributeTable.find(kind, name).isEmpty(), kind + " " + name);
      }
    }
  }

  @Test
  void eachAttributeHasATestThatNamesIt() throws IOException {
    Map<String, Path> tests = new HashMap<>();
    for (Path file : SourceFiles.of(ROOT, SourceFiles.TEST)) {
      tests.put(file.getFileName().toString(), file);
    }
    List<String> without = new ArrayList<>();
    for (Map.Entry<String, Text> text : texts().entrySet()) {
      Path test = tests.get(text.getValue().test() + ".java");
      String name = text.getKey().split(" ")[1];
      if (test == null || !Pattern.compile("\\b" + name + "\\b").matcher(source(test)).find()) {
        without.add(text.getKey() + ": " + text.getValue().test());
      }
    }
    assertEquals(List.of(), without);
  }

  /** The test's source, with the attribute's name in place of constants. */
  private static String source(Path test) throws IOException {
    return Files.readString(test)
        .replace("GRID_ENGINE_CONFIGURATION", AttributeTable.GRID_ENGINE_CONFIGURATION);
  }

  private static Map<String, Text> texts() throws IOException {
    Map<String, Text> texts = new HashMap<>();
    for (String line : Files.readAllLines(TEXTS)) {
      if (!line.startsWith("#")) {
        String[] words = line.split(" ", 4);
        Text before = texts.put(words[0] + " " + words[1], new Text(words[2], words[3]));
        assertTrue(before == null, "twice: " + line);
      }
    }
    return texts;
  }

  private static String page(Map<String, Text> texts) {
    Map<String, Text> left = new HashMap<>(texts);
    StringBuilder page = new StringBuilder(HEAD);
    for (ObjectKind kind : ObjectKind.values()) {
      page.append("\n## ").append(title(kind)).append("\n\n");
      for (AttributeDefinition attribute : AttributeTable.of(kind)) {
        Text text = left.remove(kind + " " + attribute.name());
        assertTrue(text != null, "nothing is said of " + kind + " " + attribute.name());
        page.append(row(attribute, text));
      }
    }
    assertEquals(Map.of(), left, "said of attributes that do not exist");
    page.append("\n## Attributes of PBS that are refused by name\n\n");
    for (ObjectKind kind : ObjectKind.values()) {
      AbsentAttributes.of(kind)
          .forEach(
              (name, instead) ->
                  page.append(item("`%s` of %s".formatted(name, title(kind)), instead)));
    }
    return page.toString();
  }

  private static String title(ObjectKind kind) {
    return kind == ObjectKind.SCHEDULER ? "sched" : kind.name().toLowerCase(Locale.ROOT);
  }

  private static String row(AttributeDefinition attribute, Text text) {
    String usual = attribute.defaultValue();
    String head =
        "`%s`%s (%s%s; %s; `%s`)"
            .formatted(
                attribute.name(),
                attribute.perResource() ? " *[.resource]*" : "",
                attribute.type().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                usual.isEmpty() ? "" : "; usually `" + usual + "`",
                who(attribute.access()),
                text.test());
    return item(head, text.meaning());
  }

  /** An item of a list, in lines of 120 characters at most. */
  private static String item(String head, String text) {
    return "- " + head + ":\n" + text.replaceAll("(.{1,118})(?: +|$)", "  $1\n");
  }

  private static String who(AttributeAccess access) {
    return switch (access) {
      case OPERATOR -> "operators, managers";
      case MANAGER -> "managers";
      case READ_ONLY -> "nobody";
    };
  }
}
