package io.millrace.ops.gridengine;

import io.millrace.ops.home.Home;
import io.millrace.ops.plus.ReservableText;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Has a scheduler object ask a {@code reservable.ad} before nodes are reserved. */
record ReservableLoading(Home home, String scheduler, String zone) {

  static final String FILE = "reservable.ad";

  /** What is read of a file that may be anything. */
  private static final long SIZE_MAX = 1 << 20;

  /** Whether a path is that of such a text: a file, or a folder with nothing else to load. */
  static boolean isFor(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      Path file = path.resolve(FILE);
      return Files.isRegularFile(file) && Dialects.files(path).size() == 1;
    }
    boolean named = path.getFileName().toString().equals(FILE);
    return Files.isRegularFile(path) && (named || Files.size(path) > SIZE_MAX || describes(path));
  }

  private static boolean describes(Path path) throws IOException {
    try {
      return ReservableText.describes(PolicyText.read(path));
    } catch (ConfigurationRefused e) {
      return false; // no text at all, which load says of it
    }
  }

  /** Checks the text here, where its file has a name, and hands it over. */
  int load(Path path, Console console) throws IOException, UsageException, InterruptedException {
    Path file = Files.isDirectory(path) ? path.resolve(FILE) : path;
    try {
      if (Files.size(file) > SIZE_MAX) {
        throw new ConfigurationRefused(
            file.toString(), 0, "it has " + Files.size(file) + " bytes, over " + SIZE_MAX);
      }
      ReservableText text = ReservableText.of(file.toString(), PolicyText.read(file));
      text.notes().forEach(line -> System.err.println("millrace policy: note: " + line));
    } catch (ConfigurationRefused e) {
      System.err.println("millrace policy: " + e.getMessage());
      return 1;
    }
    List<String> words =
        List.of("reservable-load", scheduler, zone, file.toAbsolutePath().toString());
    return PolicyWord.gateway(home, file.toAbsolutePath().getParent(), words, console);
  }
}
