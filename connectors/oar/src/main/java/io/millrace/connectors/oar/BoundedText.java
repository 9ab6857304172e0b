package io.millrace.connectors.oar;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer as text, up to a bound; with more of it the answer is given up. */
final class BoundedText implements HttpResponse.BodySubscriber<String> {

  /** There is more than the bound. */
  static final class AnswerTooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    AnswerTooLarge(long most) {
      super("the answer has more than " + (most >> 20) + " MiB; see 'output_most_mib'");
    }
  }

  private final long most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<String> text = new CompletableFuture<>();
  private Flow.Subscription source;

  BoundedText(long most) {
    this.most = most;
  }

  @Override
  public CompletionStage<String> getBody() {
    return text;
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
        text.completeExceptionally(new AnswerTooLarge(most));
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
    text.completeExceptionally(why);
  }

  @Override
  public void onComplete() {
    text.complete(bytes.toString(StandardCharsets.UTF_8));
  }
}
