package io.millrace.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The rest of an answer, as it comes; what the client has not taken yet is bounded. */
final class ChannelSink implements AnswerSink {

  private final ChannelHandlerContext context;
  private final Duration farewell;

  ChannelSink(ChannelHandlerContext context, Duration farewell) {
    this.context = context;
    this.farewell = farewell;
  }

  private Channel channel() {
    return context.channel();
  }

  @Override
  public boolean offer(byte[] bytes) {
    if (!open() || !writable()) {
      return false;
    }
    context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes)));
    return true;
  }

  @Override
  public boolean writable() {
    return channel().isWritable();
  }

  @Override
  public boolean open() {
    return channel().isActive();
  }

  /** It waits behind what the client has not taken; one that takes nothing never sees it. */
  @Override
  public void end(byte[] last) {
    context.executor().schedule(() -> context.close(), farewell.toMillis(), TimeUnit.MILLISECONDS);
    context
        .writeAndFlush(new DefaultLastHttpContent(Unpooled.wrappedBuffer(last)))
        .addListener(ChannelFutureListener.CLOSE);
  }
}
