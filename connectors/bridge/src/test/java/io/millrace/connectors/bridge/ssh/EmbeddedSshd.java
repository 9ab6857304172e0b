package io.millrace.connectors.bridge.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.client.future.DefaultOpenFuture;
import org.apache.sshd.client.future.OpenFuture;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelFactory;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.channel.ChannelSessionFactory;
import org.apache.sshd.server.subsystem.SubsystemFactory;
import org.apache.sshd.sftp.server.SftpFileSystemAccessor;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** An sshd of the library in this process, whose accounts have /bin/sh or another login shell. */
public final class EmbeddedSshd implements AutoCloseable {

  private final Path folder;
  private final AtomicInteger begun = new AtomicInteger();
  private KeyPair hostKey;
  private List<PublicKey> accepted;
  private List<String> shell = List.of("/bin/sh", "-c");
  private List<SubsystemFactory> subsystems = List.of(new SftpSubsystemFactory());
  private SshServer server;
  private int port;

  /**
   * @param folder for the keys
   */
  public EmbeddedSshd(Path folder) throws IOException, GeneralSecurityException {
    JdkKeys.register();
    this.folder = folder;
    this.hostKey = key("Ed25519");
    KeyPair user = key("Ed25519");
    this.accepted = List.of(user.getPublic());
    write(user, folder.resolve("id"));
    start();
    know(hostKey.getPublic());
  }

  static KeyPair key(String algorithm) throws GeneralSecurityException {
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
  }

  static void write(KeyPair key, Path file) throws IOException, GeneralSecurityException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (OutputStream out = Files.newOutputStream(file)) {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "test", null, out);
    }
  }

  /** Starts it, on the port that it had. */
  void start() throws IOException {
    server = SshServer.setUpDefaultServer();
    server.setHost("127.0.0.1");
    server.setPort(port);
    server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
    server.setPublickeyAuthenticator(
        (account, key, session) -> accepted.stream().anyMatch(it -> KeyUtils.compareKeys(it, key)));
    server.setSubsystemFactories(subsystems);
    server.setCommandFactory(
        (channel, line) -> {
          begun.incrementAndGet();
          return new LoginShellCommand(List.of(shell.get(0), shell.get(1), line));
        });
    server.start();
    port = server.getPort();
  }

  void stop() throws IOException {
    server.stop(true);
  }

  /** Opens no channel any more, as an sshd does that has as many as it may have. */
  void refuseChannels() {
    ChannelFactory none =
        new ChannelSessionFactory() {
          @Override
          public Channel createChannel(Session session) {
            return new ChannelSession() {
              @Override
              public OpenFuture open(long recipient, long window, long packet, Buffer buffer) {
                DefaultOpenFuture refused = new DefaultOpenFuture(this, this);
                refused.setException(
                    new SshChannelOpenException(
                        recipient, SshConstants.SSH_OPEN_RESOURCE_SHORTAGE, "open failed"));
                return refused;
              }
            };
          }
        };
    server.setChannelFactories(List.of(none));
  }

  /** Serves files from now on as this says; with null there is no subsystem of files any more. */
  void files(SftpFileSystemAccessor accessor) {
    subsystems =
        accessor == null
            ? List.of()
            : List.of(new SftpSubsystemFactory.Builder().withFileSystemAccessor(accessor).build());
    server.setSubsystemFactories(subsystems);
  }

  /** The same with subsystems of any kind. */
  void subsystems(SubsystemFactory... factories) {
    subsystems = List.of(factories);
    server.setSubsystemFactories(subsystems);
  }

  /** Makes the host another one, as far as its key tells. */
  KeyPair changeHostKey() throws IOException, GeneralSecurityException {
    stop();
    hostKey = key("Ed25519");
    start();
    return hostKey;
  }

  PublicKey hostKey() {
    return hostKey.getPublic();
  }

  void accept(PublicKey... keys) {
    accepted = List.of(keys);
  }

  void shell(String... words) {
    shell = List.of(words);
  }

  /** How many commands it has begun. */
  int begun() {
    return begun.get();
  }

  Path userKey() {
    return folder.resolve("id");
  }

  Path knownHosts() {
    return folder.resolve("known");
  }

  /** Writes down the only key of the host. */
  void know(PublicKey key) throws IOException {
    known("[127.0.0.1]:" + port + " " + PublicKeyEntry.toString(key) + "\n");
  }

  void known(String text) throws IOException {
    Files.writeString(knownHosts(), text);
    Files.setPosixFilePermissions(knownHosts(), PosixFilePermissions.fromString("rw-r--r--"));
  }

  int port() {
    return port;
  }

  SshTerms terms() {
    return terms(Duration.ofSeconds(20));
  }

  SshTerms terms(Duration limit) {
    return new SshTerms(
        new SshTerms.SshPlace("127.0.0.1", port),
        System.getProperty("user.name"),
        userKey(),
        knownHosts(),
        8,
        limit);
  }

  /** Lines of a cluster file that lead here. */
  public List<String> keys() {
    return List.of(
        "transport = ssh",
        "ssh_host = 127.0.0.1",
        "ssh_port = " + port,
        "ssh_account = " + System.getProperty("user.name"),
        "ssh_key = " + userKey(),
        "ssh_known_hosts = " + knownHosts());
  }

  @Override
  public void close() throws IOException {
    stop();
  }
}
