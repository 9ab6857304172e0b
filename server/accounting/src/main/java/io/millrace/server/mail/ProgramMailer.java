package io.millrace.server.mail;

import io.millrace.server.unprivileged.RightsKept;
import io.millrace.server.unprivileged.UnprivilegedProgram;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that takes a message on standard input, called as PBS does: {@code -f FROM TO...}.
 *
 * @param unprivileged what starts it without the service's rights
 */
record ProgramMailer(String program, UnprivilegedProgram unprivileged) implements Mailer {

  private static final long PATIENCE_S = 60;

  /** How Java tells E2BIG. */
  private static final String TOO_LONG = "error=7,";

  /** What sendmail and its likes say when another try may do. */
  private static final int TEMPORARY = 75;

  @Override
  public void send(String from, MailMessage letter)
      throws IOException, LetterRefusal, InterruptedException {
    if (!program.startsWith("/") || !Files.isExecutable(Path.of(program))) {
      throw new LetterRefusal("there is no program " + program);
    }
    List<String> command = new ArrayList<>(List.of(program, "-f", from));
    command.addAll(letter.to());
    // A file, since a program that does not read would hold whoever writes into a pipe.
    Path message = Files.createTempFile("millrace", ".mail");
    try {
      Files.writeString(
          message,
          "To: "
              + String.join(", ", letter.to())
              + "\nSubject: "
              + letter.subject()
              + "\n\n"
              + letter.text());
      end(start(command, message));
    } finally {
      Files.deleteIfExists(message);
    }
  }

  private Process start(List<String> command, Path message)
      throws IOException, LetterRefusal, InterruptedException {
    try {
      return unprivileged
          .of(command, message)
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start();
    } catch (RightsKept e) {
      throw new Unreachable(e.getMessage(), e);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains(TOO_LONG)) {
        throw new LetterRefusal("its addresses are too many for a command line");
      }
      throw new Unreachable(e.getMessage(), e);
    }
  }

  private void end(Process process) throws IOException, LetterRefusal, InterruptedException {
    try {
      if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
        throw new IOException(program + " has not ended within " + PATIENCE_S + " s");
      }
      if (process.exitValue() == TEMPORARY) {
        throw new IOException(program + " ended with " + TEMPORARY + ", try again");
      }
      if (process.exitValue() != 0) {
        throw new LetterRefusal(program + " ended with " + process.exitValue());
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
