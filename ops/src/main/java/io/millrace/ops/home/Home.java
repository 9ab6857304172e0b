package io.millrace.ops.home;

import io.millrace.schemas.hostkey.HostKeyFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Paths below the home folder of an installation. */
public record Home(Path root) {

  /** Name of the file that exists while a restore into this home is in progress. */
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

  /** Where other installations are, and by which token; of an administrator. */
  public Path sites() {
    return root.resolve("etc/sites.properties");
  }

  /** Keys of the hosts that may have executors, and marks of those that may no more. */
  public Path hostKeys() {
    return root.resolve("etc/hosts");
  }

  /** Secret from which the keys of hosts are derived, in a home that has joined a cluster. */
  public Path hostSecret() {
    return hostKeys().resolve(HostKeyFolder.SECRET);
  }

  /** Id of the cluster that this home has joined by a join file; see JoinFile. */
  public Path joined() {
    return root.resolve("etc/cluster.id");
  }

  /** Settings with which the executor of a host reaches the broker; see HostFiles. */
  public Path hostClient(String host) {
    return root.resolve("etc/kafka/hosts/" + host + ".properties");
  }

  /** Folder of the broker's certificate for other hosts. */
  public Path tls() {
    return root.resolve("etc/tls");
  }

  /** Key of the broker's certificate for other hosts, with the certificate; for the owner alone. */
  public Path listenerKey() {
    return tls().resolve("broker.pem");
  }

  /** The broker's certificate for other hosts, which their executors trust. */
  public Path listenerCertificate() {
    return tls().resolve("broker.crt");
  }

  /** Token with which the gateway queries the server. */
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

  /** Mark of the newest build that has worked here; see BuildMark. */
  public Path build() {
    return root.resolve("etc/build");
  }

  /** Name of this home's server within the cluster; see ServerInstance. */
  public Path instance() {
    return root.resolve("etc/instance");
  }

  /** Lock file of the keeper; a second one ends at once. */
  public Path keeperLock() {
    return root.resolve("run/keeper.lock");
  }

  /** Lock file, held while a launcher command starts or stops parts. */
  public Path lock() {
    return root.resolve("run/launcher.lock");
  }

  /**
   * Exists from {@code down} to the next {@code up}; while it does, {@code up --keep} starts
   * nothing.
   */
  public Path down() {
    return root.resolve("run/down");
  }

  public Path brokerData() {
    return root.resolve("data/kafka");
  }

  /** Room that is kept back for the topics, on their disk; empty while it is given. */
  public Path logReserve() {
    return brokerData().resolve("reserve");
  }

  public Path log(String part) {
    return root.resolve("log/" + part + ".log");
  }

  /** What a process printed outside its log, mostly messages of a JVM that died. */
  public Path printed(String part) {
    return root.resolve("log/" + part + ".out");
  }

  public Path pid(String part) {
    return root.resolve("run/" + part + ".pid");
  }

  /** File that a part keeps locked as long as it lives; see LifeFile. */
  public Path life(String part) {
    return root.resolve("run/" + part + ".life");
  }

  /** When a part that ended again and again is started next; see NextStart. */
  public Path nextStart(String part) {
    return root.resolve("run/" + part + ".next");
  }

  /** Command line with which a part was started. */
  public Path arguments(String part) {
    return root.resolve("run/" + part + ".args");
  }

  /**
   * Folder for files that a part unpacks while it runs, such as libraries; emptied at each start.
   */
  public Path temporary(String part) {
    return root.resolve("run/tmp-" + part);
  }

  /** File that a part writes when it is ready to serve. */
  public Path ready(String part) {
    return root.resolve("run/" + part + ".ready");
  }

  /** Accounting files, in the folder where PBS sites look for them. */
  public Path accounting() {
    return root.resolve("server_priv/accounting");
  }

  public Path socket() {
    return root.resolve("run/gateway.sock");
  }

  public Path spool(String host) {
    return root.resolve("spool/" + host);
  }

  /** Links to the commands, for a shell's search path. */
  public Path bin() {
    return root.resolve("bin");
  }

  /** Creates the folders; other users may pass through and reach the socket, but not the data. */
  public void create() throws IOException {
    for (String open : new String[] {"", "etc", "etc/kafka", "etc/tls", "run", "bin", "spool"}) {
      folder(open, "rwxr-xr-x");
    }
    folder("etc/hosts", "rwx------");
    folder("etc/kafka/hosts", "rwx------");
    folder("data", "rwx------");
    folder("log", "rwxr-x---");
  }

  /** Folder of the default scheduler's files, which sites copy for further ones, as with PBS. */
  public Path schedPriv() {
    return root.resolve("sched_priv");
  }

  /** Creates {@link #schedPriv()}, in the home of a server. */
  public void createSchedPriv() throws IOException {
    folder("sched_priv", "rwxr-x---");
  }

  private void folder(String name, String permissions) throws IOException {
    Path folder = root.resolve(name);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }
  }
}
