package io.millrace.schemas.release;

import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.SchemaText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** The folder of released schemas. */
public final class ReleasedSchemas {

  /** Lines "sha256 file name", sorted by name. */
  static final String HASHES = "HASHES";

  private static final Pattern FILE_NAME = Pattern.compile("(.+)-v([1-9][0-9]*)\\.avsc");

  private final Path folder;

  public ReleasedSchemas(Path folder) {
    this.folder = folder;
  }

  /**
   * How many versions of records had been released when this build was made. None is ever taken
   * back: of two builds the one that knows more is the newer.
   */
  public static int known() {
    try (InputStream in = ReleasedSchemas.class.getResourceAsStream(HASHES)) {
      return (int) new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Holds the folder against the schemas of this build.
   *
   * @return what breaks the rules, one line each with the record's or file's name; empty when all
   *     is well
   */
  public List<String> problems(Collection<Schema> current) throws IOException {
    List<String> problems = new ArrayList<>(hashProblems());
    SortedMap<String, SortedMap<Integer, Schema>> released;
    try {
      released = read();
    } catch (AvroRuntimeException e) {
      problems.add("a released file is no schema: " + e.getMessage());
      return problems;
    }
    Map<String, Schema> byName = new TreeMap<>();
    current.forEach(schema -> byName.put(schema.getFullName(), SchemaText.published(schema)));
    for (String name : released.keySet()) {
      if (!byName.containsKey(name)) {
        problems.add(name + " was released and has disappeared");
      }
    }
    byName.forEach(
        (name, schema) ->
            problems.addAll(problemsOf(schema, released.getOrDefault(name, new TreeMap<>()))));
    return problems;
  }

  private static List<String> problemsOf(Schema schema, SortedMap<Integer, Schema> released) {
    String name = schema.getFullName();
    if (released.isEmpty()) {
      return List.of(name + " is not released: run schemas/release.sh");
    }
    List<String> problems = new ArrayList<>();
    if (released.lastKey() != released.size()) {
      problems.add(name + " has released versions " + released.keySet() + ": there is a gap");
    }
    problems.addAll(
        CompatibilityLevel.FULL_TRANSITIVE.problems(schema, List.copyOf(released.values())));
    if (problems.isEmpty() && !schema.equals(released.get(released.lastKey()))) {
      problems.add(
          name
              + " differs from its last released version "
              + released.lastKey()
              + ": run schemas/release.sh");
    }
    return problems;
  }

  private List<String> hashProblems() throws IOException {
    Path list = folder.resolve(HASHES);
    if (!Files.exists(list)) {
      return List.of("the list of hashes " + list + " is missing");
    }
    SortedMap<String, String> actual = hashes();
    List<String> problems = new ArrayList<>();
    TreeSet<String> unlisted = new TreeSet<>(actual.keySet());
    for (String line : Files.readAllLines(list)) {
      String[] parts = line.split("  ", 2);
      String file = parts.length == 2 ? parts[1] : line;
      unlisted.remove(file);
      if (!actual.containsKey(file)) {
        problems.add("released file " + file + " has disappeared");
      } else if (!actual.get(file).equals(parts[0])) {
        problems.add("released file " + file + " was changed after its release");
      }
    }
    unlisted.forEach(file -> problems.add("file " + file + " is not in the list " + HASHES));
    return problems;
  }

  /** Released versions by full name and number. */
  SortedMap<String, SortedMap<Integer, Schema>> read() throws IOException {
    SortedMap<String, SortedMap<Integer, Schema>> released = new TreeMap<>();
    for (Path file : files()) {
      Matcher name = FILE_NAME.matcher(file.getFileName().toString());
      if (!name.matches()) {
        throw new AvroRuntimeException(
            file.getFileName() + " is not named <record>-v<number>.avsc");
      }
      Schema schema = SchemaText.parse(Files.readString(file));
      released
          .computeIfAbsent(schema.getFullName(), n -> new TreeMap<>())
          .put(Integer.parseInt(name.group(2)), schema);
    }
    return released;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(f -> !f.getFileName().toString().equals(HASHES)).sorted().toList();
    }
  }

  private SortedMap<String, String> hashes() throws IOException {
    SortedMap<String, String> hashes = new TreeMap<>();
    for (Path file : files()) {
      hashes.put(file.getFileName().toString(), sha256(Files.readAllBytes(file)));
    }
    return hashes;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  void write(Schema schema, int version) throws IOException {
    Files.createDirectories(folder);
    String record = schema.getFullName().replace("io.millrace.schemas.", "");
    Files.writeString(
        folder.resolve(record + "-v" + version + ".avsc"), SchemaText.indented(schema));
  }

  void writeHashes() throws IOException {
    StringBuilder lines = new StringBuilder();
    hashes().forEach((file, hash) -> lines.append(hash).append("  ").append(file).append('\n'));
    Files.writeString(folder.resolve(HASHES), lines, StandardCharsets.UTF_8);
  }

  void clear() throws IOException {
    for (Path file : files()) {
      Files.delete(file);
    }
    Files.deleteIfExists(folder.resolve(HASHES));
  }
}
