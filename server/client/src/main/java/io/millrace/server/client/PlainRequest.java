package io.millrace.server.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One request to a door of this host without TLS, over a connection of its own. The JDK's client
 * tells nobody which connection it uses before it has sent the request; here {@link DoorOwner} is
 * asked in between.
 */
final class PlainRequest {
  private static final int HTTP_PORT = 80;
  private static final int HEAD_MAX = 64 * 1024;

  private final URL url;
  private final StringBuilder head = new StringBuilder();
  private int headRead;

  PlainRequest(String method, URL url) {
    this.url = url;
    head.append(method).append(' ').append(url.getFile()).append(" HTTP/1.1\r\n");
    header("Host", url.getAuthority());
    header("Connection", "close");
  }

  void header(String name, String value) {
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
        throw new ProtocolViolation("the header " + name + " has a character that is none of HTTP");
      }
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  /**
   * Sends it to who may hear it, and waits for the answer.
   *
   * @param body null sends none
   * @throws ProtocolViolation in one line when another account listens there
   * @throws IOException when the connection broke, or nobody answers in time
   */
  DoorAnswer send(byte[] body, int connectMs, int answerMs) throws IOException {
    String host = url.getHost().replace("[", "").replace("]", "");
    int port = url.getPort() < 0 ? HTTP_PORT : url.getPort();
    try (Socket connection = new Socket()) {
      // An address as it stands in the URL: no name is looked up.
      connection.connect(new InetSocketAddress(InetAddress.getByName(host), port), connectMs);
      DoorOwner.check(connection, url.getProtocol() + "://" + url.getAuthority());
      connection.setSoTimeout(answerMs);
      IOException broke = null;
      try {
        write(connection, body);
      } catch (IOException e) {
        broke = e; // who does not read on may have said why
      }
      try {
        return answer(new BufferedInputStream(connection.getInputStream()));
      } catch (IOException e) {
        throw broke == null ? e : broke;
      }
    }
  }

  private void write(Socket connection, byte[] body) throws IOException {
    if (body != null) {
      header("Content-Length", String.valueOf(body.length));
    }
    byte[] first = (head + "\r\n").getBytes(StandardCharsets.US_ASCII);
    connection.getOutputStream().write(first);
    if (body != null) {
      connection.getOutputStream().write(body);
    }
  }

  private DoorAnswer answer(InputStream in) throws IOException {
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
    if (chunked) {
      chunks(in, body);
    } else if (length >= 0) {
      copy(in, length, body);
    } else {
      in.transferTo(body);
    }
    return new DoorAnswer(status, body.toByteArray());
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

  private static void copy(InputStream in, long length, ByteArrayOutputStream to)
      throws IOException {
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
