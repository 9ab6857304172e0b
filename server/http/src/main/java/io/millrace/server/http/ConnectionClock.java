package io.millrace.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection on which something takes too long. It stands before what understands HTTP,
 * since only there the first byte of a head is seen, and not just the whole one.
 */
final class ConnectionClock extends ChannelInboundHandlerAdapter {

  private final HttpLimits.HttpTimeLimits times;
  private ChannelHandlerContext context;
  private ScheduledFuture<?> deadline;
  private boolean idle;

  ConnectionClock(HttpLimits.HttpTimeLimits times) {
    this.times = times;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    if (added.channel().isActive()) {
      awaitHead();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext active) {
    awaitHead();
    active.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext from, Object bytes) {
    if (idle) {
      idle = false;
      long leftMs = deadline.getDelay(TimeUnit.MILLISECONDS);
      within(Duration.ofMillis(Math.min(leftMs, times.head().toMillis())));
    }
    from.fireChannelRead(bytes);
  }

  @Override
  public void channelInactive(ChannelHandlerContext gone) {
    stop();
    gone.fireChannelInactive();
  }

  void awaitHead() {
    within(times.idle());
    idle = true;
  }

  void awaitBody() {
    within(times.body());
  }

  void awaitSent() {
    within(times.send());
  }

  private void within(Duration time) {
    stop();
    deadline =
        context.executor().schedule(() -> context.close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Nothing of the client is awaited: what is done meanwhile has a time of its own. */
  void stop() {
    idle = false;
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
