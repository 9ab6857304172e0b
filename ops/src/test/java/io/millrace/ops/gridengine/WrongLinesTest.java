package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A table of wrong lines of all dialects, as {@code policy check} refuses them: each with file,
 * line and reason, or without a line where the text as a whole is meant. Whoever changes a text of
 * a message writes the table anew with {@code -Dmillrace.write=true} and reads what has changed.
 */
class WrongLinesTest {

  private static final Path TABLE = Path.of("src/test/resources/policy/wrong-lines.txt");

  private static final int ROWS_MIN = 120;
  private static final int WITHOUT_LINE_MAX = 5;
  private static final int MIB = 1 << 20;
  private static final int DEEP = 65;

  /** Files that lie beside the wrong one, by the dialect. */
  private static final Map<String, Map<String, String>> BESIDE =
      Map.of(
          "pbs",
          Map.of("sched_config", "by_queue: true\n"),
          "origin",
          Map.of("config", "SUBMIT_QUEUE submit\nBATCH_QUEUES exec@host1\n"),
          "plus",
          Map.of(),
          "cell",
          Map.of(
              "complex",
              "slots s INT <= YES YES 1 1000\n",
              "sched",
              "algorithm default\n",
              "queue.all.q",
              "qname all.q\nhostlist n1\nslots 2\n"));

  /**
   * A row of the table.
   *
   * @param file dialect and name of the file
   * @param text as the table has it
   * @param said what is to be said of it
   */
  private record Row(String file, String text, String said) {

    private static Row of(String line) {
      String[] parts = line.split("\t", -1);
      return new Row(parts[0], parts[1], parts[2]);
    }

    private String dialect() {
      return file.substring(0, file.indexOf('/'));
    }

    private String name() {
      return file.substring(file.indexOf('/') + 1);
    }

    private byte[] bytes() {
      StringBuilder deep = new StringBuilder("g0 10 root 1\n");
      for (int i = 1; i < DEEP; i++) {
        deep.append('g').append(i).append(" 10 g").append(i - 1).append(" 1\n");
      }
      String plain =
          text.replace("\\n", "\n")
              .replace("\\xe9", "\u00e9")
              .replace("\\xfc", "\u00fc")
              .replace("\\\\", "\\")
              .replace("{mib}", "x".repeat(MIB))
              .replace("{deep}", deep);
      return plain.getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  @TempDir Path temporary;

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(TABLE).stream().map(Row::of).toList();
  }

  /** The folder of a row, made anew. */
  private Path folder(Row row, int number) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("f" + number));
    Map<String, String> beside = new TreeMap<>(BESIDE.get(row.dialect()));
    beside.remove(row.name());
    for (Map.Entry<String, String> file : beside.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    Files.write(folder.resolve(row.name()), row.bytes());
    return folder;
  }

  /** What a verb says of a folder on standard error, notes left out; it has to fail. */
  private static String refusal(Path folder, String... args) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream before = System.err;
    int status;
    try {
      System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
      status = new PolicyWord().run(List.of(args), new Console(new PrintStream(said), false));
    } finally {
      System.setErr(before);
    }
    List<String> lines =
        said.toString(StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.startsWith("millrace policy: note: "))
            .toList();
    String all = String.join(" | ", lines);
    return status == 1
        ? all.replace("millrace policy: ", "").replace(folder + "/", "").replace("" + folder, "DIR")
        : "status " + status + ": " + all;
  }

  private String check(Row row, int number) throws Exception {
    Path folder = folder(row, number);
    // A ClassAd is read alone; of the others a folder is one policy.
    Path path = row.name().equals("reservable.ad") ? folder.resolve(row.name()) : folder;
    return refusal(folder, "check", path.toString());
  }

  @Test
  void eachWrongLineIsRefusedWithItsPlaceAndReason() throws Exception {
    List<Row> rows = rows();
    List<Row> now = new ArrayList<>();
    for (Row row : rows) {
      now.add(new Row(row.file(), row.text(), check(row, now.size())));
    }
    if (Boolean.getBoolean("millrace.write")) {
      List<String> lines = new ArrayList<>();
      now.forEach(it -> lines.add(it.file() + "\t" + it.text() + "\t" + it.said()));
      Files.write(TABLE, lines);
    }
    Map<String, String> expected = new LinkedHashMap<>();
    Map<String, String> said = new LinkedHashMap<>();
    rows().forEach(row -> expected.put(row.file() + " " + row.text(), row.said()));
    now.forEach(row -> said.put(row.file() + " " + row.text(), row.said()));
    assertEquals(String.join("\n", lines(expected)), String.join("\n", lines(said)));
  }

  @Test
  void anEmptyFolderAndAHomeThatIsNone() throws Exception {
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    Files.createDirectory(empty.resolve("sched_config"));
    String said =
        "DIR: there is no file of a policy in it: sched_config of PBS, config of an Origin2000"
            + " scheduler, sched_conf of PluS, or sched of a Grid Engine";
    assertEquals(said, refusal(empty, "check", empty.toString()));
    assertEquals(said, refusal(empty, "load", "default", empty.toString(), "--home", "" + empty));
    IOException none =
        assertThrows(
            IOException.class, () -> refusal(empty, "show", "default", "--home", "" + empty));
    assertEquals(empty + " is no home of Millrace: run ./millrace up", none.getMessage());
  }

  private static List<String> lines(Map<String, String> rows) {
    return rows.entrySet().stream().map(row -> row.getKey() + " -> " + row.getValue()).toList();
  }

  @Test
  void theTableIsLargeAndNamesThePlaces() throws IOException {
    List<Row> rows = rows();
    assertTrue(rows.size() >= ROWS_MIN, "only " + rows.size() + " rows");
    int whole = 0;
    for (Row row : rows) {
      String place = Pattern.quote(row.name());
      assertTrue(row.said().matches("(?s)" + place + "(:\\d+)?: \\S.*"), row.toString());
      whole += row.said().matches("(?s)" + place + ":\\d+: .*") ? 0 : 1;
    }
    assertTrue(whole <= WITHOUT_LINE_MAX, whole + " rows are without a line");
  }

  @Test
  void nothingIsLoadedOfAFolderWithAWrongLine() throws Exception {
    String home = temporary.resolve("nowhere").toString();
    int number = 0;
    for (Row row : rows()) {
      boolean loads = row.dialect().equals("pbs") || row.file().equals("plus/sched_conf");
      if (loads) {
        Path folder = folder(row, number++);
        // Nobody is there who could be asked, so that it was refused before.
        assertEquals(
            row.said(),
            refusal(folder, "load", "default", folder.toString(), "--home", home),
            row.toString());
      }
    }
    assertTrue(number > ROWS_MIN / 2, "only " + number);
  }
}
