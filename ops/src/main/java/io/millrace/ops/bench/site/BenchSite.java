package io.millrace.ops.bench.site;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.installation.Installation;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.KillOnExit;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A running installation, a gateway in this process, and the client's commands. */
public final class BenchSite implements AutoCloseable {

  /** Reply partition of this process; the installation's own gateway reads partition 0. */
  private static final int REPLY_PARTITION = 1;

  private static final int LOOK_MS = 50;
  private static final int PATIENCE_S = 300;

  private final Installation installation;
  private final KillOnExit end;
  private final HomeClient client;
  private final Gateway gateway;
  private final Console console;

  private BenchSite(
      Installation installation, HomeClient client, Gateway gateway, Console console) {
    this.installation = installation;
    this.end = new KillOnExit("bench", installation::killAll);
    this.client = client;
    this.gateway = gateway;
    this.console = console;
  }

  public static BenchSite open(Path folder, List<String> upOptions, Console console)
      throws Exception {
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

  public Home home() {
    return installation.home();
  }

  public Installation installation() {
    return installation;
  }

  /** The process of a part; none when it was never started. */
  public OptionalLong pid(String part) throws IOException {
    Path mark = home().pid(part);
    return Files.exists(mark)
        ? OptionalLong.of(Long.parseLong(Files.readString(mark).split(" ")[0]))
        : OptionalLong.empty();
  }

  /** The processes of all parts that were started. */
  public List<Long> pids() throws IOException {
    List<Long> pids = new ArrayList<>();
    for (String part : installation.parts()) {
      pid(part).ifPresent(pids::add);
    }
    return pids;
  }

  public HomeClient client() {
    return client;
  }

  public Gateway gateway() {
    return gateway;
  }

  public Console console() {
    return console;
  }

  /** What a command of this home's {@link Home#bin} needs in its environment. */
  public Map<String, String> clientEnvironment() {
    return Map.of(
        "MILLRACE_HOME",
        home().root().toString(),
        "MILLRACE_DIST",
        System.getProperty("millrace.dist"));
  }

  /** Waits until a queue has no job that has not ended. */
  public void awaitIdle(String queue) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (true) {
      String said = command(home().root(), "qstat", List.of("-Q", queue));
      if (QueueStatusLine.of(said, queue).unfinished() == 0) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("jobs are left after " + PATIENCE_S + " s: " + said);
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  /** Creates an empty folder below the home that any job may write to. */
  public Path folder(String name) throws IOException {
    return Files.createDirectories(home().root().resolve("bench").resolve(name));
  }

  /**
   * Carries out a command in this process and waits for its end.
   *
   * @throws IOException with the command's output when its exit status is not 0
   */
  public String command(Path directory, String command, List<String> args)
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
    end.close();
    for (String part : installation.parts()) {
      installation.awaitEnd(part);
    }
  }
}
