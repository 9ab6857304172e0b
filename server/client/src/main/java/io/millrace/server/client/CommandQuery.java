package io.millrace.server.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A command that is called beside the one that this process runs, for what it says. It is not
 * repeated: whoever asks while a user types rather has no answer than a late one.
 */
public final class CommandQuery {
  private CommandQuery() {}

  /**
   * What the command writes to standard output; empty when its exit status is not 0.
   *
   * @throws IOException when the gateway of this host does not answer
   */
  public static String ask(String command, String... args) throws IOException {
    List<byte[]> arguments = new ArrayList<>();
    for (String argument : args) {
      arguments.add(argument.getBytes(StandardCharsets.UTF_8));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Streams streams = new Streams(InputStream.nullInputStream(), out, new ByteArrayOutputStream());
    try (GatewayConnection gateway =
        GatewayConnection.open(UnixDomainSocketAddress.of(ClientMain.socketPath()))) {
      HeldOutput held = new HeldOutput(streams);
      Conversation conversation =
          new Conversation(
              gateway, held, new LocalFiles(streams.in()), new OpenOutcome(command, held));
      int status = conversation.run(Caller.opening(command, arguments));
      return status == 0 ? out.toString(StandardCharsets.UTF_8) : "";
    } catch (ProtocolViolation e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
