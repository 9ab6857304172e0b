package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Paths below the home folder of an installation. */
public record Home(Path root) {

  /** There as long as a restore into this home is not over. */
  public static final String RESTORE = ".restore";

  public Home {
    root = root.toAbsolutePath().normalize();
  }

  public Path settings() {
    return root.resolve("etc/millrace.properties");
  }

  /** Client settings of a Kafka principal. */
  public Path client(KafkaPrincipal principal) {
    return root.resolve("etc/kafka/" + principal.text() + ".properties");
  }

  /** Token with which the gateway asks the server. */
  public Path queryToken() {
    return root.resolve("etc/query.token");
  }

  /**
   * Fingerprint of the topics, access rules and schemas with which the cluster was last
   * initialised.
   */
  public Path initialised() {
    return root.resolve("etc/initialised");
  }

  /** The newest build that was at work here. */
  public Path build() {
    return root.resolve("etc/build");
  }

  /** Name of the server among those of the cluster. */
  public Path instance() {
    return root.resolve("etc/instance");
  }

  /** Held while a command of the launcher changes what runs. */
  public Path lock() {
    return root.resolve("run/launcher.lock");
  }

  /** Left by {@code down} until the next {@code up}: whoever keeps the parts alive lets them be. */
  public Path down() {
    return root.resolve("run/down");
  }

  public Path brokerData() {
    return root.resolve("data/kafka");
  }

  public Path log(String part) {
    return root.resolve("log/" + part + ".log");
  }

  /** What a process printed outside its log: mostly the words of a Java machine that died. */
  public Path printed(String part) {
    return root.resolve("log/" + part + ".out");
  }

  public Path pid(String part) {
    return root.resolve("run/" + part + ".pid");
  }

  /** Command line of a part. */
  public Path arguments(String part) {
    return root.resolve("run/" + part + ".args");
  }

  /** For what a part unpacks while it runs, such as libraries; made anew at each start. */
  public Path temporary(String part) {
    return root.resolve("run/tmp-" + part);
  }

  /** Written by a part when it can serve. */
  public Path ready(String part) {
    return root.resolve("run/" + part + ".ready");
  }

  /** Accounting files, where sites of PBS look for them. */
  public Path accounting() {
    return root.resolve("server_priv/accounting");
  }

  public Path socket() {
    return root.resolve("run/gateway.sock");
  }

  public Path spool(String host) {
    return root.resolve("spool/" + host);
  }

  /** Links of the commands, for the search path of a shell. */
  public Path bin() {
    return root.resolve("bin");
  }

  /** Makes the folders; other users may pass through and see the socket, not the data. */
  public void create() throws IOException {
    for (String open : new String[] {"", "etc", "etc/kafka", "run", "bin", "spool", "log"}) {
      folder(open, "rwxr-xr-x");
    }
    folder("data", "rwx------");
  }

  private void folder(String name, String permissions) throws IOException {
    Path folder = root.resolve(name);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }
  }
}
