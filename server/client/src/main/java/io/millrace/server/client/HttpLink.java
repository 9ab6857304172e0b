package io.millrace.server.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A conversation in requests and answers. Each request has all that was said so far; its answer has
 * all that the command says to it, up to the next question. Of what was heard already the questions
 * are passed over, and the output takes the place of the earlier one.
 */
final class HttpLink implements GatewayLink {
  private final HttpGateway gateway;
  private final String cluster;
  private final HeldOutput output;
  private final NamedFiles named;
  private final OpenOutcome outcome;
  private final Bytes said = new Bytes();
  private byte[] heard = new byte[0];
  private int at;
  private int type;
  private byte[] payload = new byte[0];

  /** Questions that were answered in earlier requests. */
  private int answered;

  /** Questions of this answer that were passed so far. */
  private int passed;

  HttpLink(HttpGateway gateway, HeldOutput output, NamedFiles named, OpenOutcome outcome)
      throws IOException {
    this.outcome = outcome;
    this.gateway = gateway;
    this.output = output;
    this.named = named;
    this.cluster = gateway.cluster();
  }

  @Override
  public void sendRaw(byte[] bytes, int length) {
    said.add(bytes, length);
  }

  @Override
  public void send(int frameType, byte[] bytes, int length) {
    said.frame(frameType, bytes, length);
  }

  @Override
  public void receive() throws IOException {
    while (true) {
      if (at == heard.length && !ask()) {
        return;
      }
      next();
      boolean question = asksForAnswer(type);
      if (question) {
        passed++;
      }
      boolean old = passed < answered || (question && passed == answered);
      boolean shown = type == Frames.OUT || type == Frames.ERR || ends(type);
      // All is shown at the end: a commit would show what comes once more.
      if (type != Frames.COMMIT && (shown || !old)) {
        answered = question ? passed : answered;
        return;
      }
    }
  }

  /** False when there is no room for us now: then that is the next frame. */
  private boolean ask() throws IOException {
    outcome.mark(said.array());
    byte[] body = new byte[said.length()];
    System.arraycopy(said.array(), 0, body, 0, body.length);
    try {
      heard = gateway.session(cluster, body);
    } catch (IOException e) {
      outcome.lost(); // what the command has said and done meanwhile is not known here
      throw e;
    } catch (HttpGateway.BusyException e) {
      type = Frames.BUSY;
      payload = e.getMessage().getBytes(StandardCharsets.UTF_8);
      return false;
    }
    at = 0;
    passed = 0;
    output.drop();
    if (heard.length == 0) {
      throw new ProtocolViolation("the gateway said nothing");
    }
    return true;
  }

  private void next() {
    int length = heard.length - at < Frames.HEADER ? -1 : Bytes.number(heard, at + 1);
    if (length < 0 || length > heard.length - at - Frames.HEADER) {
      throw new ProtocolViolation("the gateway sent a frame that is cut");
    }
    type = heard[at] & 0xff;
    payload = new byte[length];
    System.arraycopy(heard, at + Frames.HEADER, payload, 0, length);
    at += Frames.HEADER + length;
    check();
  }

  /** A command that needs other files than it names has to be called on the gateway's host. */
  private void check() {
    int from = type == Frames.READ_FILE ? 4 : 1;
    boolean file =
        type == Frames.READ_FILE || type == Frames.OPEN_FILE || type == Frames.WRITE_BEGIN;
    if (file && (payload.length < from || !named.has(Bytes.text(payload, from)))) {
      throw new ProtocolViolation(
          gateway.url()
              + " asked for a file that the command line does not name: "
              + (payload.length < from ? "" : Bytes.text(payload, from)));
    }
  }

  private static boolean ends(int type) {
    return type == Frames.EXIT || type == Frames.BUSY;
  }

  private static boolean asksForAnswer(int type) {
    switch (type) {
      case Frames.READ_FILE:
      case Frames.READ_STDIN:
      case Frames.OPEN_FILE:
      case Frames.READ_CHUNK:
      case Frames.WRITE_END:
        return true;
      default:
        return false;
    }
  }

  @Override
  public int type() {
    return type;
  }

  @Override
  public byte[] payload() {
    return payload;
  }

  @Override
  public void close() {
    // Connections are the JDK's to keep.
  }
}
