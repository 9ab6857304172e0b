package io.millrace.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/reservations-options.md has each option of the commands for reservations that their help
 * tells of, with a test that exists.
 */
class ReservationOptionsTest {
  private static final Path ROOT = Path.of(System.getProperty("millrace.root", ".."));
  private static final Pattern ROW =
      Pattern.compile("- ([a-z_]+(?:, [a-z_]+)*)((?: `[^`]+`)+): (.*)");
  private static final Pattern OPTION = Pattern.compile("`([^`]+)`");
  private static final Pattern COMMAND =
      Pattern.compile("(pbs_r(sub|stat|alter|del)|plus_\\w+|qr(sub|stat|del))\\.txt");
  private static final int COMMANDS = 18;

  private final List<String> wrong = new ArrayList<>();

  @Test
  void eachOptionHasARowAndATest() throws IOException {
    Map<String, Set<String>> told = told();
    for (Map.Entry<String, Set<String>> command : helped().entrySet()) {
      Set<String> missing = new TreeSet<>(command.getValue());
      missing.removeAll(told.getOrDefault(command.getKey(), Set.of()));
      missing.forEach(option -> wrong.add(command.getKey() + " " + option + ": no row"));
    }
    assertEquals(List.of(), wrong);
  }

  /** The options of each command on the page, whose tests are looked for. */
  private Map<String, Set<String>> told() throws IOException {
    NamedTests tests = NamedTests.read(ROOT);
    Map<String, Set<String>> told = new HashMap<>();
    String page = Files.readString(ROOT.resolve("docs/reservations-options.md"));
    for (String line : page.replaceAll("\n  (?=\\S)", " ").split("\n")) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        if (line.startsWith("-")) {
          wrong.add(line + ": not a row");
        }
        continue;
      }
      tests.wrong(row.group(3)).forEach(it -> wrong.add(line + ": " + it));
      for (String command : row.group(1).split(", ")) {
        OPTION
            .matcher(row.group(2))
            .results()
            .forEach(it -> told.computeIfAbsent(command, any -> new TreeSet<>()).add(it.group(1)));
      }
    }
    return told;
  }

  /** The options of each command in its help. */
  private static Map<String, Set<String>> helped() throws IOException {
    Map<String, Set<String>> helped = new HashMap<>();
    for (String folder :
        List.of(
            "server/gateway/src/main/resources/io/millrace/server/gateway/help",
            "server/gridengine/src/main/resources/io/millrace/server/gridengine")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        for (Path file : files.toList()) {
          Matcher name = COMMAND.matcher(file.getFileName().toString());
          if (name.matches()) {
            Set<String> options = new TreeSet<>();
            Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("option "))
                .forEach(line -> options.add(line.split(" ")[1]));
            helped.put(name.group(1), options);
          }
        }
      }
    }
    assertEquals(COMMANDS, helped.size(), helped.keySet().toString());
    return helped;
  }
}
