package io.millrace.server.gateway.session;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * The identity of the caller, from the kernel or a credential.
 *
 * @param user name of the uid
 * @param group name of the primary gid, or its number when it has no name
 * @param host gives the name of his host, empty for this one
 */
record PeerIdentity(String user, String group, Supplier<String> host) {

  static PeerIdentity of(SocketChannel channel) throws IOException {
    UnixDomainPrincipal principal = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    return new PeerIdentity(principal.user().getName(), principal.group().getName(), () -> "");
  }

  /** The JDK gives the number for a uid that has no name; such a caller owns nothing here. */
  boolean hasName() {
    return !user.chars().allMatch(Character::isDigit);
  }
}
