package io.millrace.server.mail;

import io.millrace.server.unprivileged.UnprivilegedProgram;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;

/** Sends letters. */
public interface Mailer {

  /** Will never be sent, whoever tries. */
  final class LetterRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    public LetterRefusal(String message) {
      super(message);
    }
  }

  /** Nobody is there to take any letter. */
  final class Unreachable extends IOException {
    private static final long serialVersionUID = 1L;

    public Unreachable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Returns when somebody else answers for the letter.
   *
   * @throws Unreachable when that holds for all others too
   * @throws IOException when it may be sent later
   */
  void send(String from, MailMessage letter)
      throws IOException, LetterRefusal, InterruptedException;

  /**
   * @param value of the attribute mailer: a program that is called as sendmail is, or {@code
   *     smtp://host[:port]}
   * @param unprivileged what starts a program
   */
  static Mailer of(String value, UnprivilegedProgram unprivileged) {
    if (!value.startsWith("smtp://")) {
      return new ProgramMailer(value, unprivileged);
    }
    try {
      URI uri = new URI(value);
      if (uri.getHost() == null || !uri.getPath().matches("/?")) {
        throw new URISyntaxException(value, "smtp://host or smtp://host:port is meant");
      }
      return new SmtpMailer(uri.getHost(), uri.getPort());
    } catch (URISyntaxException e) {
      return (from, letter) -> {
        throw new LetterRefusal("mailer: " + e.getMessage());
      };
    }
  }
}
