package io.millrace.server.mail;

import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that takes a message on standard input, called as PBS does: {@code -f FROM TO...}. */
record ProgramMailer(String program) implements Mailer {

  private static final long PATIENCE_S = 60;

  /** What sendmail and its likes say when another try may do. */
  private static final int TEMPORARY = 75;

  @Override
  public void send(String from, Letter letter) throws IOException, Refusal, InterruptedException {
    if (!program.startsWith("/") || !Files.isExecutable(Path.of(program))) {
      throw new Refusal("there is no program " + program);
    }
    List<String> command = new ArrayList<>(List.of(program, "-f", from));
    command.addAll(letter.to());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    try {
      // A letter is smaller than a pipe, so that this never waits for the program.
      try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
        in.write("To: " + String.join(", ", letter.to()) + "\n");
        in.write("Subject: " + letter.subject() + "\n\n" + letter.text());
      } catch (IOException e) {
        // It has ended without reading; its exit status tells more.
      }
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IOException(program + " has not ended within " + PATIENCE_S + " s");
      }
      if (process.exitValue() == TEMPORARY) {
        throw new IOException(program + " ended with " + TEMPORARY + ", try again");
      }
      if (process.exitValue() != 0) {
        throw new Refusal(program + " ended with " + process.exitValue());
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
