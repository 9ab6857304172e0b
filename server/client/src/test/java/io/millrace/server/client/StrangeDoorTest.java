package io.millrace.server.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client at a port of this host where a door was: whoever listens there now may be anybody. */
@Timeout(120)
class StrangeDoorTest {
  private static final String TOKEN = "the-token";

  /**
   * A program that listens at an address, prints its port, answers as a door would, and at the end
   * of its input prints what it was told. When it is late, it takes no connection before that.
   */
  private static final String DOOR =
      """
      import re, select, socket, sys
      address, late = sys.argv[1], sys.argv[2] == "late"
      s = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
      s.bind((address, 0))
      s.listen()
      print(s.getsockname()[1], flush=True)
      told, taken = b"", {}
      while True:
          ready = select.select([sys.stdin] + ([] if late else [s]) + list(taken), [], [])[0]
          if sys.stdin in ready:
              break
          for c in ready:
              if c is s:
                  taken[s.accept()[0]] = b""
                  continue
              b = c.recv(65536)
              told += b
              taken[c] += b
              if not b:
                  del taken[c]
                  continue
              head, end, body = taken[c].partition(b"\\r\\n\\r\\n")
              length = re.search(b"\\r\\nContent-Length: (\\d+)", head)
              if not end or len(body) < int(length[1] if length else 0):
                  continue
              about = taken[c].startswith(b"GET")
              taken[c] = b""
              text = b'{"cluster":"c"}' if about else b'{"error":{"code":1,"message":"not you"}}'
              status = b"200 OK" if about else b"403 No"
              c.sendall(b"HTTP/1.1 %s\\r\\nContent-Length: %d\\r\\n\\r\\n" % (status, len(text)) + text)
      s.setblocking(False)
      try:
          while late:
              told += s.accept()[0].recv(65536)
      except BlockingIOError:
          pass
      sys.stdout.buffer.write(told)
      """;

  @TempDir Path folder;

  /** A listener of an account. */
  private static final class Listener {
    private final Process process;
    private final BufferedReader said;
    private final String url;

    Listener(String account, String address, String when) throws IOException {
      process = as(account, List.of("/usr/bin/python3", "-c", DOOR, address, when)).start();
      said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String host = address.contains(":") ? "[" + address + "]" : address;
      url = "http://" + host + ":" + said.readLine();
    }

    String told() throws IOException, InterruptedException {
      process.getOutputStream().close();
      StringBuilder text = new StringBuilder();
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        text.append(line).append('\n');
      }
      assertEquals(0, process.waitFor());
      return text.toString();
    }
  }

  private static ProcessBuilder as(String account, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    if (account.equals("nobody")) {
      List<String> line = new java.util.ArrayList<>(builder.command());
      line.addAll(0, List.of("setpriv", "--reuid=nobody", "--clear-groups"));
      builder.command(line);
    }
    return builder.redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  private ThinClient.Result ask(String account, Listener at, String home) throws Exception {
    ProcessBuilder client = ThinClient.JAVA.command(folder.resolve("none"), "qstat");
    ProcessBuilder builder = as(account, client.command()).directory(Path.of("/").toFile());
    builder.environment().remove("MILLRACE_HOME");
    builder.environment().put("MILLRACE_URL", at.url);
    builder.environment().put("MILLRACE_TOKEN", TOKEN);
    builder.environment().put("MILLRACE_CLIENT_TIMEOUT_S", "1");
    if (!home.isEmpty()) {
      builder.environment().put("MILLRACE_HOME", home);
    }
    return ThinClient.run(builder);
  }

  private static void superuser() {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root"),
        "StrangeDoorTest: SKIPPED: only root has another account");
  }

  private void isToldNothing(String address, String when) throws Exception {
    superuser();
    Listener stranger = new Listener("nobody", address, when);
    ThinClient.Result said = ask("root", stranger, "");
    assertEquals("", stranger.told());
    assertEquals(
        "qstat: "
            + stranger.url
            + " is not Millrace's door: it belongs to account nobody; nothing was sent there\n",
        said.err());
    assertEquals(1, said.status());
  }

  @Test
  void aStrangerIsToldNothing() throws Exception {
    isToldNothing("127.0.0.1", "at once");
  }

  @Test
  void aStrangerAtTheOtherLoopbackIsToldNothing() throws Exception {
    Assumptions.assumeTrue(
        Files.exists(Path.of("/proc/net/if_inet6")), "StrangeDoorTest: SKIPPED: no IPv6 here");
    isToldNothing("::1", "at once");
  }

  @Test
  void aStrangerWhoLetsTheConnectionWaitFindsNothingInIt() throws Exception {
    isToldNothing("127.0.0.1", "late");
  }

  @Test
  void aDoorOfRootIsEverybodysDoor() throws Exception {
    superuser();
    Listener door = new Listener("root", "127.0.0.1", "at once");
    assertEquals("qstat: not you\n", ask("nobody", door, "").err());
    assertTrue(door.told().contains("\nAuthorization: Bearer " + TOKEN + "\n"));
  }

  @Test
  void aDoorOfTheCallerIsHis() throws Exception {
    String own = System.getProperty("user.name");
    Listener door = new Listener(own, "127.0.0.1", "at once");
    assertEquals("qstat: not you\n", ask(own, door, "").err());
    assertTrue(door.told().contains("\nAuthorization: Bearer " + TOKEN + "\n"));
  }

  @Test
  void aDoorOfTheAccountWhoseHomeItIsIsADoor() throws Exception {
    superuser();
    Files.setAttribute(folder, "unix:uid", Files.getAttribute(nobodys(), "unix:uid"));
    Listener door = new Listener("nobody", "127.0.0.1", "at once");
    assertEquals("qstat: not you\n", ask("root", door, folder.toString()).err());
    assertTrue(door.told().contains("\nAuthorization: Bearer " + TOKEN + "\n"));
  }

  private Path nobodys() throws IOException {
    Path file = Files.createFile(folder.resolve("nobodys"));
    Files.setOwner(
        file, file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    return file;
  }
}
