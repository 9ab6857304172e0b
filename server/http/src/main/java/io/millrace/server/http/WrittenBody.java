package io.millrace.server.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * The body of an answer as it is written. A small one is kept until it is whole; of a larger one a
 * piece is sent when the client's system has taken the piece before, so that two are held at most.
 * Used by one thread, which is not one of those that move bytes.
 */
final class WrittenBody extends OutputStream {

  private static final int PIECE_BYTES = 64 << 10;

  private final ChannelHandlerContext context;
  private final Supplier<HttpResponse> head;
  private byte[] piece = new byte[1024];
  private int length;
  private ChannelFuture before;

  /**
   * @param head comes before the first piece
   */
  WrittenBody(ChannelHandlerContext context, Supplier<HttpResponse> head) {
    this.context = context;
    this.head = head;
  }

  /** Whether something was sent, so that no other answer can be given. */
  boolean begun() {
    return before != null;
  }

  /** All of it when nothing was sent. */
  byte[] kept() {
    return Arrays.copyOf(piece, length);
  }

  @Override
  public void write(int b) throws IOException {
    if (length == piece.length) {
      grow(1);
    }
    piece[length++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    int written = 0;
    while (written < count) {
      if (length == piece.length) {
        grow(count - written);
      }
      int part = Math.min(count - written, piece.length - length);
      System.arraycopy(bytes, from + written, piece, length, part);
      length += part;
      written += part;
    }
  }

  /** Makes room for one byte at least. */
  private void grow(int wanted) throws IOException {
    if (length < PIECE_BYTES) {
      long roomy = Math.max(2L * length, (long) length + wanted);
      piece = Arrays.copyOf(piece, (int) Math.min(roomy, PIECE_BYTES));
    } else {
      sendPiece();
    }
  }

  private void sendPiece() throws IOException {
    if (before == null) {
      context.write(head.get());
    } else {
      awaitBefore();
    }
    before =
        context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece, 0, length)));
    piece = new byte[PIECE_BYTES];
    length = 0;
  }

  private void awaitBefore() throws IOException {
    try {
      before.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the client did not take the answer in time");
    }
    if (!before.isSuccess()) {
      throw new IOException("the client has gone", before.cause());
    }
  }

  /** Sends what is left of one that was begun; told when the client's system has taken it. */
  ChannelFuture end() {
    return context.writeAndFlush(
        new DefaultLastHttpContent(Unpooled.wrappedBuffer(piece, 0, length)));
  }
}
