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
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
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

  /** Commands for jobs, of whose options the page has those that are about reservations. */
  private static final Map<String, Set<String>> OTHERS =
      Map.of(
          "qsub",
          Set.of("-q R7", "-W create_resv_from_job=1", "-ar"),
          "qmove",
          Set.of("R7"),
          "qalter",
          Set.of("-ar"),
          "qacct",
          Set.of("-ar"));

  private static final Set<String> NONE = Set.of();

  private static final Path MANUAL = ROOT.resolve("../shared/specs/plus-manual.txt").normalize();
  private static final Pattern USAGE =
      Pattern.compile("^(?:Execute \")?(plus_[a-z]+)(\\s+\\[?-.*)");
  private static final Pattern MANUAL_OPTION = Pattern.compile("(?<=[\\s\\[\\]])-[A-Za-z]+");

  /** A space at which no line is broken. */
  private static final char NO_BREAK = 0xa0;

  /** In all usage lines of the manual. */
  private static final int MANUAL_OPTIONS = 54;

  private static final Pattern LISTED = Pattern.compile("(?m)^option (\\S+)");
  private static final Pattern MENTIONED = Pattern.compile("(?<![\\w-])(--?[A-Za-z]+)\\b");

  /** Options that their row says to be refused, with their commands. */
  private final Set<String> refused = new TreeSet<>();

  private final List<String> wrong = new ArrayList<>();

  @Test
  void eachOptionHasARowAndATest() throws IOException {
    Map<String, Set<String>> told = told();
    for (Map.Entry<String, Set<String>> command : helped(LISTED).entrySet()) {
      Set<String> missing = new TreeSet<>(command.getValue());
      missing.removeAll(told.getOrDefault(command.getKey(), Set.of()));
      missing.forEach(option -> wrong.add(command.getKey() + " " + option + ": no row"));
    }
    assertEquals(List.of(), wrong);
  }

  /** No row has an option that the command has not, or refuses by name. */
  @Test
  void eachRowHasAnOption() throws IOException {
    Map<String, Set<String>> helped = helped(MENTIONED);
    told()
        .forEach(
            (command, options) -> {
              Set<String> invented = new TreeSet<>(options);
              invented.removeAll(helped.getOrDefault(command, OTHERS.getOrDefault(command, NONE)));
              invented.removeIf(option -> refused.contains(command + " " + option));
              invented.forEach(option -> wrong.add(command + " " + option + ": no option"));
            });
    assertEquals(List.of(), wrong);
  }

  /** Each option in PluS's manual is told of, also one that is refused. */
  @Test
  void eachOptionOfTheManualHasARow() throws IOException {
    Assumptions.assumeTrue(Files.isReadable(MANUAL), "no manual at " + MANUAL);
    Map<String, Set<String>> told = told();
    int options = 0;
    for (String line : Files.readString(MANUAL).replace(NO_BREAK, ' ').split("\n")) {
      Matcher usage = USAGE.matcher(line);
      if (usage.find()) {
        for (MatchResult option : MANUAL_OPTION.matcher(usage.group(2)).results().toList()) {
          options++;
          if (!told.getOrDefault(usage.group(1), Set.of()).contains(option.group())) {
            wrong.add(usage.group(1) + " " + option.group() + ": no row");
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertEquals(MANUAL_OPTIONS, options);
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
            .forEach(
                it -> {
                  told.computeIfAbsent(command, any -> new TreeSet<>()).add(it.group(1));
                  if (row.group(3).contains("refused")) {
                    refused.add(command + " " + it.group(1));
                  }
                });
      }
    }
    return told;
  }

  /** The options of each command in its help, by a pattern of how they stand there. */
  private static Map<String, Set<String>> helped(Pattern option) throws IOException {
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
            option
                .matcher(Files.readString(file))
                .results()
                .forEach(found -> options.add(found.group(1)));
            helped.put(name.group(1), options);
          }
        }
      }
    }
    assertEquals(COMMANDS, helped.size(), helped.keySet().toString());
    return helped;
  }
}
