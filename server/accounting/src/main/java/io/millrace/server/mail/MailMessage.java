package io.millrace.server.mail;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One message.
 *
 * @param atMs when what it tells of happened, milliseconds since 1970
 * @param to addresses, at least one
 * @param subject one line
 * @param text lines, the last one ended too
 */
public record MailMessage(long atMs, List<String> to, String subject, String text) {

  private static final int TEXT_MAX = 4000;

  /** Addresses that cannot be taken for something else and a subject of one line, by necessity. */
  public MailMessage {
    to = to.stream().filter(MailMessage::isAddress).toList();
    subject = subject.replaceAll("\\p{Cc}", " ");
    text = text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) + "...\n" : text;
  }

  /** A program would take a leading minus for an option. */
  private static boolean isAddress(String text) {
    return text.matches("[\\p{Graph}&&[^-,;<>()]][\\p{Graph}&&[^,;<>()]]*");
  }

  /** As {@link #from} reads it. */
  public byte[] bytes() {
    List<byte[]> parts = new ArrayList<>();
    parts.add(subject.getBytes(StandardCharsets.UTF_8));
    parts.add(text.getBytes(StandardCharsets.UTF_8));
    to.forEach(address -> parts.add(address.getBytes(StandardCharsets.UTF_8)));
    int size = Long.BYTES + parts.stream().mapToInt(it -> Integer.BYTES + it.length).sum();
    ByteBuffer out = ByteBuffer.allocate(size).putLong(atMs);
    parts.forEach(part -> out.putInt(part.length).put(part));
    return out.array();
  }

  public static MailMessage from(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long atMs = in.getLong();
    String subject = part(in);
    String text = part(in);
    List<String> to = new ArrayList<>();
    while (in.hasRemaining()) {
      to.add(part(in));
    }
    return new MailMessage(atMs, to, subject, text);
  }

  private static String part(ByteBuffer in) {
    byte[] part = new byte[in.getInt()];
    in.get(part);
    return new String(part, StandardCharsets.UTF_8);
  }
}
