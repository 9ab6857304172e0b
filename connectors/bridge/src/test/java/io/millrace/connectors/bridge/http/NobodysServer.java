package io.millrace.connectors.bridge.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A server of the account nobody at a port of this host; to any request it answers {}. */
public final class NobodysServer implements AutoCloseable {

  /** Prints its port, and at the end of its input all that it was told. */
  private static final String PROGRAM =
      """
      import select, socket, sys
      s = socket.socket()
      s.bind(("127.0.0.1", 0))
      s.listen()
      print(s.getsockname()[1], flush=True)
      late, told, taken = sys.argv[1] == "late", b"", []
      while True:
          ready = select.select([sys.stdin] + ([] if late else [s]) + taken, [], [])[0]
          if sys.stdin in ready:
              break
          for c in ready:
              if c is s:
                  taken.append(s.accept()[0])
                  continue
              b = c.recv(65536)
              told += b
              if b"\\r\\n\\r\\n" in b:
                  c.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n{}")
              if not b:
                  taken.remove(c)
      s.setblocking(False)
      try:
          while late:
              told += s.accept()[0].recv(65536)
      except BlockingIOError:
          pass
      sys.stdout.buffer.write(told)
      """;

  private final Process process;
  private final BufferedReader said;
  private final int port;

  /** One that takes connections at once; none where this process is not root. */
  public NobodysServer() throws IOException {
    this("at once");
  }

  /**
   * @param when "late" for one that takes connections when it is asked what it was told
   */
  NobodysServer(String when) throws IOException {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root"),
        "NobodysServer: SKIPPED: only root has another account");
    process =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=nobody",
                    "--clear-groups",
                    "/usr/bin/python3",
                    "-c",
                    PROGRAM,
                    when))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port = Integer.parseInt(said.readLine());
  }

  /** As an address has it. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  /** All that it was told; it ends with that. */
  public String told() throws IOException {
    process.getOutputStream().close();
    StringBuilder text = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      text.append(line).append('\n');
    }
    return text.toString();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
