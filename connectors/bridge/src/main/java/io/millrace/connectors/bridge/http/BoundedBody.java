package io.millrace.connectors.bridge.http;

import io.millrace.schemas.door.AnswerTooLong;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer up to a length; a longer one is given up. */
public final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

  private final long most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription source;

  public BoundedBody(long most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    source.request(1);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      if (bytes.size() + (long) part.remaining() > most) {
        source.cancel();
        body.completeExceptionally(new AnswerTooLong(most));
        return;
      }
      byte[] some = new byte[part.remaining()];
      part.get(some);
      bytes.writeBytes(some);
    }
    source.request(1);
  }

  @Override
  public void onError(Throwable why) {
    body.completeExceptionally(why);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
