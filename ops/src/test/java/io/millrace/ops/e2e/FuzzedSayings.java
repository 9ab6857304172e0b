package io.millrace.ops.e2e;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Makes requests that are nearly right, and bytes that are nothing. */
final class FuzzedSayings {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "G\0T");

  private static final List<String> ODD =
      List.of(
          "",
          "0",
          "-1",
          "1",
          "9223372036854775807",
          "99999999999999999999",
          "%",
          "%00",
          "%zz",
          "..",
          "a".repeat(5000),
          "[",
          "1[].x",
          "1[-1].x",
          "12.x",
          "true",
          "\0",
          "%2F..%2F",
          "ü",
          "*",
          "+",
          "latest",
          "{}",
          "null",
          "1,2,,",
          "NaN",
          "1e999",
          "x=y&x=z");

  private static final List<String> SANE =
      List.of("1", "2", "3", "10", "workq", "default", "latest", "io.millrace.schemas.state.Job");

  private static final List<String> JSON =
      List.of(
          "",
          "{",
          "null",
          "[]",
          "0",
          "\"x\"",
          "{}",
          "{\"arguments\":null}",
          "{\"arguments\":[null,1,{}]}",
          "{\"arguments\":[\"--\",\"\\u0000\"],\"directory\":5}",
          "{\"arguments\":[\"-l\",\"select=99999999999:ncpus=9223372036854775807\"]}",
          "{\"arguments\":[\"-N\",\"" + "n".repeat(3000) + "\"],\"script\":\"\\uD800\"}",
          "{\"arguments\":{},\"files\":{\"\":null},\"environment\":[]}",
          "{\"arguments\":[],\"arguments\":[\"-x\"]}",
          "[".repeat(5000),
          "{\"a\":".repeat(3000),
          "{\"schema\":\"null\"}",
          "{\"schema\":5}",
          "{\"schema\":\"{\\\"type\\\":\\\"record\\\",\\\"name\\\":null,\\\"fields\\\":7}\"}",
          "{\"schema\":\"{\\\"type\\\":\\\"enum\\\",\\\"name\\\":\\\"a\\\",\\\"symbols\\\":[1]}\"}",
          "{\"schema\":\"{\\\"type\\\":\\\"fixed\\\",\\\"name\\\":\\\"a\\\",\\\"size\\\":-1}\"}",
          "{\"schema\":\"" + "[".repeat(900) + "\"}",
          "{\"schema\":\"\\\"int\\\"\",\"schemaType\":\"JSON\"}",
          "{\"arguments\":[\"-f\"],\"directory\":\"/tmp\",\"umask\":\"77\"}",
          "{\"arguments\":[\"-Q\"],\"environment\":{\"A\":\"\"},\"stdin\":\"x\"}",
          "{\"arguments\":[\"12345\",\"x\"],\"files\":{\"x\":\"\"}}",
          "{\"schema\":\"\\\"int\\\"\"}",
          "{\"compatibility\":\"NONE\"}");

  private static final List<String> COMMANDS =
      List.of(
          "qstat",
          "qsub",
          "qdel",
          "qalter",
          "qselect",
          "why",
          "qhold",
          "qrls",
          "qmove",
          "qmsg",
          "qsig",
          "qrerun",
          "tracejob",
          "pbsnodes",
          "qorder",
          "nosuch",
          "sge/qsub",
          "sge/qstat",
          "qmgr",
          "pbsdsh",
          "qrun");

  private static final List<String> ARGUMENTS =
      List.of(
          "-f",
          "-x",
          "-F",
          "json",
          "-l",
          "select=-1",
          "select=1:ncpus=9223372036854775808",
          "-N",
          "-W",
          "depend=afterok:1[]",
          "-J",
          "1-99999999999",
          "0-0:0",
          "-a",
          "9999",
          "-t",
          "--",
          "-",
          "-c",
          "set server",
          "-o",
          "\n",
          "1[].x",
          "12345678901234567890",
          "@",
          "workq@",
          "-p",
          "2147483648",
          "-h",
          "uos",
          "-q",
          "-u",
          "a@b@c",
          "-s",
          "ZZZ",
          "--command-id",
          "x");

  private final SplittableRandom random;

  FuzzedSayings(SplittableRandom random) {
    this.random = random;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(List<String> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** Nothing at all, or what begins as something known. */
  byte[] garbage(byte[]... known) {
    if (known.length > 0 && chance(50)) {
      byte[] one = known[random.nextInt(known.length)].clone();
      for (int hits = random.nextInt(1, 6); hits > 0 && one.length > 0; hits--) {
        one[random.nextInt(one.length)] = (byte) random.nextInt(256);
      }
      return chance(30) ? java.util.Arrays.copyOf(one, random.nextInt(one.length + 1)) : one;
    }
    byte[] bytes = new byte[chance(3) ? random.nextInt(100_000) : random.nextInt(300)];
    random.nextBytes(bytes);
    if (bytes.length > 4 && chance(40)) {
      ByteBuffer.wrap(bytes).putInt(random.nextInt() >> random.nextInt(32));
    }
    return bytes;
  }

  /**
   * A request of HTTP.
   *
   * @param paths what may be asked there; a star stands for a name
   * @param credential lines of the head that the listener lets through
   */
  FuzzedConnections.Saying http(List<String> paths, String credential) {
    if (chance(15)) {
      return new FuzzedConnections.Saying(garbage(), Optional.empty());
    }
    String[] asked = pick(paths).split(" ");
    StringBuilder target = new StringBuilder(asked[asked.length - 1]);
    for (int star = target.indexOf("*"); star >= 0; star = target.indexOf("*")) {
      String name = chance(40) ? pick(SANE) : pick(ODD).replace("*", "~");
      target.replace(star, star + 1, name);
    }
    for (int i = chance(70) ? 0 : random.nextInt(3); i > 0; i--) {
      String name =
          chance(50) ? pick(List.of("limit", "after", "queue", "shard", "from")) : pick(ODD);
      target.append(target.indexOf("?") < 0 ? '?' : '&').append(name).append('=').append(pick(ODD));
    }
    boolean right = chance(70);
    String usual = asked.length == 1 ? "GET" : asked[0];
    String method = chance(80) ? usual : pick(METHODS);
    byte[] body = method.equals("GET") && right ? new byte[0] : body();
    StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    head.append("Host: x\r\nConnection: close\r\n");
    if (chance(85)) {
      head.append(credential);
    } else {
      head.append("Authorization: ").append(pick(List.of("Bearer a.b.c", "MUNGE MUNGE:x:", "x")));
      head.append("\r\n");
    }
    if (right) {
      head.append("Content-Length: ").append(body.length).append("\r\n\r\n");
      return new FuzzedConnections.Saying(
          joined(head, body), Optional.of(FuzzedSayings::isWholeAnswer));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      head.append(
          pick(
              List.of(
                  "Content-Length: -1",
                  "Content-Length: 99999999999",
                  "Content-Length: x",
                  "Transfer-Encoding: chunked",
                  "Transfer-Encoding: gzip, chunked",
                  "Expect: 100-continue",
                  "Expect: x",
                  "Idempotency-Key: x",
                  "Last-Event-ID: " + pick(ODD),
                  ": x",
                  "a",
                  "\0: \1",
                  "Upgrade: h2c",
                  "Content-Type: " + "t".repeat(9000),
                  "Host: y")));
      head.append("\r\n");
    }
    head.append("\r\n");
    return new FuzzedConnections.Saying(joined(head, body), Optional.empty());
  }

  private byte[] body() {
    if (chance(70)) {
      return pick(JSON).getBytes(StandardCharsets.UTF_8);
    }
    return chance(50) ? session() : garbage();
  }

  private static byte[] joined(StringBuilder head, byte[] body) {
    byte[] first = head.toString().getBytes(StandardCharsets.UTF_8);
    byte[] all = java.util.Arrays.copyOf(first, first.length + body.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }

  private static boolean isWholeAnswer(byte[] heard) {
    String text = new String(heard, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return false;
    }
    String head = text.substring(0, end).toLowerCase(java.util.Locale.ROOT);
    if (head.contains("chunked")) {
      return text.endsWith("\r\n0\r\n\r\n");
    }
    int at = head.indexOf("content-length: ");
    if (at < 0) {
      return false; // it ends with the connection
    }
    int length = Integer.parseInt(head.substring(at + 16).split("\r")[0].strip());
    return heard.length >= end + 4 + length;
  }

  /** Frames of the client's protocol, an opening or nearly one. */
  byte[] session() {
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    ByteBuffer hello =
        ByteBuffer.allocate(23).putShort((short) (chance(95) ? 1 : random.nextInt()));
    long now = System.currentTimeMillis();
    hello.putLong(now << 16 | 0x7000 | random.nextInt(0x1000));
    hello.putLong(random.nextLong() >>> 2 | 1L << 63);
    hello.put((byte) random.nextInt(256)).putShort((short) random.nextInt());
    hello.putShort((short) random.nextInt());
    String command = chance(90) ? pick(COMMANDS) : pick(ODD);
    byte[] name = command.getBytes(StandardCharsets.UTF_8);
    frame(
        frames,
        Frames.HELLO,
        ByteBuffer.allocate(23 + name.length).put(hello.flip()).put(name).array());
    for (int i = random.nextInt(6); i > 0; i--) {
      String word = chance(70) ? pick(ARGUMENTS) : pick(ODD);
      frame(frames, Frames.ARG, chance(95) ? word.getBytes(StandardCharsets.UTF_8) : garbage());
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      frame(frames, Frames.ENV, (pick(ODD) + "=" + pick(ODD)).getBytes(StandardCharsets.UTF_8));
    }
    if (chance(95)) {
      String folder = chance(90) ? "/tmp" : pick(ODD);
      frame(frames, Frames.DIRECTORY, folder.getBytes(StandardCharsets.UTF_8));
    }
    if (chance(95)) {
      frame(frames, Frames.GO, new byte[0]);
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      frame(frames, chance(70) ? random.nextInt(0x10, 0x15) : random.nextInt(256), garbage());
    }
    byte[] whole = frames.toByteArray();
    return chance(20) ? garbage(whole) : whole;
  }

  private void frame(ByteArrayOutputStream frames, int type, byte[] payload) {
    int length = chance(99) ? payload.length : random.nextInt();
    frames.writeBytes(ByteBuffer.allocate(5).put((byte) type).putInt(length).array());
    frames.writeBytes(payload);
  }
}
