package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.far.SftpSilence;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.sftp.client.SftpErrorDataHandler;
import org.apache.sshd.sftp.client.SftpMessage;
import org.apache.sshd.sftp.client.impl.AbstractSftpClient;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * An SFTP channel that is the standard input and output of a process, and waits for no answer long.
 */
final class StreamSftp extends AbstractSftpClient {

  /** The version that OpenSSH speaks. */
  private static final int VERSION = 3;

  /** A type and a number, or a version. */
  private static final int HEAD_BYTES = 5;

  /** What OpenSSH gives at most in one message. */
  private static final int MESSAGE_MOST = 256 * 1024;

  private static final int COMPLAINT_MOST = 4096;

  private final Process process;
  private final Duration limit;
  private final OutputStream to;
  private final Map<Integer, CompletableFuture<Buffer>> asked = new ConcurrentHashMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final CompletableFuture<Buffer> greeting = new CompletableFuture<>();
  private final CompletableFuture<String> complaint = new CompletableFuture<>();
  private final NavigableMap<String, byte[]> extensions = new TreeMap<>();
  private volatile boolean open = true;

  /**
   * @param process that speaks SFTP; it is ended with this
   * @throws IOException when it does not, with its own words
   */
  StreamSftp(Process process, Duration limit) throws IOException {
    super(SftpErrorDataHandler.EMPTY);
    this.process = process;
    this.limit = limit;
    this.to = process.getOutputStream();
    thread("container-files-complaint", this::listen);
    thread("container-files", this::read);
    boolean good = false;
    try {
      greet();
      good = true;
    } finally {
      if (!good) {
        close();
      }
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void greet() throws IOException {
    Buffer hello = new ByteArrayBuffer(2 * HEAD_BYTES, false);
    hello.putInt(HEAD_BYTES);
    hello.putByte((byte) SftpConstants.SSH_FXP_INIT);
    hello.putInt(VERSION);
    try {
      write(hello);
    } catch (IOException e) {
      // It has ended before, and its own words say why.
    }
    Buffer said = await(greeting, limit);
    if (said == null) {
      throw new SftpSilence(limit);
    }
    said.getInt();
    if (said.getUByte() != SftpConstants.SSH_FXP_VERSION || said.getInt() < VERSION) {
      throw new IOException("it does not speak SFTP");
    }
    while (said.available() > 0) {
      extensions.put(said.getString(StandardCharsets.UTF_8), said.getBytes());
    }
  }

  /** What it prints beside its answers, up to some lines; it never waits for who reads them. */
  private void listen() {
    try (InputStream from = process.getErrorStream()) {
      byte[] head = from.readNBytes(COMPLAINT_MOST);
      complaint.complete(new String(head, StandardCharsets.UTF_8).strip());
      from.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      complaint.complete("");
    }
  }

  private void read() {
    IOException end;
    try (DataInputStream from =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      while (true) {
        take(message(from));
      }
    } catch (IOException e) {
      end = e;
    }
    open = false;
    String why = complaint.completeOnTimeout("", limit.toMillis(), TimeUnit.MILLISECONDS).join();
    IOException told = new IOException(why.isEmpty() ? "the sftp-server has ended" : why, end);
    greeting.completeExceptionally(told);
    asked.values().forEach(it -> it.completeExceptionally(told));
  }

  private static Buffer message(DataInputStream from) throws IOException {
    int length = from.readInt();
    if (length < HEAD_BYTES || length > MESSAGE_MOST) {
      throw new IOException("it does not speak SFTP");
    }
    Buffer message = new ByteArrayBuffer(Integer.BYTES + length, false);
    message.putInt(length);
    message.putRawBytes(from.readNBytes(length));
    if (message.available() < Integer.BYTES + length) {
      throw new IOException("its answer was cut off");
    }
    return message;
  }

  private void take(Buffer message) {
    if (!greeting.isDone()) {
      greeting.complete(message);
      return;
    }
    int begin = message.rpos();
    message.getInt();
    message.getUByte();
    CompletableFuture<Buffer> who = asked.get(message.getInt());
    message.rpos(begin);
    if (who != null) {
      who.complete(message);
    }
  }

  @Override
  public int send(int command, Buffer words) throws IOException {
    int number = numbers.incrementAndGet();
    Buffer message = new ByteArrayBuffer(Integer.BYTES + HEAD_BYTES + words.available(), false);
    message.putInt(HEAD_BYTES + words.available());
    message.putByte((byte) command);
    message.putInt(number);
    message.putBuffer(words);
    asked.put(number, new CompletableFuture<>());
    if (!open) {
      asked.remove(number);
      throw new IOException("the sftp-server has ended");
    }
    boolean sent = false;
    try {
      write(message);
      sent = true;
      return number;
    } finally {
      if (!sent) {
        asked.remove(number);
      }
    }
  }

  private synchronized void write(Buffer message) throws IOException {
    to.write(message.array(), message.rpos(), message.available());
    to.flush();
  }

  @Override
  public SftpMessage write(int command, Buffer words) {
    throw new UnsupportedOperationException("files there are only read");
  }

  /** The answer to a question; a channel without one in time is given up. */
  @Override
  public Buffer receive(int number) throws IOException {
    Buffer answer = receive(number, limit);
    if (answer == null) {
      close();
      throw new SftpSilence(limit);
    }
    return answer;
  }

  @Override
  public Buffer receive(int number, long limitMs) throws IOException {
    return receive(number, Duration.ofMillis(limitMs));
  }

  @Override
  public Buffer receive(int number, Duration most) throws IOException {
    CompletableFuture<Buffer> answer = asked.get(number);
    if (answer == null) {
      throw new IOException("nothing was asked under the number " + number);
    }
    try {
      return await(answer, most);
    } finally {
      asked.remove(number);
    }
  }

  /** Null when it is not there in time. */
  private static Buffer await(CompletableFuture<Buffer> answer, Duration most) throws IOException {
    try {
      return answer.get(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException();
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public NavigableMap<String, byte[]> getServerExtensions() {
    return extensions;
  }

  @Override
  public Charset getNameDecodingCharset() {
    return StandardCharsets.UTF_8;
  }

  @Override
  public void setNameDecodingCharset(Charset charset) {
    throw new UnsupportedOperationException("names are UTF-8");
  }

  /** There is none: the other end is a process. */
  @Override
  public ClientSession getClientSession() {
    return null;
  }

  @Override
  public ClientChannel getClientChannel() {
    return null;
  }

  @Override
  public String getName() {
    return SftpConstants.SFTP_SUBSYSTEM_NAME;
  }

  @Override
  public boolean isClosing() {
    return !open;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Its input ends, which ends the server there too. */
  @Override
  public void close() {
    open = false;
    try {
      to.close();
    } catch (IOException e) {
      // It has ended before.
    }
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
