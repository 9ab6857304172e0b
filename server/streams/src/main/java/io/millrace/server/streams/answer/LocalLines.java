package io.millrace.server.streams.answer;

import io.millrace.server.http.LocalSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the connections of gateways at a Unix socket. A gateway says first the number of its
 * partition of the topic replies, four bytes, and then the token that queries must show. Nothing
 * else is read; answers are written by the shards' thread, and what a gateway does not take at once
 * by the thread of this object.
 */
public final class LocalLines implements GatewayLines, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocalLines.class);

  /** Connections that have said nothing yet, and those of gateways. */
  private static final int CONNECTIONS_MAX = 64;

  /** Pause after a connection that could not be taken, as when too many files are open. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Path socket;
  private final byte[] token;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final Thread thread;
  private final Map<Integer, ToldGateway> lines = new ConcurrentHashMap<>();

  private LocalLines(Path socket, String token, ServerSocketChannel listener, Selector selector) {
    this.socket = socket;
    this.token = token.getBytes(StandardCharsets.UTF_8);
    this.listener = listener;
    this.selector = selector;
    this.thread = new Thread(this::serve, "answers");
    thread.setDaemon(true);
  }

  /**
   * Listens from now on.
   *
   * @throws IOException in one line when nobody can listen there
   */
  public static LocalLines open(Path socket, String token) throws IOException {
    ServerSocketChannel listener = LocalSocket.listen(socket);
    Selector selector = Selector.open();
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
    LocalLines lines = new LocalLines(socket, token, listener, selector);
    lines.thread.start();
    return lines;
  }

  /** The same in the folder of the socket for queries. */
  public static LocalLines beside(Path queries, String token) throws IOException {
    return open(queries.resolveSibling(LocalSocket.ANSWERS), token);
  }

  @Override
  public boolean takes(int partition) {
    ToldGateway line = lines.get(partition);
    return line != null && line.isReady();
  }

  @Override
  public void tell(int partition, byte[] answers) {
    ToldGateway line = lines.get(partition);
    if (line != null) {
      line.tell(answers);
    }
  }

  private void serve() {
    while (selector.isOpen()) {
      try {
        selector.select(this::serve);
      } catch (ClosedSelectorException e) {
        return;
      } catch (IOException e) {
        LOG.warn("answers go by their topic: {}", e.toString());
        return;
      }
    }
  }

  private void serve(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        accept();
      } else if (key.isReadable()) {
        ((ToldGateway) key.attachment()).read();
      } else if (key.isWritable()) {
        ((ToldGateway) key.attachment()).write();
      }
    } catch (CancelledKeyException | ClosedChannelException e) {
      LOG.debug("a gateway's connection has ended");
    } catch (IOException e) {
      LOG.warn(
          "answers go by their topic, no gateway gets a connection at {}: {}",
          socket,
          e.toString());
      LockSupport.parkNanos(AGAIN_NANOS);
    }
  }

  private void accept() throws IOException {
    SocketChannel channel = listener.accept();
    if (channel == null) {
      return;
    }
    boolean taken = false;
    try {
      if (LocalSocket.isOwn(channel) && selector.keys().size() <= CONNECTIONS_MAX) {
        channel.configureBlocking(false);
        ToldGateway line = new ToldGateway(channel);
        line.key = channel.register(selector, SelectionKey.OP_READ, line);
        taken = true;
      }
    } finally {
      if (!taken) {
        channel.close();
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      LocalSocket.remove(socket);
      selector.close();
      thread.join();
    } catch (IOException e) {
      LOG.warn("{}: {}", socket, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    lines.values().forEach(ToldGateway::end);
  }

  /** One gateway. */
  private final class ToldGateway {
    private final SocketChannel channel;
    private final ByteBuffer said = ByteBuffer.allocate(Integer.BYTES + token.length);
    private final List<ByteBuffer> behind = new ArrayList<>();
    private SelectionKey key;
    private int partition = -1;

    ToldGateway(SocketChannel channel) {
      this.channel = channel;
    }

    synchronized boolean isReady() {
      return channel.isOpen() && behind.isEmpty();
    }

    /** What the gateway says, and that it has gone. */
    void read() {
      try {
        ByteBuffer into = partition < 0 ? said : ByteBuffer.allocate(1);
        int count = channel.read(into);
        if (count < 0 || (partition >= 0 && count > 0)) {
          end();
        } else if (partition < 0 && !said.hasRemaining()) {
          begin();
        }
      } catch (IOException e) {
        // It had not read all. The selector would say so again and again, were it not ended.
        LOG.debug("a gateway has gone: {}", e.toString());
        end();
      }
    }

    private void begin() {
      int number = said.flip().getInt();
      byte[] shown = new byte[token.length];
      said.get(shown);
      if (!MessageDigest.isEqual(shown, token) || number < 0) {
        LOG.warn("refused: a connection for answers without the token");
        end();
        return;
      }
      partition = number;
      ToldGateway before = lines.put(number, this);
      if (before != null) {
        before.end();
      }
    }

    synchronized void tell(byte[] answers) {
      boolean waits = !behind.isEmpty();
      behind.add(ByteBuffer.wrap(answers));
      if (!waits) {
        write();
      }
    }

    synchronized void write() {
      try {
        while (!behind.isEmpty()) {
          channel.write(behind.get(0));
          if (behind.get(0).hasRemaining()) {
            await(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            return;
          }
          behind.remove(0);
        }
        await(SelectionKey.OP_READ);
      } catch (IOException | CancelledKeyException e) {
        LOG.debug("a gateway has gone: {}", e.toString());
        end();
      }
    }

    private void await(int operations) {
      if (key.interestOps() != operations) {
        key.interestOps(operations);
        selector.wakeup();
      }
    }

    synchronized void end() {
      lines.remove(partition, this);
      behind.clear();
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("{}", e.toString());
      }
    }
  }
}
