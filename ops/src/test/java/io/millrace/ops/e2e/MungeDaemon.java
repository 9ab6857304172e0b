package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A MUNGE daemon with a key of its own, below the folder of a test. */
final class MungeDaemon implements AutoCloseable {

  private static final int KEY_BYTES = 128;
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private final Process daemon;
  private final Path socket;

  private MungeDaemon(Process daemon, Path socket) {
    this.daemon = daemon;
    this.socket = socket;
  }

  /** Whether Debian's package munge is there. */
  static boolean installed() {
    return List.of("/usr/sbin/munged", "/usr/bin/munge", "/usr/bin/unmunge").stream()
        .allMatch(program -> Files.isExecutable(Path.of(program)));
  }

  /** Starts a daemon with a new key. */
  static MungeDaemon start(Path folder, String name) throws IOException, InterruptedException {
    Path own = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    Path keyFile = Files.write(own.resolve("key"), key);
    Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
    Path socket = own.resolve("socket");
    Process daemon =
        new ProcessBuilder(
                "/usr/sbin/munged",
                "--foreground",
                "--key-file=" + keyFile,
                "--socket=" + socket,
                "--pid-file=" + own.resolve("pid"),
                "--seed-file=" + own.resolve("seed"))
            .redirectErrorStream(true)
            .redirectOutput(own.resolve("log").toFile())
            .start();
    MungeDaemon munged = new MungeDaemon(daemon, socket);
    Site.await(PATIENCE, "munged listens", () -> Files.exists(socket));
    return munged;
  }

  Path socket() {
    return socket;
  }

  /** A credential of this account; good for some seconds, or as long as the daemon likes. */
  String credential(Account account, byte[] payload, int seconds)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(account.become());
    command.addAll(List.of("/usr/bin/munge", "-S", socket.toString()));
    if (seconds > 0) {
      command.addAll(List.of("-t", Integer.toString(seconds)));
    }
    Process munge =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    munge.getOutputStream().write(payload);
    munge.getOutputStream().close();
    String credential =
        new String(munge.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    if (munge.waitFor() != 0 || credential.isEmpty()) {
      throw new IOException("munge gave no credential");
    }
    return credential;
  }

  @Override
  public void close() throws InterruptedException {
    daemon.destroy();
    if (!daemon.waitFor(5, TimeUnit.SECONDS)) {
      daemon.destroyForcibly();
    }
  }
}
