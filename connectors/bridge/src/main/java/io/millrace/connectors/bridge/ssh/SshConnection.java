package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.far.KeptLink;
import io.millrace.connectors.bridge.far.SftpOpening;
import io.millrace.connectors.bridge.files.FilesUnreached;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.apache.sshd.sftp.client.SftpClient;

/** The one connection of a cluster. */
final class SshConnection implements SftpOpening, AutoCloseable {
  /** So often the host is asked whether it is there still. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** So many questions without an answer, and it is not. */
  private static final int UNANSWERED_MOST = 3;

  private static final int WORKERS = 2;

  private final SshTerms terms;
  private final KeptLink<ClientSession> link;
  private volatile SshClient client;
  private List<NamedFactory<Signature>> signatures;

  SshConnection(SshTerms terms) {
    this.terms = terms;
    this.link = new KeptLink<>(terms.toString(), this::connect, ClientSession::isOpen);
  }

  /**
   * The session, which may break off at any time.
   *
   * @throws FilesUnreached when there is none
   */
  ClientSession session() throws FilesUnreached, InterruptedException {
    return link.get();
  }

  /** A channel for files, as the subsystem of the sshd. */
  @Override
  public SftpClient open() throws IOException, InterruptedException {
    ClientSession session = session();
    try {
      return new LimitedSftp(session, terms.limit());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | IllegalStateException e) {
      // The latter when the connection is being closed meanwhile.
      String why =
          "no files of the other host by SFTP: "
              + e.getMessage()
              + "; see 'Subsystem sftp' and MaxSessions in its sshd_config";
      throw session.isOpen() ? new SftpAbsent(why, e) : new FilesUnreached(why, e);
    }
  }

  private ClientSession connect() throws SshFault, InterruptedException {
    JdkKeys.register();
    List<KeyPair> keys = UserKey.read(terms.key());
    KnownHostKeys known = KnownHostKeys.read(terms);
    SshClient from = client();
    from.setServerKeyVerifier(known);
    from.setSignatureFactories(known.inOrder(signatures));
    ClientSession fresh = null;
    boolean good = false;
    try {
      fresh = reach(from);
      prove(fresh, keys, known);
      ShellProbe.require(fresh, terms);
      good = true;
      return fresh;
    } finally {
      if (!good && fresh != null) {
        fresh.close(true);
      }
    }
  }

  private ClientSession reach(SshClient from) throws SshFault, InterruptedException {
    SshTerms.SshPlace place = terms.place();
    try {
      return from.connect(terms.account(), place.host(), place.port())
          .verify(terms.limit())
          .getSession();
    } catch (InterruptedIOException e) {
      throw interrupted(e);
    } catch (IOException e) {
      throw new SshFault(
          place + " cannot be reached" + because(e) + "; see 'ssh_host', and whether sshd runs", e);
    }
  }

  private void prove(ClientSession fresh, List<KeyPair> keys, KnownHostKeys known)
      throws SshFault, InterruptedException {
    keys.forEach(fresh::addPublicKeyIdentity);
    try {
      fresh.auth().verify(terms.limit());
    } catch (InterruptedIOException e) {
      throw interrupted(e);
    } catch (IOException e) {
      if (!known.trouble().isEmpty()) {
        throw new SshFault(known.trouble(), e);
      }
      boolean refused = String.valueOf(e.getMessage()).contains("No more authentication methods");
      throw refused
          ? new SshFault(
              terms.place()
                  + " does not take the key of "
                  + terms.key()
                  + " for "
                  + terms.account()
                  + "; add its .pub to authorized_keys there, or renew it where its time is over"
                  + " (expiry-time)",
              e)
          : new SshFault(
              terms.place() + " breaks off" + because(e) + "; see the log of its sshd", e);
    }
  }

  private static String because(IOException e) {
    Throwable cause = e;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage() == null ? cause : cause.getMessage());
    return ": " + text.lines().findFirst().orElse("").replace(';', ',');
  }

  static InterruptedException interrupted(InterruptedIOException e) {
    InterruptedException interrupted = new InterruptedException(e.getMessage());
    interrupted.initCause(e);
    return interrupted;
  }

  /** It has no other way to say who we are, and opens nothing on this side. */
  private SshClient client() {
    if (client != null) {
      return client;
    }
    SshClient made = SshClient.setUpDefaultClient();
    made.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
    made.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
    made.setUserAuthFactories(List.of(UserAuthPublicKeyFactory.INSTANCE));
    made.setForwardingFilter(RejectAllForwardingFilter.INSTANCE);
    CoreModuleProperties.HEARTBEAT_REQUEST.set(made, "keepalive@openssh.com");
    CoreModuleProperties.HEARTBEAT_INTERVAL.set(made, HEARTBEAT);
    CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(made, UNANSWERED_MOST);
    CoreModuleProperties.IDLE_TIMEOUT.set(made, Duration.ZERO);
    CoreModuleProperties.NIO_WORKERS.set(made, WORKERS);
    // Questions are short and answered one by one: each would wait for an acknowledgement.
    CoreModuleProperties.TCP_NODELAY.set(made, true);
    signatures = List.copyOf(made.getSignatureFactories());
    made.start();
    client = made;
    return made;
  }

  @Override
  public void close() {
    link.close(session -> session.close(true));
    SshClient made = client;
    if (made != null) {
      made.stop();
    }
  }
}
