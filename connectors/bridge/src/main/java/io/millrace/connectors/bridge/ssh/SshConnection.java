package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.run.CircuitBreaker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.forward.RejectAllForwardingFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of a cluster. It is made when it is needed and kept; one that broke off is
 * made anew, after a pause that grows when that fails again and again.
 */
final class SshConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SshConnection.class);

  /** So often the host is asked whether it is there still. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** So many questions without an answer, and it is not. */
  private static final int UNANSWERED_MOST = 3;

  private static final int WORKERS = 2;

  private final SshTerms terms;
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final ReentrantLock lock = new ReentrantLock();
  private SshClient client;
  private List<NamedFactory<Signature>> signatures;
  private ClientSession session;
  private volatile boolean closed;

  /** When it failed last, by the machine's own clock, and why. */
  private long failedAt;

  private SshFault failed;

  SshConnection(SshTerms terms) {
    this.terms = terms;
  }

  /**
   * The session, which may break off at any time.
   *
   * @throws SshFault when there is none
   */
  ClientSession session() throws SshFault, InterruptedException {
    long asked = System.nanoTime();
    lock.lockInterruptibly();
    try {
      if (closed) {
        throw new SshFault("the connection as " + terms + " was closed");
      }
      if (session != null && session.isOpen()) {
        return session;
      }
      if (failed != null && failedAt - asked > 0 || !breaker.lets(Instant.now())) {
        throw new SshFault(breaker.reason());
      }
      try {
        session = connect();
        failed = null;
        breaker.answered();
        log.info("connected as {}", terms);
        return session;
      } catch (SshFault e) {
        if (failed == null || !String.valueOf(failed.getMessage()).equals(e.getMessage())) {
          log.warn("no connection as {}: {}", terms, e.getMessage());
        }
        failed = e;
        failedAt = System.nanoTime();
        breaker.silent(e.getMessage(), Instant.now());
        throw e;
      }
    } finally {
      lock.unlock();
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
    closed = true;
    lock.lock();
    try {
      if (session != null) {
        session.close(true);
      }
      if (client != null) {
        client.stop();
      }
    } finally {
      lock.unlock();
    }
  }
}
