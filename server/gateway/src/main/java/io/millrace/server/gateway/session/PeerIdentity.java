package io.millrace.server.gateway.session;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/**
 * Who is at the other end, as the kernel or a credential says.
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
