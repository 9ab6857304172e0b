package io.millrace.ops.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** All that travels over a network device, for whoever has the rights to read there. */
final class Capture implements AutoCloseable {
  private final Path file;
  private final Process program;

  private Capture(Path file, Process program) {
    this.file = file;
    this.program = program;
  }

  /** Begins; the file is there as soon as no packet is missed. */
  static Capture begin(Path folder, String device) throws IOException, InterruptedException {
    Path script = folder.resolve("capture.py");
    try (InputStream in = Capture.class.getResourceAsStream("/e2e/capture.py")) {
      Files.write(script, in.readAllBytes());
    }
    Path file = folder.resolve("packets-" + device);
    Process program =
        new ProcessBuilder("/usr/bin/python3", script.toString(), device, file.toString())
            .inheritIO()
            .start();
    Site.await(Duration.ofSeconds(30), "the capture has begun", () -> Files.exists(file));
    return new Capture(file, program);
  }

  long bytes() throws IOException {
    return Files.size(file);
  }

  /** Whether a word was sent within one packet. */
  boolean has(String word) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).contains(word);
  }

  @Override
  public void close() {
    program.destroyForcibly();
  }
}
