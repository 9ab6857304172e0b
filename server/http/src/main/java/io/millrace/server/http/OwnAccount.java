package io.millrace.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.nio.NioChannelOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets nobody but processes of this process's account and of root be at the other end of a Unix
 * socket, as the kernel names them.
 */
@Sharable
final class OwnAccount extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(OwnAccount.class);

  private final UserPrincipal self;
  private final UserPrincipal root;

  OwnAccount() throws IOException {
    // By the uid, which may have no name here.
    self = Files.getOwner(Path.of("/proc/self"));
    root = Files.getOwner(Path.of("/"));
  }

  /** Who is at the other end of a connection. */
  static UserPrincipal peer(Channel channel) throws IOException {
    UnixDomainPrincipal principal =
        channel.config().getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED));
    if (principal == null) {
      throw new IOException("the kernel does not say who is at the other end");
    }
    return principal.user();
  }

  boolean covers(UserPrincipal peer) {
    return peer.equals(self) || peer.equals(root);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    UserPrincipal peer = peer(context.channel());
    if (!covers(peer)) {
      LOG.warn("refused: {} is not this process's account", peer.getName());
      context.close();
      return;
    }
    super.channelActive(context);
  }
}
