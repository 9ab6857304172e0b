package io.millrace.server.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** Counts the connections, overall and by address; closes those beyond the bounds at once. */
@Sharable
final class OpenConnections extends ChannelInboundHandlerAdapter {

  private final HttpLimits.Connections limits;
  private final Map<String, Integer> byAddress = new HashMap<>();
  private int open;

  OpenConnections(HttpLimits.Connections limits) {
    this.limits = limits;
  }

  static String address(ChannelHandlerContext context) {
    return context.channel().remoteAddress() instanceof InetSocketAddress peer
        ? peer.getAddress().getHostAddress()
        : "unknown";
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    String address = address(context);
    if (!enter(address)) {
      context.close();
      return;
    }
    context.channel().closeFuture().addListener(closed -> leave(address));
    super.channelActive(context);
  }

  private synchronized boolean enter(String address) {
    int here = byAddress.getOrDefault(address, 0);
    if (open >= limits.all() || here >= limits.ofAddress()) {
      return false;
    }
    open++;
    byAddress.put(address, here + 1);
    return true;
  }

  private synchronized void leave(String address) {
    open--;
    byAddress.computeIfPresent(address, (name, count) -> count == 1 ? null : count - 1);
  }

  synchronized int open() {
    return open;
  }
}
