package io.millrace.connectors.bridge.ssh;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.client.keyverifier.KnownHostsServerKeyVerifier;
import org.apache.sshd.client.keyverifier.RejectAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.signature.Signature;

/** The keys of a host that are known, by which one connection is made; the file is not written. */
final class KnownHostKeys extends KnownHostsServerKeyVerifier {

  private static final String CERTIFIED = "-cert-v01@openssh.com";
  private static final String AUTHORITY = "cert-authority";
  private static final String REVOKED = "revoked";
  private static final String RSA = "ssh-rsa";

  private final SshTerms.SshPlace place;
  private final Set<String> types;
  private volatile String trouble = "";

  private KnownHostKeys(Path file, SshTerms.SshPlace place, Set<String> types) {
    super(RejectAllServerKeyVerifier.INSTANCE, file);
    this.place = place;
    this.types = types;
  }

  /** Reads what is known now. */
  static KnownHostKeys read(SshTerms terms) throws SshFault {
    Path file = terms.knownHosts();
    OwnFile.requireUnchanged(file);
    Set<String> types = new HashSet<>();
    try {
      for (KnownHostEntry entry : KnownHostEntry.readKnownHostEntries(file)) {
        if (entry.isHostMatch(terms.place().host(), terms.place().port())
            && !REVOKED.equals(entry.getMarker())) {
          String suffix = AUTHORITY.equals(entry.getMarker()) ? CERTIFIED : "";
          types.add(entry.getKeyEntry().getKeyType() + suffix);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new SshFault(
          file + " is no file of known hosts: " + e.getMessage() + "; write it with ssh-keyscan",
          e);
    }
    return new KnownHostKeys(file, terms.place(), types);
  }

  /** Those first of whose kind a key is known: a host is asked for the key that we know. */
  List<NamedFactory<Signature>> inOrder(List<NamedFactory<Signature>> all) {
    List<NamedFactory<Signature>> ordered = new ArrayList<>(all);
    ordered.sort(Comparator.comparing(it -> !types.contains(type(it.getName()))));
    return ordered;
  }

  private static String type(String signature) {
    boolean certified = signature.endsWith(CERTIFIED);
    String plain =
        certified ? signature.substring(0, signature.length() - CERTIFIED.length()) : signature;
    return (plain.startsWith("rsa-sha2-") ? RSA : plain) + (certified ? CERTIFIED : "");
  }

  /** Why the key of the host was refused, in one line with the cure; empty when it was not. */
  String trouble() {
    return trouble;
  }

  @Override
  protected boolean acceptUnknownHostKey(
      ClientSession session, SocketAddress address, PublicKey key) {
    trouble =
        "the key of host "
            + place
            + " is not known: "
            + named(key)
            + "; compare it with the one of the host, and write it into "
            + getPath();
    return false;
  }

  @Override
  public boolean acceptModifiedServerKey(
      ClientSession session,
      SocketAddress address,
      KnownHostEntry entry,
      PublicKey expected,
      PublicKey actual) {
    trouble =
        "the key of host "
            + place
            + " is not the one that is known: "
            + named(actual)
            + ", not "
            + named(expected)
            + "; somebody may be in its place, or it has a new one: ask who runs it, and change "
            + getPath()
            + " only then";
    return false;
  }

  @Override
  protected void handleRevokedKey(ClientSession session, SocketAddress address, PublicKey key) {
    trouble =
        "the key of host "
            + place
            + " is revoked in "
            + getPath()
            + ": "
            + named(key)
            + "; have the host get a new one";
  }

  private static String named(PublicKey key) {
    return KeyUtils.getKeyType(key) + " " + KeyUtils.getFingerPrint(key);
  }
}
