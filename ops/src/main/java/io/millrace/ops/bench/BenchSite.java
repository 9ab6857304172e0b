package io.millrace.ops.bench;

import io.millrace.ops.bench.call.MemoryInvocation;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.word.Console;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.gateway.Gateway;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A running installation, a gateway in this process, and the client's commands. */
final class BenchSite implements AutoCloseable {

  /** Reply partition of this process; the installation's own gateway reads partition 0. */
  private static final int REPLY_PARTITION = 1;

  private final Installation installation;
  private final HomeClient client;
  private final Gateway gateway;
  private final Console console;

  private BenchSite(
      Installation installation, HomeClient client, Gateway gateway, Console console) {
    this.installation = installation;
    this.client = client;
    this.gateway = gateway;
    this.console = console;
  }

  static BenchSite open(Path folder, List<String> upOptions, Console console) throws Exception {
    Home home = new Home(folder);
    Installation installation = Installation.up(home, upOptions, console);
    try {
      HomeClient client = new HomeClient(home);
      if (System.getProperty("user.name").equals("root")) {
        client.ask(folder, "qmgr", "-c", "set server acl_roots += root");
      }
      return new BenchSite(installation, client, gateway(home), console);
    } catch (IOException | RegistryException | InterruptedException e) {
      installation.killAll();
      throw e;
    }
  }

  private static Gateway gateway(Home home)
      throws IOException, RegistryException, InterruptedException {
    Map<String, Object> kafka = ClientSettings.read(home.client(KafkaPrincipal.GATEWAY));
    Gateway gateway =
        new Gateway(
            LinkSettings.defaults(kafka, REPLY_PARTITION),
            Codecs.open(kafka),
            () -> token(home),
            Installation.host(1),
            home.root());
    gateway.start();
    return gateway;
  }

  private static String token(Home home) {
    try {
      return Files.readString(home.queryToken()).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Home home() {
    return installation.home();
  }

  Installation installation() {
    return installation;
  }

  HomeClient client() {
    return client;
  }

  Gateway gateway() {
    return gateway;
  }

  Console console() {
    return console;
  }

  /** Creates an empty folder below the home that any job may write to. */
  Path folder(String name) throws IOException {
    return Files.createDirectories(home().root().resolve("bench").resolve(name));
  }

  /**
   * Carries out a command in this process and waits for its end.
   *
   * @throws IOException with the command's output when its exit status is not 0
   */
  String command(Path directory, String command, List<String> args)
      throws IOException, InterruptedException {
    ByteBuffer bytes = ByteBuffer.wrap(CommandIds.random(System.currentTimeMillis()).bytes());
    UUID id = new UUID(bytes.getLong(), bytes.getLong());
    MemoryInvocation invocation = new MemoryInvocation(id, directory, command, args);
    int status = gateway.commands().run(invocation);
    if (status != 0) {
      throw new IOException(command + " " + args + ": " + invocation.said().strip());
    }
    return invocation.said();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    gateway.close();
    installation.killAll();
    for (String part : installation.parts()) {
      installation.awaitEnd(part);
    }
  }
}
