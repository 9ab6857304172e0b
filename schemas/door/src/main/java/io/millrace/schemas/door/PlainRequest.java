package io.millrace.schemas.door;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One request to a door of this host without TLS, over a connection of its own. The JDK's client
 * tells nobody which connection it uses before it has sent the request; here a {@link DoorOwner} is
 * asked in between.
 */
public final class PlainRequest implements AutoCloseable {
  private static final int HTTP_PORT = 80;
  private static final int HEAD_MAX = 64 * 1024;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  /** How long things may take, and how much may come. */
  public static final class PlainBounds {
    private final int connectMs;
    private final int answerMs;
    private final long bytes;

    /**
     * @param connectMs until somebody listens there
     * @param answerMs from the end of the request until all of the answer is here
     * @param bytes of its body
     */
    public PlainBounds(int connectMs, int answerMs, long bytes) {
      this.connectMs = connectMs;
      this.answerMs = answerMs;
      this.bytes = bytes;
    }
  }

  private final URL url;
  private final StringBuilder head = new StringBuilder();
  private final Socket connection = new Socket();
  private int headRead;
  private long end;
  private long most;

  public PlainRequest(String method, URL url) {
    this.url = url;
    head.append(method).append(' ').append(url.getFile()).append(" HTTP/1.1\r\n");
    header("Host", url.getAuthority());
    header("Connection", "close");
  }

  /**
   * Adds a header.
   *
   * @throws IllegalArgumentException in one line when its value is none of HTTP
   */
  public void header(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new IllegalArgumentException(
            "the header " + name + " has a character that is none of HTTP");
      }
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  /**
   * Sends it to who may hear it, and waits for the answer. It is sent once.
   *
   * @param body null sends none
   * @throws StrangeDoor when another account listens there
   * @throws NothingSent when nobody does
   * @throws AnswerTooLong when there is more than the bound
   * @throws SocketTimeoutException when the answer is not whole in time
   * @throws IOException when the connection broke
   */
  public PlainAnswer send(byte[] body, DoorOwner owner, PlainBounds bounds) throws IOException {
    try {
      connect(bounds.connectMs);
      owner.check(connection);
      most = bounds.bytes;
      IOException broke = null;
      try {
        write(body);
      } catch (IOException e) {
        broke = e; // who does not read on may have said why
      }
      end = System.nanoTime() + bounds.answerMs * 1_000_000L;
      try {
        return answer(new BufferedInputStream(new InTime(connection.getInputStream())));
      } catch (IOException e) {
        throw broke == null ? e : broke;
      }
    } finally {
      close();
    }
  }

  /** Ends the connection, also under one who waits for an answer. */
  @Override
  public void close() throws IOException {
    connection.close();
  }

  private void connect(int connectMs) throws NothingSent {
    String host = url.getHost().replace("[", "").replace("]", "");
    int port = url.getPort() < 0 ? HTTP_PORT : url.getPort();
    try {
      InetAddress address = InetAddress.getByName(host);
      if (!address.isLoopbackAddress()) {
        throw new NothingSent(host + " is not this host");
      }
      connection.connect(new InetSocketAddress(address, port), connectMs);
    } catch (UnknownHostException e) {
      throw new NothingSent("there is no host " + host, e);
    } catch (NothingSent e) {
      throw e;
    } catch (IOException e) {
      throw new NothingSent(e.getMessage(), e);
    }
  }

  private void write(byte[] body) throws IOException {
    if (body != null || head.indexOf("POST ") == 0) {
      // Some servers refuse a POST that does not say its length, also where it has no body.
      header("Content-Length", String.valueOf(body == null ? 0 : body.length));
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    whole.writeBytes((head + "\r\n").getBytes(StandardCharsets.US_ASCII));
    if (body != null) {
      whole.writeBytes(body);
    }
    // At once: a second piece would wait until the first one is acknowledged.
    whole.writeTo(connection.getOutputStream());
  }

  /** What comes until the end of our time; a byte now and then does not make it longer. */
  private final class InTime extends FilterInputStream {
    InTime(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      limit();
      return in.read();
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      limit();
      return in.read(to, from, length);
    }

    private void limit() throws IOException {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new SocketTimeoutException("no whole answer in time");
      }
      connection.setSoTimeout((int) left);
    }
  }

  private PlainAnswer answer(InputStream in) throws IOException {
    int status = status(line(in));
    while (status >= 100 && status < 200) {
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        // nothing of an interim answer counts
      }
      status = status(line(in));
    }
    long length = -1;
    boolean chunked = false;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      String name = colon < 0 ? "" : line.substring(0, colon).trim().toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).trim();
      if (name.equals("content-length")) {
        length = number(value, 10);
      } else if (name.equals("transfer-encoding")) {
        chunked = value.toLowerCase(Locale.ROOT).endsWith("chunked");
      }
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (status != NO_CONTENT && status != NOT_MODIFIED) {
      body(in, length, chunked, body);
    }
    return new PlainAnswer(status, body.toByteArray());
  }

  private void body(InputStream in, long length, boolean chunked, ByteArrayOutputStream to)
      throws IOException {
    if (chunked) {
      chunks(in, to);
    } else if (length >= 0) {
      copy(in, length, to);
    } else {
      byte[] piece = new byte[8192];
      for (int got = in.read(piece); got >= 0; got = in.read(piece)) {
        bound(to, got);
        to.write(piece, 0, got);
      }
    }
  }

  private void bound(ByteArrayOutputStream to, long more) throws AnswerTooLong {
    if (more > most - to.size()) {
      throw new AnswerTooLong(most);
    }
  }

  private static int status(String line) throws IOException {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
      throw new IOException("this is not HTTP");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private void chunks(InputStream in, ByteArrayOutputStream body) throws IOException {
    while (true) {
      headRead = 0;
      String line = line(in);
      int end = line.indexOf(';');
      long length = number((end < 0 ? line : line.substring(0, end)).trim(), 16);
      if (length == 0) {
        return; // what comes behind the last one is of no use here
      }
      copy(in, length, body);
      line(in);
    }
  }

  private void copy(InputStream in, long length, ByteArrayOutputStream to) throws IOException {
    bound(to, length);
    byte[] piece = new byte[8192];
    for (long left = length; left > 0; ) {
      int got = in.read(piece, 0, (int) Math.min(piece.length, left));
      if (got < 0) {
        throw new EOFException("the answer is cut");
      }
      to.write(piece, 0, got);
      left -= got;
    }
  }

  private static long number(String text, int base) throws IOException {
    try {
      long number = Long.parseLong(text, base);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IOException("the length of the answer is not a number");
  }

  private String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("the answer is cut");
      }
      if (++headRead > HEAD_MAX) {
        throw new IOException("the head of the answer is too long");
      }
      line.append((char) each);
    }
    int last = line.length() - 1;
    if (last >= 0 && line.charAt(last) == '\r') {
      line.setLength(last);
    }
    return line.toString();
  }
}
