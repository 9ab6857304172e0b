package io.millrace.ops.origin2000;

import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files of a case. What the scheduler writes and what is replaced stays in memory: the folder
 * is left as it is.
 */
final class OriginFiles {

  /** Largest text that is read. */
  private static final long LARGEST = 16L << 20;

  private final Path folder;
  private final Map<String, Path> replaced = new HashMap<>();
  private final Map<String, String> written = new HashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private long version;

  OriginFiles(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /** Where the present content of a file lies in the folder. */
  Path place(String name) {
    return replaced.getOrDefault(name, folder.resolve(name)).normalize();
  }

  /** Lets a file have the content of another from now on. */
  void replace(String name, String by) {
    if (!Files.isRegularFile(folder.resolve(by))) {
      throw new ConfigurationRefused(folder.resolve(by).toString(), 0, "there is no such file");
    }
    replaced.put(name, folder.resolve(by));
    written.remove(name);
    versions.put(name, ++version);
  }

  void write(String name, String text) {
    written.put(name, text);
    versions.put(name, ++version);
  }

  /** The text of a file; empty when there is none. */
  Optional<String> read(String name) throws IOException {
    if (written.containsKey(name)) {
      return Optional.of(written.get(name));
    }
    return Files.isRegularFile(place(name)) ? Optional.of(text(place(name))) : Optional.empty();
  }

  InputFile input(String name) throws IOException {
    Optional<String> text = read(name);
    return text.isEmpty()
        ? InputFile.NONE
        : new InputFile(text.get(), versions.getOrDefault(name, 0L));
  }

  /**
   * A text file.
   *
   * @throws ConfigurationRefused when it is none
   */
  static String text(Path file) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new ConfigurationRefused(file.toString(), 0, "the file is larger than 16 MiB");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new ConfigurationRefused(file.toString(), 0, "the text is not in UTF-8");
    }
  }
}
