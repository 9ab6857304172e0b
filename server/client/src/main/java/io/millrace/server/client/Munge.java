package io.millrace.server.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes credentials by the program {@code munge} of this host. */
final class Munge {

  private Munge() {}

  /**
   * A credential of this process's user.
   *
   * @throws ProtocolViolation in one line when there is none to be had
   */
  static String credential(byte[] payload) throws IOException {
    List<String> command = new ArrayList<>();
    command.add("munge");
    String socket = System.getenv("MILLRACE_MUNGE_SOCKET");
    if (socket != null && !socket.isEmpty()) {
      command.add("--socket=" + socket);
    }
    Process munge;
    try {
      munge = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      throw new ProtocolViolation(
          "no token (MILLRACE_TOKEN_FILE, MILLRACE_TOKEN) and no program munge to say who you are");
    }
    try (OutputStream in = munge.getOutputStream()) {
      in.write(payload);
    } catch (IOException closed) {
      // It ended before it had read this, and has said why.
    }
    String said = new String(munge.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    try {
      if (munge.waitFor() == 0 && !said.isEmpty()) {
        return said.trim();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ProtocolViolation("munge gave no credential");
  }
}
